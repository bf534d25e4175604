//! The pattern of every plain resource: how it maps to a table is its own, the five verbs are here.

use std::num::NonZeroU64;

use async_trait::async_trait;
use sea_orm::sea_query::{Asterisk, Expr, Func};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, DatabaseBackend, EntityTrait, IntoActiveModel,
    Iterable, Order, PrimaryKeyToColumn, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select, Statement,
};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};
use svc_core::page::{Direction, Page, PageRequest, Sort};
use svc_core::resource::{Resource, ResourceReader, ResourceStore, Version};
use svc_core::tenant::Scope;

use super::account;
use crate::error::{backend, store_error};
use crate::scoped::within;
use crate::statement::Insertion;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;

/// A column of the table of `R`.
pub(crate) type ColumnOf<R> = <<R as Row>::Entity as EntityTrait>::Column;

/// A row of the table of `R`.
pub(crate) type ModelOf<R> = <<R as Row>::Entity as EntityTrait>::Model;

/// A resource that is one row of one table.
pub(crate) trait Row: Resource {
    /// Its table.
    type Entity: EntityTrait<
            Model: IntoActiveModel<<Self::Entity as EntityTrait>::ActiveModel> + Clone + Send + Sync,
            ActiveModel: Send,
            Column: Copy + Send + Sync,
        >;

    /// Where its id is: unique in the whole table.
    const ID: ColumnOf<Self>;
    /// Where the company is that it belongs to.
    const COMPANY: ColumnOf<Self>;
    /// Where its version is.
    const VERSION: ColumnOf<Self>;
    /// What a list is sorted by when nothing else is asked for.
    const CREATED_AT: ColumnOf<Self>;
    /// Its unique constraints, as [`store_error`] takes them.
    const UNIQUE: &'static [(&'static str, &'static str, &'static str)] = &[];
    /// Whether it can only be added while its company is active.
    const NEEDS_ACTIVE_COMPANY: bool = false;
    /// Whether a change of it may change what somebody is allowed to do.
    const BEARS_AUTHORITY: bool = false;

    /// Whether no other record can hold what this one must hold alone, its new id aside, nor a lock that it
    /// would wait for: then an insertion can be put off, and go together with those of others.
    fn is_never_taken(&self) -> bool {
        false
    }

    /// The row of this record.
    fn to_row(&self) -> ModelOf<Self>;

    /// The record of a row.
    fn from_row(row: ModelOf<Self>) -> Result<Self, StoreError>;

    /// Companies that a filter names; none when it names no company.
    fn companies(filter: &Self::Filter) -> &[AccountId];

    /// The predicate of a filter, companies aside.
    fn condition(filter: &Self::Filter) -> Condition;

    /// The column of a sort key, which is never null.
    fn sort_column(key: Self::SortKey) -> ColumnOf<Self>;

    /// Brings rows of other tables in line with the record, which was just added, or has just
    /// `replaced` an earlier state.
    fn follow_up(&self, _engine: DatabaseBackend, _replaced: bool) -> Vec<Statement> {
        Vec::new()
    }
}

#[async_trait]
impl<R: Row, C: ConnectionTrait + Send + Sync> ResourceReader<R> for SeaStore<C> {
    async fn find(&self, scope: &Scope, id: R::Id) -> Result<Option<R>, StoreError> {
        let query = R::Entity::find().filter(within(scope, &[], R::COMPANY)).filter(R::ID.eq(id.uuid()));
        query.one(&self.conn).await.map_err(backend)?.map(R::from_row).transpose()
    }

    async fn page(
        &self,
        scope: &Scope,
        filter: &R::Filter,
        sort: &Sort<R::SortKey>,
        request: PageRequest,
    ) -> Result<Page<R>, StoreError> {
        let matching = matching::<R>(scope, filter);
        let total = count(&self.conn, matching.clone()).await?;
        let Some(window) = Window::of(request, total) else {
            return Ok(Page { items: Vec::new(), total, request });
        };
        let rows = rows_of::<R>(matching, sort, window).all(&self.conn).await.map_err(backend)?;
        let items = rows.into_iter().map(R::from_row).collect::<Result<_, _>>()?;
        Ok(Page { items, total, request })
    }
}

#[async_trait]
impl<R: Row, C: DeferInsert + Send + Sync> ResourceStore<R> for SeaStore<C> {
    async fn insert(&self, scope: &Scope, record: &R) -> Result<(), StoreError> {
        reach(scope, record.company())?;
        let row = record.to_row().into_active_model();
        let company = R::NEEDS_ACTIVE_COMPANY.then(|| record.company().uuid());
        if record.is_never_taken() {
            self.conn.defer(Insertion::of(&row).under(company)).await.map_err(backend)?;
        } else {
            account::still_active(&self.conn, company).await.map_err(backend)?;
            let written = R::Entity::insert(row).exec_without_returning(&self.conn).await;
            written.map_err(|error| store_error(error, R::UNIQUE))?;
        }
        follow_up(self, record, false).await
    }

    async fn replace(&self, scope: &Scope, before: Version, after: &R) -> Result<(), StoreError> {
        reach(scope, after.company())?;
        let mut row = after.to_row().into_active_model().reset_all();
        for key in <R::Entity as EntityTrait>::PrimaryKey::iter() {
            row.not_set(key.into_column());
        }
        let update = R::Entity::update_many().set(row).filter(exactly::<R>(after, before));
        let written = update.exec(&self.conn).await.map_err(|error| store_error(error, R::UNIQUE))?;
        if written.rows_affected == 0 {
            return Err(StoreError::Conflict);
        }
        follow_up(self, after, true).await
    }

    async fn delete(&self, scope: &Scope, record: &R) -> Result<(), StoreError> {
        reach(scope, record.company())?;
        let delete = R::Entity::delete_many().filter(exactly::<R>(record, record.version()));
        if delete.exec(&self.conn).await.map_err(backend)?.rows_affected == 0 {
            return Err(StoreError::Conflict);
        }
        authority_changed::<R, C>(self);
        Ok(())
    }
}

/// The rows of the records that match, within the scope.
pub(crate) fn matching<R: Row>(scope: &Scope, filter: &R::Filter) -> Select<R::Entity> {
    let scoped = R::Entity::find().filter(within(scope, R::companies(filter), R::COMPANY));
    scoped.filter(R::condition(filter))
}

/// One page of them: skipping reads ids from an index, whole rows are read for the page alone.
pub(crate) fn rows_of<R: Row>(
    matching: Select<R::Entity>,
    sort: &Sort<R::SortKey>,
    window: Window,
) -> Select<R::Entity> {
    let order = order_of::<R>(sort);
    let mut ids = matching.select_only().column(R::ID).limit(window.limit.get()).offset(window.offset);
    for (column, direction) in &order {
        let direction = if window.backwards { reversed(*direction) } else { *direction };
        ids = ids.order_by(*column, sql(direction));
    }
    let page = R::Entity::find().filter(R::ID.in_subquery(ids.into_query()));
    order.into_iter().fold(page, |page, (column, direction)| page.order_by(column, sql(direction)))
}

/// How many rows match.
pub(crate) async fn count<E: EntityTrait>(
    conn: &impl ConnectionTrait,
    matching: Select<E>,
) -> Result<u64, StoreError> {
    let counted = matching.select_only().expr(Func::count(Expr::col(Asterisk)));
    let number: Option<i64> = counted.into_tuple().one(conn).await.map_err(backend)?;
    Ok(u64::try_from(number.unwrap_or(0)).unwrap_or(0))
}

/// Which rows of an ordered list make a page, counted from the nearer end of the list: the cost of
/// skipping is at most half of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) offset: u64,
    pub(crate) limit: NonZeroU64,
    pub(crate) backwards: bool,
}

impl Window {
    /// `None` for a page past the end.
    pub(crate) fn of(request: PageRequest, total: u64) -> Option<Self> {
        let skipped = request.offset();
        let limit = NonZeroU64::new(total.saturating_sub(skipped).min(u64::from(request.limit())))?;
        let left = total - skipped - limit.get();
        let backwards = left < skipped;
        Some(Self { offset: if backwards { left } else { skipped }, limit, backwards })
    }

    /// Narrows a list in ascending order of `keys` to this window; the caller turns the rows round
    /// where the window was counted from the end.
    pub(crate) fn apply<E: EntityTrait>(
        self,
        list: Select<E>,
        keys: impl IntoIterator<Item = E::Column>,
    ) -> Select<E> {
        let order = if self.backwards { Order::Desc } else { Order::Asc };
        let list = keys.into_iter().fold(list, |list, key| list.order_by(key, order.clone()));
        list.limit(self.limit.get()).offset(self.offset)
    }
}

fn order_of<R: Row>(sort: &Sort<R::SortKey>) -> Vec<(ColumnOf<R>, Direction)> {
    let mut order: Vec<_> =
        sort.0.iter().map(|(key, direction)| (R::sort_column(*key), *direction)).collect();
    if order.is_empty() {
        order.push((R::CREATED_AT, Direction::Ascending));
    }
    let last = order.last().map_or(Direction::Ascending, |(_, direction)| *direction);
    order.push((R::ID, last));
    order
}

const fn reversed(direction: Direction) -> Direction {
    match direction {
        Direction::Ascending => Direction::Descending,
        Direction::Descending => Direction::Ascending,
    }
}

const fn sql(direction: Direction) -> Order {
    match direction {
        Direction::Ascending => Order::Asc,
        Direction::Descending => Order::Desc,
    }
}

/// A write out of scope is a conflict: to this caller the record does not exist.
fn reach(scope: &Scope, company: AccountId) -> Result<(), StoreError> {
    if scope.contains(company) { Ok(()) } else { Err(StoreError::Conflict) }
}

fn exactly<R: Row>(record: &R, version: Version) -> Condition {
    Condition::all()
        .add(R::ID.eq(record.id().uuid()))
        .add(R::COMPANY.eq(record.company().uuid()))
        .add(R::VERSION.eq(version.as_i64()))
}

async fn follow_up<R: Row, C: ConnectionTrait>(
    store: &SeaStore<C>,
    record: &R,
    replaced: bool,
) -> Result<(), StoreError> {
    for statement in record.follow_up(store.conn.get_database_backend(), replaced) {
        store.conn.execute_raw(statement).await.map_err(backend)?;
    }
    authority_changed::<R, C>(store);
    Ok(())
}

fn authority_changed<R: Row, C: ConnectionTrait>(store: &SeaStore<C>) {
    if R::BEARS_AUTHORITY {
        store.move_authority();
    }
}

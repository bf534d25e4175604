//! What is done with records of every kind.

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};
use svc_core::page::{Page, PageRequest, Sort};
use svc_core::resource::{Erase, ResourceReader, ResourceStore, Version};
use svc_core::tenant::Scope;

use super::look::{Look, MOST};
use super::{Row, children, page};
use crate::error::backend;
use crate::statement::{Insertion, ROWS, Sql};
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::window::Window;

#[async_trait]
impl<R: Row, C: DeferInsert + Send + Sync> ResourceReader<R> for SeaStore<C> {
    async fn find(&self, scope: &Scope, id: R::Id) -> Result<Option<R>, StoreError> {
        Ok(ResourceReader::<R>::find_all(self, scope, &[id]).await?.pop())
    }

    async fn find_all(&self, scope: &Scope, ids: &[R::Id]) -> Result<Vec<R>, StoreError> {
        let text = format!("SELECT {} FROM {} WHERE ", R::COLUMNS.join(", "), R::TABLE);
        let ids = ids.iter().map(|id| id.uuid());
        let found = R::within(self.sql(&text), scope, &[]).text(" AND id").one_or_among(ids);
        let rows = self.rows(found).await?;
        self.with_children::<R>(scope, &rows).await
    }

    async fn page(
        &self,
        scope: &Scope,
        filter: &R::Filter,
        sort: &Sort<R::SortKey>,
        request: PageRequest,
    ) -> Result<Page<R>, StoreError> {
        let mut look = self.look::<R>(scope, filter).await?;
        let count = R::count(filter);
        let counted = page::counted::<R>(self.sql(""), scope, filter, &count, look.as_ref());
        let total = self.count_of(counted).await?;
        let is_cut = look.is_some() && total >= MOST;
        let window = if is_cut { Window::ahead(request, total) } else { Window::of(request, total) };
        let Some(window) = window else {
            return Ok(Page { items: Vec::new(), total, request });
        };
        if is_cut {
            look = look.map(Look::walking);
        }
        let narrowed = (filter, &count);
        let page = page::selected::<R>(self.sql(""), scope, narrowed, look.as_ref(), sort, (window, total));
        let rows = self.rows(page).await?;
        Ok(Page { items: self.with_children(scope, &rows).await?, total, request })
    }
}

#[async_trait]
impl<R: Row, C: DeferInsert + Send + Sync> ResourceStore<R> for SeaStore<C> {
    async fn insert(&self, scope: &Scope, record: &R) -> Result<(), StoreError> {
        reach(scope, record.company())?;
        let into = format!("INSERT INTO {} ({})", R::TABLE, R::COLUMNS.join(", "));
        let own = Insertion::of_rows(into, vec![record.values()]);
        for insertion in std::iter::once(own).chain(children::insertions(record)) {
            self.conn.defer(insertion).await.map_err(backend)?;
        }
        self.moved_by::<R>();
        Ok(())
    }

    async fn replace(&self, scope: &Scope, before: &R, after: &R) -> Result<(), StoreError> {
        reach(scope, after.company())?;
        let mut update = self.sql(&format!("UPDATE {} SET ", R::TABLE));
        let mut separator = "";
        for (column, value) in R::COLUMNS.iter().zip(after.values()) {
            if *column != "id" && !(R::IN_COMPANY && *column == R::COMPANY) {
                update = update.text(separator).text(column).text(" = ").bind(value);
                separator = ", ";
            }
        }
        if exactly::<R>(update, after, before.version()).execute(&self.conn).await? == 0 {
            return Err(StoreError::Conflict);
        }
        children::replace(&self.conn, before, after).await.map_err(backend)?;
        self.moved_by::<R>();
        Ok(())
    }
}

#[async_trait]
impl<R: Row, C: DeferInsert + Send + Sync> Erase<R> for SeaStore<C> {
    async fn erase(&self, scope: &Scope, record: &R) -> Result<(), StoreError> {
        reach(scope, record.company())?;
        // The version first: the row is then this unit's until the commit.
        let next = format!("UPDATE {} SET version = version + 1", R::TABLE);
        if exactly::<R>(self.sql(&next), record, record.version()).execute(&self.conn).await? == 0 {
            return Err(StoreError::Conflict);
        }
        children::erase(&self.conn, record).await.map_err(backend)?;
        for (log, owner) in R::LOGS {
            let gone = self.sql(&format!("DELETE FROM {log} WHERE company_id = "));
            let gone = gone.bind(record.company().uuid()).text(&format!(" AND {owner} = "));
            gone.bind(record.id().uuid()).execute(&self.conn).await?;
        }
        let text = format!("DELETE FROM {}", R::TABLE);
        exactly::<R>(self.sql(&text), record, record.version().next()).execute(&self.conn).await?;
        self.moved_by::<R>();
        Ok(())
    }
}

impl<C: DeferInsert + Send + Sync> SeaStore<C> {
    /// The records of these rows with their children, as far as the scope reaches them.
    pub(crate) async fn with_children<R: Row>(
        &self,
        scope: &Scope,
        rows: &[sea_orm::QueryResult],
    ) -> Result<Vec<R>, StoreError> {
        let mut records = rows.iter().map(R::read).collect::<Result<Vec<R>, _>>()?;
        match self.conn.reads() {
            Some(pool) => children::load(pool, &mut records).await?,
            None => children::load(&self.conn, &mut records).await?,
        }
        for record in &mut records {
            record.narrow(scope);
        }
        Ok(records)
    }

    /// The ids of the records that have the text of a filter, [`MOST`] at most.
    pub(crate) async fn ids_with_text<R: Row>(
        &self,
        scope: &Scope,
        filter: &R::Filter,
    ) -> Result<Vec<R::Id>, StoreError> {
        let look = self.look::<R>(scope, filter).await?;
        let rows = self.rows(page::found::<R>(self.sql(""), scope, filter, look.as_ref())).await?;
        let id = |row: &sea_orm::QueryResult| row.try_get_by_index(0).map(R::Id::from_uuid).map_err(backend);
        rows.iter().map(id).collect()
    }

    /// Adds many records of a kind that has no children.
    pub(crate) async fn insert_rows<R: Row>(&self, scope: &Scope, records: &[R]) -> Result<(), StoreError> {
        for part in records.chunks(ROWS) {
            part.iter().try_for_each(|record| reach(scope, record.company()))?;
            let into = format!("INSERT INTO {} ({})", R::TABLE, R::COLUMNS.join(", "));
            let rows = Insertion::of_rows(into, part.iter().map(Row::values).collect());
            self.conn.defer(rows).await.map_err(backend)?;
        }
        self.moved_by::<R>();
        Ok(())
    }

    fn moved_by<R: Row>(&self) {
        if R::BEARS_AUTHORITY {
            self.move_authority();
        }
    }
}

/// A write out of scope is a conflict: to this caller the record does not exist.
fn reach(scope: &Scope, company: AccountId) -> Result<(), StoreError> {
    if scope.contains(company) { Ok(()) } else { Err(StoreError::Conflict) }
}

fn exactly<R: Row>(sql: Sql, record: &R, version: Version) -> Sql {
    let sql = sql.text(" WHERE id = ").bind(record.id().uuid());
    let sql = sql.text(" AND version = ").bind(version.as_i64());
    if R::IN_COMPANY {
        sql.text(" AND ").text(R::COMPANY).text(" = ").bind(record.company().uuid())
    } else {
        sql
    }
}

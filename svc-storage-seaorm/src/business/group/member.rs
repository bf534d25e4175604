//! The table of the companies in groups; a company is in one group at most.

use sea_orm::entity::prelude::*;
use sea_orm::sea_query::SelectStatement;
use sea_orm::{QueryOrder, QuerySelect, QueryTrait, Set};
use svc_business::group::Group;
use svc_core::error::StoreError;
use svc_core::id::{GroupId, TypedId};
use svc_core::tenant::Scope;

use crate::error::{backend, store_error};
use crate::scoped::within;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "group_members")]
pub(crate) struct Model {
    pub(crate) group_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) account_id: Uuid,
    pub(crate) ownership_percent: Option<String>,
    pub(crate) since: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Ids of the groups with a company of the scope.
pub(super) fn groups_within(scope: &Scope) -> SelectStatement {
    Entity::find()
        .select_only()
        .column(Column::GroupId)
        .filter(within(scope, &[], Column::AccountId))
        .into_query()
}

/// Members of these groups that are within the scope, each group's oldest first.
pub(super) async fn of_groups(
    conn: &impl ConnectionTrait,
    scope: &Scope,
    groups: impl IntoIterator<Item = Uuid>,
) -> Result<Vec<Model>, StoreError> {
    Entity::find()
        .filter(within(scope, &[], Column::AccountId))
        .filter(Column::GroupId.is_in(groups))
        .order_by_asc(Column::GroupId)
        .order_by_asc(Column::Since)
        .order_by_asc(Column::AccountId)
        .all(conn)
        .await
        .map_err(backend)
}

/// Adds every member of the group.
pub(super) async fn insert(conn: &impl ConnectionTrait, group: &Group) -> Result<(), StoreError> {
    let rows = group.members.iter().map(|member| ActiveModel {
        group_id: Set(group.id.uuid()),
        account_id: Set(member.account.uuid()),
        ownership_percent: Set(member.ownership_percent.clone()),
        since: Set(member.since.unix_micros()),
    });
    let unique = [("group_members_pkey", "group_members.account_id", "accountId")];
    let rows: Vec<ActiveModel> = rows.collect();
    for some in rows.chunks(ROWS_PER_STATEMENT) {
        let written = Entity::insert_many(some.to_vec()).exec_without_returning(conn).await;
        written.map_err(|error| store_error(error, &unique))?;
    }
    Ok(())
}

/// Takes every member out of the group.
pub(super) async fn remove_all(conn: &impl ConnectionTrait, group: GroupId) -> Result<(), StoreError> {
    let delete = Entity::delete_many().filter(Column::GroupId.eq(group.uuid()));
    delete.exec(conn).await.map_err(backend).map(|_| ())
}

/// Far below the values that SQLite (32,766) and PostgreSQL (65,535) take in one statement.
const ROWS_PER_STATEMENT: usize = 1_000;

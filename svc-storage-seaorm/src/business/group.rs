//! Groups of companies as rows: one for the group, one for each member.

mod member;
mod row;

use std::collections::HashMap;

use async_trait::async_trait;
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter};
use svc_business::group::{Group, GroupMember};
use svc_business::ports::{GroupReader, GroupStore};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId, TypedId};
use svc_core::page::{Page, PageRequest};
use svc_core::resource::Version;
use svc_core::tenant::Scope;
use uuid::Uuid;

use super::rows::{Window, count};
use crate::error::backend;
use crate::store::SeaStore;

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> GroupReader for SeaStore<C> {
    async fn find(&self, scope: &Scope, id: GroupId) -> Result<Option<Group>, StoreError> {
        let found = row::Entity::find().filter(reached(scope)).filter(row::Column::Id.eq(id.uuid()));
        let row = found.one(&self.conn).await.map_err(backend)?;
        Ok(with_members(&self.conn, scope, row.into_iter().collect()).await?.pop())
    }

    async fn page(&self, scope: &Scope, request: PageRequest) -> Result<Page<Group>, StoreError> {
        let matching = row::Entity::find().filter(reached(scope));
        let total = count(&self.conn, matching.clone()).await?;
        let Some(window) = Window::of(request, total) else {
            return Ok(Page { items: Vec::new(), total, request });
        };
        let mut rows = window
            .apply(matching, [row::Column::CreatedAt, row::Column::Id])
            .all(&self.conn)
            .await
            .map_err(backend)?;
        if window.backwards {
            rows.reverse();
        }
        Ok(Page { items: with_members(&self.conn, scope, rows).await?, total, request })
    }
}

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> GroupStore for SeaStore<C> {
    async fn insert(&self, group: &Group) -> Result<(), StoreError> {
        row::Entity::insert(row::of(group)).exec_without_returning(&self.conn).await.map_err(backend)?;
        member::insert(&self.conn, group).await?;
        self.move_authority();
        Ok(())
    }

    async fn replace(&self, before: Version, after: &Group) -> Result<(), StoreError> {
        let update = row::Entity::update_many()
            .set(row::of(after))
            .filter(row::Column::Id.eq(after.id.uuid()))
            .filter(row::Column::Version.eq(before.as_i64()));
        if update.exec(&self.conn).await.map_err(backend)?.rows_affected == 0 {
            return Err(StoreError::Conflict);
        }
        member::remove_all(&self.conn, after.id).await?;
        member::insert(&self.conn, after).await?;
        self.move_authority();
        Ok(())
    }

    async fn remove(&self, group: &Group) -> Result<(), StoreError> {
        // The version first: its row is then this unit's until the commit.
        let emptied = Group { members: Vec::new(), version: group.version.next(), ..group.clone() };
        self.replace(group.version, &emptied).await?;
        let delete = row::Entity::delete_many().filter(row::Column::Id.eq(group.id.uuid()));
        delete.exec(&self.conn).await.map_err(backend).map(|_| ())
    }
}

/// Groups that the scope reaches: those with a company of it.
fn reached(scope: &Scope) -> Condition {
    match scope.companies() {
        None => Condition::all(),
        Some(_) => Condition::all().add(row::Column::Id.in_subquery(member::groups_within(scope))),
    }
}

/// The groups of these rows, in their order, with the members that are within the scope.
async fn with_members(
    conn: &impl ConnectionTrait,
    scope: &Scope,
    rows: Vec<row::Model>,
) -> Result<Vec<Group>, StoreError> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let mut members: HashMap<Uuid, Vec<GroupMember>> = HashMap::new();
    for member in member::of_groups(conn, scope, rows.iter().map(|row| row.id)).await? {
        members.entry(member.group_id).or_default().push(GroupMember {
            account: AccountId::from_uuid(member.account_id),
            ownership_percent: member.ownership_percent,
            since: Timestamp::from_unix_micros(member.since),
        });
    }
    let group = |row: row::Model| Group {
        id: GroupId::from_uuid(row.id),
        name: row.name,
        parent: AccountId::from_uuid(row.parent_id),
        members: members.remove(&row.id).unwrap_or_default(),
        version: Version::from_i64(row.version),
        created_at: Timestamp::from_unix_micros(row.created_at),
        updated_at: Timestamp::from_unix_micros(row.updated_at),
    };
    Ok(rows.into_iter().map(group).collect())
}

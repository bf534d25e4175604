//! What a person is in companies.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DbErr, QueryResult};
use svc_auth::ports::{AccountDirectory, CompanyStanding, GroupPlace, Standing};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId, TypedId, UserId};
use uuid::Uuid;

use crate::error::backend;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::value::parsed;

/// `accounts.status` of a company that was merged into another one.
pub(super) const MERGED: i16 = 2;
/// `memberships.status` of an active member.
pub(super) const ACTIVE_MEMBER: i16 = 1;
/// `users.status` of a disabled person.
pub(super) const DISABLED: i16 = 1;

/// What a standing is read from: a company `a`, a membership `m` and a user `u`. The group is looked up for each
/// company: joined, PostgreSQL may read all groups for it.
pub(super) const COLUMNS: &str = "a.id, a.legal_name, a.group_id, a.status, a.api_access, m.role, m.status, u.status, m.accepted_at, \
     (SELECT g.parent_id FROM svc_company_groups g WHERE g.id = a.group_id)";

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> AccountDirectory for SeaStore<C> {
    async fn standings(
        &self,
        person: UserId,
        companies: &BTreeSet<AccountId>,
        groups: &BTreeSet<GroupId>,
    ) -> Result<Vec<CompanyStanding>, StoreError> {
        let companies: Vec<Uuid> = companies.iter().map(|company| company.uuid()).collect();
        let groups: Vec<Uuid> = groups.iter().map(|group| group.uuid()).collect();
        let mut found = self.standings_where(person, "a.id", &companies).await?;
        if !groups.is_empty() {
            found.extend(self.standings_where(person, "a.group_id", &groups).await?);
        }
        Ok(found.into_values().collect())
    }
}

impl<C: ConnectionTrait> SeaStore<C> {
    async fn standings_where(
        &self,
        person: UserId,
        column: &str,
        ids: &[Uuid],
    ) -> Result<BTreeMap<AccountId, CompanyStanding>, StoreError> {
        let rows = Sql::new(&self.conn, "SELECT ")
            .text(COLUMNS)
            .text(" FROM svc_accounts a")
            .text(" LEFT JOIN svc_memberships m ON m.account_id = a.id AND m.user_id = ")
            .bind(person.uuid())
            .text(" LEFT JOIN svc_users u ON u.id = ")
            .bind(person.uuid())
            .text(" WHERE ")
            .text(column)
            .among(ids.iter().copied())
            .all(&self.conn)
            .await?;
        let standing = |row: &QueryResult| {
            let standing = read(row)?;
            Ok((standing.id, standing))
        };
        rows.iter().map(standing).collect()
    }
}

/// The standing of a row of [`COLUMNS`].
pub(super) fn read(row: &QueryResult) -> Result<CompanyStanding, StoreError> {
    let columns = || -> Result<_, DbErr> {
        let role: Option<String> = row.try_get_by_index(5)?;
        let (member, user): (Option<i16>, Option<i16>) = (row.try_get_by_index(6)?, row.try_get_by_index(7)?);
        let accepted: Option<i64> = row.try_get_by_index(8)?;
        let id: Uuid = row.try_get_by_index(0)?;
        let is_parent = row.try_get_by_index::<Option<Uuid>>(9)? == Some(id);
        let group = row.try_get_by_index::<Option<Uuid>>(2)?.map(GroupId::from_uuid);
        let company = CompanyStanding {
            id: AccountId::from_uuid(id),
            legal_name: row.try_get_by_index(1)?,
            group: group.map(|id| GroupPlace { id, is_parent }),
            merged: row.try_get_by_index::<i16>(3)? == MERGED,
            api_access: row.try_get_by_index(4)?,
            membership: Standing::Former,
        };
        Ok((company, role, member, user, accepted.is_some()))
    };
    let (company, role, member, user, accepted) = columns().map_err(backend)?;
    let membership = if user == Some(DISABLED) {
        Standing::Former
    } else {
        match (member, role) {
            (Some(ACTIVE_MEMBER), Some(role)) => Standing::Member(parsed("memberships.role", &role)?),
            (Some(_), Some(_)) if accepted => Standing::Former,
            // An invitation that was never accepted is no membership, now or before.
            (None | Some(_), None | Some(_)) => Standing::Stranger,
        }
    };
    Ok(CompanyStanding { membership, ..company })
}

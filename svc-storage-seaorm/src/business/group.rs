//! Groups of companies as rows.

use svc_business::group::{Group, GroupMember, GroupSort};
use svc_core::id::AccountId;
use svc_core::tenant::Scope;

use super::cell::Cell;
use super::record::{Child, Row, columns};
use crate::statement::Sql;

/// A group belongs to no company: a scope reaches it through its members.
impl Row for Group {
    const TABLE: &'static str = "svc_company_groups";
    const COMPANY: &'static str = "parent_id";
    const IN_COMPANY: bool = false;
    const BEARS_AUTHORITY: bool = true;
    const CHILDREN: &'static [Child<Self>] = &[Child {
        table: "svc_group_members",
        owner: "group_id",
        of_company: false,
        columns: &["account_id", "ownership_percent", "since"],
        references: &[],
        rows: |group| {
            let row = |member: &GroupMember| {
                vec![member.account.put(), member.ownership_percent.put(), member.since.put()]
            };
            group.members.iter().map(row).collect()
        },
        add: Some(|group, row| {
            group.members.push(GroupMember {
                account: Cell::take(row, "account_id")?,
                ownership_percent: Cell::take(row, "ownership_percent")?,
                since: Cell::take(row, "since")?,
            });
            Ok(())
        }),
    }];

    columns! {
        {
        id: "id",
        name: "name",
        parent: "parent_id",
        version: "version",
        created_at: "created_at",
        updated_at: "updated_at",
        }
        children { members }
        derived {  }
    }

    fn companies((): &()) -> &[AccountId] {
        &[]
    }

    fn filtered(sql: Sql, (): &()) -> Sql {
        sql
    }

    fn sort_column(key: GroupSort) -> &'static str {
        match key {}
    }

    fn within(sql: Sql, scope: &Scope, subset: &[AccountId]) -> Sql {
        if scope.companies().is_none() && subset.is_empty() {
            return sql.text("id IS NOT NULL");
        }
        let members = |sql: Sql| {
            sql.text("SELECT group_id FROM svc_group_members WHERE account_id").companies(scope, subset)
        };
        sql.text("id").selected(members)
    }

    fn narrow(&mut self, scope: &Scope) {
        self.members.retain(|member| scope.contains(member.account));
    }
}

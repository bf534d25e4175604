//! What the audit log says of a group.
//!
//! Tokens that name a group reach its companies, so joining one hands authority over the company out. The
//! log of the company that joins or leaves tells of it, and that of the company at the top, whose
//! administrators decide about the group: a subsidiary of a subsidiary joins without them.

use std::iter;

use serde::Serialize;
use svc_core::audit::{Action, Entry};
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::unit::CallContext;

use crate::group::{Group, GroupMember};
use crate::ports::DynAccountUnit;

/// A company's place in a group as the log shows it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View<'a> {
    account_id: AccountId,
    name: &'a str,
    parent_account_id: AccountId,
    ownership_percent: Option<&'a str>,
}

impl<'a> View<'a> {
    fn of(group: &'a Group, member: &'a GroupMember) -> Self {
        Self {
            account_id: member.account,
            name: &group.name,
            parent_account_id: group.parent,
            ownership_percent: member.ownership_percent.as_deref(),
        }
    }
}

/// Writes down that a company joined the group.
pub(crate) async fn joined(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    group: &Group,
    member: &GroupMember,
) -> Result<(), StoreError> {
    let view = View::of(group, member);
    let entry = |log| Entry::new(call, log, Action::GroupJoin, group.id, (None, Some(&view)));
    unit.audit().append(&logs(group, member).map(entry).collect::<Vec<_>>()).await
}

/// Writes down that a company left the group, which is given as it was before.
pub(crate) async fn left(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    group: &Group,
    member: &GroupMember,
) -> Result<(), StoreError> {
    let view = View::of(group, member);
    let entry = |log| Entry::new(call, log, Action::GroupLeave, group.id, (Some(&view), None));
    unit.audit().append(&logs(group, member).map(entry).collect::<Vec<_>>()).await
}

/// Writes down that the group got another name, in the log of each of its companies.
pub(super) async fn renamed(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    before: &Group,
    after: &Group,
) -> Result<(), StoreError> {
    let entry = |member: &GroupMember| {
        let states = (View::of(before, member), View::of(after, member));
        Entry::new(call, member.account, Action::GroupUpdate, after.id, (Some(&states.0), Some(&states.1)))
    };
    unit.audit().append(&after.members.iter().map(entry).collect::<Vec<_>>()).await
}

/// Where it is told of a company that comes or goes: to itself, and to the company at the top.
fn logs(group: &Group, member: &GroupMember) -> impl Iterator<Item = AccountId> + use<> {
    let company = member.account;
    iter::once(company).chain(Some(group.parent).filter(move |parent| *parent != company))
}

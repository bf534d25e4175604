//! What the audit log says of a group, in the log of each company that joins or leaves it.
//!
//! Tokens that name a group reach its companies, so joining one hands authority over the company out.

use serde::Serialize;
use svc_core::audit::{Action, Entry};
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::unit::Call;

use crate::group::{Group, GroupMember};
use crate::ports::BusinessUnit;

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

/// Writes into the log of a company that it joined the group.
pub(crate) async fn joined(
    unit: &dyn BusinessUnit,
    call: Call<'_>,
    group: &Group,
    member: &GroupMember,
) -> Result<(), StoreError> {
    let view = View::of(group, member);
    let entry = Entry::new(call, member.account, Action::GroupJoin, group.id, (None, Some(&view)));
    unit.audit().append(&[entry]).await
}

/// Writes into the log of a company that it left the group, which is given as it was before.
pub(crate) async fn left(
    unit: &dyn BusinessUnit,
    call: Call<'_>,
    group: &Group,
    member: &GroupMember,
) -> Result<(), StoreError> {
    let view = View::of(group, member);
    let entry = Entry::new(call, member.account, Action::GroupLeave, group.id, (Some(&view), None));
    unit.audit().append(&[entry]).await
}

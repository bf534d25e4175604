//! What the audit log says of a token.
//!
//! A change is written into the log of the token's primary account, of every
//! other company that it names, and of the parent company of every group that
//! it names. Companies that it reaches through a group have no entry of it: the
//! parent company answers for the group.

use std::collections::BTreeSet;

use serde::Serialize;
use svc_core::audit::{Action, Entry};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId};
use svc_core::unit::CallContext;

use crate::ports::AuthUnit;
use crate::scope::standings_of;
use crate::token::{ConnectionRole, Token};

/// A token as the log shows it: its configuration, never its value or fingerprint.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View<'a> {
    name: &'a str,
    prefix: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    client: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<ConnectionRole>,
    permissions: &'a [String],
    expires_at: Option<Timestamp>,
    allowed_ips: Vec<String>,
    primary_account_id: AccountId,
    account_ids: Vec<AccountId>,
    group_ids: Vec<GroupId>,
    personal_data: bool,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    exposure: Option<&'a Report>,
}

impl<'a> View<'a> {
    fn of(token: &'a Token, exposure: Option<&'a Report>, now: Timestamp) -> Self {
        Self {
            name: &token.name,
            prefix: &token.prefix,
            client: token.connection.as_ref().map(|connection| connection.client.to_string()),
            role: token.connection.as_ref().map(|connection| connection.role),
            permissions: token.grants.written(),
            expires_at: token.expires_at,
            allowed_ips: token.allowed_ips.written(),
            primary_account_id: token.primary,
            account_ids: token.companies.iter().copied().collect(),
            group_ids: token.groups.iter().copied().collect(),
            personal_data: token.personal_data,
            state: token.status(now).name(),
            exposure,
        }
    }
}

/// What the audit log says of a report.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Report {
    pub(super) reported_at: Timestamp,
    pub(super) host: Option<String>,
    pub(super) kind: Option<String>,
}

/// What became of a token.
pub(crate) struct Change<'a> {
    pub(crate) before: Option<&'a Token>,
    pub(crate) after: &'a Token,
    /// Why, when it was found in public.
    pub(crate) report: Option<&'a Report>,
}

/// Writes a change of a token into the log of every company that has to know of it.
pub(crate) async fn log(
    unit: &dyn AuthUnit,
    call: CallContext<'_>,
    action: Action,
    Change { before, after, report }: Change<'_>,
) -> Result<(), StoreError> {
    let before = before.map(|token| View::of(token, None, call.now));
    let view = View::of(after, report, call.now);
    let entry = |company| Entry::new(call, company, action, after.id, (before.as_ref(), Some(&view)));
    let entries: Vec<_> = concerned(unit, after).await?.into_iter().map(entry).collect();
    unit.audit().append(&entries).await
}

/// The companies that the token names, and the present parent companies of the groups that it names:
/// the administrators of a parent company see every token that names their group.
async fn concerned(unit: &dyn AuthUnit, token: &Token) -> Result<BTreeSet<AccountId>, StoreError> {
    let mut companies: BTreeSet<_> = token.named().collect();
    if !token.groups.is_empty() {
        let members = standings_of(unit.directory(), token, token.created_by).await?;
        let tops = members.iter().filter(|company| company.group.is_some_and(|place| place.is_parent));
        companies.extend(tops.map(|company| company.id));
    }
    Ok(companies)
}

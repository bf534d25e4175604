//! What the audit log says of a token.

use serde::Serialize;
use svc_core::audit::{Action, Entry};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId};
use svc_core::unit::Call;

use crate::ports::AuthUnit;
use crate::token::Token;
use crate::token::expose::Report;

/// A token as the log shows it: its configuration, never its value or fingerprint.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View<'a> {
    name: &'a str,
    prefix: &'a str,
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

/// What became of a token.
pub(super) struct Change<'a> {
    pub(super) before: Option<&'a Token>,
    pub(super) after: &'a Token,
    /// Why, when it was found in public.
    pub(super) report: Option<&'a Report>,
}

/// Writes a change of a token into the log of every company that it names.
pub(super) async fn log(
    unit: &dyn AuthUnit,
    call: Call<'_>,
    action: Action,
    Change { before, after, report }: Change<'_>,
) -> Result<(), StoreError> {
    let before = before.map(|token| View::of(token, None, call.now));
    let view = View::of(after, report, call.now);
    let entry = |company| Entry::new(call, company, action, after.id, (before.as_ref(), Some(&view)));
    let entries: Vec<_> =
        std::iter::once(after.primary).chain(after.companies.iter().copied()).map(entry).collect();
    unit.audit().append(&entries).await
}

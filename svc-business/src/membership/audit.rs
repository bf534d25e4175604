//! What the audit log says of a membership.

use serde::Serialize;
use svc_core::audit::{Action, Entry};
use svc_core::error::StoreError;
use svc_core::id::UserId;
use svc_core::role::Role;
use svc_core::unit::CallContext;

use crate::membership::Membership;
use crate::ports::DynAccountUnit;

/// A membership as the log shows it: the person by id, so that no personal data stays there; and not
/// even so while the company knows them by the address to which it sent an invitation.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View {
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<UserId>,
    role: Role,
    status: &'static str,
}

impl View {
    fn of(membership: &Membership) -> Self {
        let known = membership.is_disclosed() || membership.invited_email.is_none();
        let user_id = known.then_some(membership.user);
        Self { user_id, role: membership.role, status: membership.status.name() }
    }
}

/// Writes a change of a membership into the log of its company.
pub(crate) async fn log(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    action: Action,
    before: Option<&Membership>,
    after: &Membership,
) -> Result<(), StoreError> {
    let states = (before.map(View::of), View::of(after));
    let entry = Entry::new(call, after.account, action, after.id, (states.0.as_ref(), Some(&states.1)));
    unit.audit().append(&[entry]).await
}

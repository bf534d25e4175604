//! What a person did for themselves, in the log of each of their companies.

use svc_core::audit::{Action, Entry};
use svc_core::error::StoreError;
use svc_core::id::UserId;
use svc_core::unit::CallContext;

use crate::ports::SessionUnit;

/// Writes it down in the log of each company of the person.
pub(super) async fn note(
    unit: &dyn SessionUnit,
    call: CallContext<'_>,
    user: UserId,
    action: Action,
) -> Result<(), StoreError> {
    let companies = unit.people().memberships(user).await?;
    let entries: Vec<_> = companies
        .iter()
        .map(|company| Entry::new::<()>(call, company.id, action, user, (None, None)))
        .collect();
    unit.audit().append(&entries).await
}

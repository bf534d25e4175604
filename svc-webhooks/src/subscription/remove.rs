//! Deleting a subscription: it gets nothing more, not even what is queued.

use svc_core::audit::Action;
use svc_core::error::StoreError;
use svc_core::id::SubscriptionId;
use svc_core::resource::Version;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::ports::WebhookUnit;
use crate::subscription::{Subscription, audit};

/// Why a subscription is not deleted.
#[derive(Debug, Error)]
pub enum RemoveError {
    /// There is none with this id within the scope.
    #[error("no such subscription")]
    NotFound,
    /// It is not at the version that the client expects.
    #[error("the subscription is at version {current}")]
    VersionConflict {
        /// The present version.
        current: Version,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Deletes the subscription, its secret, its log and everything queued for it.
///
/// # Errors
/// [`RemoveError`]; nothing was changed.
pub async fn remove(
    unit: &dyn WebhookUnit,
    call: CallContext<'_>,
    id: SubscriptionId,
    expected: Option<Version>,
) -> Result<(), RemoveError> {
    let subscription = load(unit, call, id, expected).await?;
    unit.subscriptions().remove(&subscription).await?;
    audit::log(unit, call, Action::SubscriptionDelete, &subscription, (Some(&subscription), None)).await?;
    Ok(())
}

/// The subscription as it stands, at the version that the client expects.
pub(super) async fn load(
    unit: &dyn WebhookUnit,
    call: CallContext<'_>,
    id: SubscriptionId,
    expected: Option<Version>,
) -> Result<Subscription, RemoveError> {
    let found = unit.subscriptions().find(call.scope, id).await?.ok_or(RemoveError::NotFound)?;
    if expected.is_some_and(|expected| expected != found.version) {
        return Err(RemoveError::VersionConflict { current: found.version });
    }
    Ok(found)
}

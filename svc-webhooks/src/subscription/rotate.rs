//! Replacing the secret: the previous one stops working at once.

use svc_core::audit::Action;
use svc_core::id::SubscriptionId;
use svc_core::resource::Version;
use svc_core::unit::CallContext;

use crate::ports::WebhookUnit;
use crate::subscription::{RemoveError, SigningSecret, Subscription, audit, remove};

/// Why a secret is not replaced: the same reasons as for a deletion.
pub type RotateError = RemoveError;

/// Gives the subscription a new secret.
///
/// # Errors
/// [`RotateError`]; nothing was changed.
pub async fn rotate_secret(
    unit: &dyn WebhookUnit,
    call: CallContext<'_>,
    id: SubscriptionId,
    expected: Option<Version>,
) -> Result<Subscription, RotateError> {
    let before = remove::load(unit, call, id, expected).await?;
    let after = Subscription { secret: SigningSecret::generate(call.random), ..before.clone() };
    let after = after.touched(call.now);
    unit.subscriptions().replace(before.version, &after).await?;
    audit::log(unit, call, Action::SubscriptionRotateSecret, &after, (Some(&before), Some(&after))).await?;
    Ok(after)
}

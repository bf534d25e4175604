//! Replacing the secret: the previous one stops working at once.

use svc_core::audit::Action;
use svc_core::refused::Refused;

use crate::subscription::{OpenedSubscription, SigningSecret, Subscription};

/// Gives the subscription a new secret.
///
/// # Errors
/// [`Refused::Store`]; nothing was changed.
pub async fn rotate_secret(opened: OpenedSubscription<'_>) -> Result<Subscription, Refused> {
    let (before, call) = (opened.before.clone(), opened.call);
    let after = Subscription { secret: SigningSecret::generate(call.random), ..before }.touched(call.now);
    Ok(opened.save(Action::SubscriptionRotateSecret, after).await?)
}

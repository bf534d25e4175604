//! Replacing the secret: the previous one stops working at once.

use svc_core::audit::Action;
use svc_core::refused::Refused;

use crate::names::Names;
use crate::subscription::{OpenedSubscription, SigningSecret, Subscription};

/// Gives the subscription a new secret with the mark of these names.
///
/// # Errors
/// [`Refused::Store`]; nothing was changed.
pub async fn rotate_secret(opened: OpenedSubscription<'_>, names: &Names) -> Result<Subscription, Refused> {
    let (before, call) = (opened.before.clone(), opened.call);
    let secret = SigningSecret::generate_marked(names.secret, call.random);
    let after = Subscription { secret, ..before }.touched(call.now);
    Ok(opened.save(Action::SubscriptionRotateSecret, after).await?)
}

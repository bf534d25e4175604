//! Verbs on subscriptions with their opening, each as one function that a test runs in a unit of its own.
//! Without a version any is expected.

use svc_core::id::SubscriptionId;
use svc_core::refused::Refused;
use svc_core::resource::{Expected, Version};
use svc_core::unit::CallContext;
use svc_webhooks::names::Names;
use svc_webhooks::ports::WebhookUnit;
use svc_webhooks::subscription::{self, Change, ChangeError, Subscription};

/// Opens a subscription and changes it.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn update(
    unit: &dyn WebhookUnit,
    call: CallContext<'_>,
    id: SubscriptionId,
    version: Option<Version>,
    change: Change,
) -> Result<Subscription, Refused<ChangeError>> {
    let opened = subscription::open(unit, call, id, &Expected::of(version)).await.map_err(Refused::widen)?;
    subscription::update(opened, change).await
}

/// Opens a subscription and gives it a new secret.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn rotate_secret(
    unit: &dyn WebhookUnit,
    call: CallContext<'_>,
    id: SubscriptionId,
    version: Option<Version>,
) -> Result<Subscription, Refused> {
    let opened = subscription::open(unit, call, id, &Expected::of(version)).await?;
    subscription::rotate_secret(opened, &Names::STANDARD).await
}

/// Opens a subscription and deletes it.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn remove(
    unit: &dyn WebhookUnit,
    call: CallContext<'_>,
    id: SubscriptionId,
    version: Option<Version>,
) -> Result<(), Refused> {
    subscription::remove(subscription::open(unit, call, id, &Expected::of(version)).await?).await
}

//! The opening of every verb on a subscription, and its saving.

use svc_core::audit::Action;
use svc_core::error::StoreError;
use svc_core::event::EventType;
use svc_core::id::SubscriptionId;
use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_core::unit::CallContext;

use crate::ports::WebhookUnit;
use crate::subscription::{Subscription, audit};

/// A subscription that is about to be changed.
pub struct OpenedSubscription<'u> {
    pub(super) unit: &'u dyn WebhookUnit,
    pub(super) call: CallContext<'u>,
    pub(super) before: Subscription,
}

/// Opens a subscription within the scope.
///
/// # Errors
/// [`Refused::NotFound`], [`Refused::VersionConflict`], [`Refused::Store`].
pub async fn open<'u>(
    unit: &'u dyn WebhookUnit,
    call: CallContext<'u>,
    id: SubscriptionId,
    expected: &Expected,
) -> Result<OpenedSubscription<'u>, Refused> {
    let before = unit.subscriptions().find(call.scope, id).await?.ok_or(Refused::NotFound)?;
    expected.check(before.version)?;
    Ok(OpenedSubscription { unit, call, before })
}

impl OpenedSubscription<'_> {
    /// What it lists.
    pub fn events(&self) -> impl Iterator<Item = &EventType> {
        self.before.events.iter()
    }

    /// Keeps `after` in the place of the subscription and writes the change down.
    pub(super) async fn save(self, action: Action, after: Subscription) -> Result<Subscription, StoreError> {
        let Self { unit, call, before } = self;
        unit.subscriptions().replace(before.version, &after).await?;
        audit::log(unit, call, action, &after, (Some(&before), Some(&after))).await?;
        Ok(after)
    }
}

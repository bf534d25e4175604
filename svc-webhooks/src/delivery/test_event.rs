//! The test operation: `webhook.test`, one attempt, result reported
//! (specification, part 6.5).
//!
//! [`begin_test`] adds the event and its delivery, already leased to the
//! caller; the caller commits, then attempts and settles it with
//! [`finish_test`]. When the process dies in between, the lease ends and the
//! queue hands out the one attempt instead.

use std::sync::Arc;

use svc_core::clock::Clock;
use svc_core::error::StoreError;
use svc_core::event::{Event, EventDeclaration};
use svc_core::id::SubscriptionId;
use svc_core::refused::Refused;
use svc_core::unit::CallContext;

use crate::delivery::{AttemptConfig, Delivery, attempt_claimed};
use crate::health::ReceiverBackoff;
use crate::ports::{HttpSender, InitialLease, Lease, Leased, Notification, WebhookStorage, WebhookUnit};
use crate::subscription::Inactive;

/// A test that was committed and waits for its attempt.
#[derive(Debug)]
pub struct TestRun(pub Leased);

/// How the test ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TestReport {
    /// The delivery after its one attempt.
    pub delivery: Delivery,
}

/// Adds the test event and its delivery, leased to the caller; commits nothing itself.
///
/// # Errors
/// [`Inactive`], [`Refused::NotFound`], [`Refused::Store`]; nothing was changed.
pub async fn begin_test(
    unit: &dyn WebhookUnit,
    call: CallContext<'_>,
    id: SubscriptionId,
    config: &AttemptConfig,
) -> Result<TestRun, Refused<Inactive>> {
    let subscription = unit.subscriptions().find(call.scope, id).await?.ok_or(Refused::NotFound)?;
    subscription.require_active().map_err(Refused::Own)?;
    let event = Event::new(&EventDeclaration::TEST, subscription.account, id, call.now, call.random);
    // No subscription can list the test event: the dispatcher takes it out of the
    // outbox again without a delivery, and its body stays for this one.
    unit.outbox().publish(std::slice::from_ref(&event)).await?;
    let delivery =
        Delivery { automatic: false, ..Delivery::of(&event, &subscription, 1, call.now, call.random) };
    let lease = Lease::generate(call.random);
    let initial_lease = InitialLease { lease, until: call.now.plus(config.lease_for) };
    unit.deliveries().insert(std::slice::from_ref(&delivery), Some(initial_lease)).await?;
    let notification = Notification::from(&event);
    let subscription = Some(Arc::new(subscription));
    let backoff = ReceiverBackoff::default();
    Ok(TestRun(Leased { lease, since: call.now, delivery, notification, subscription, backoff }))
}

/// Makes the one attempt and settles it.
///
/// The report tells of this attempt. Should the lease have ended before it was
/// settled, the log may tell of the queue's attempt instead.
///
/// # Errors
/// When the result could not be written.
pub async fn finish_test(
    run: TestRun,
    storage: &dyn WebhookStorage,
    sender: &dyn HttpSender,
    clock: &dyn Clock,
    config: &AttemptConfig,
) -> Result<TestReport, StoreError> {
    let settlement = attempt_claimed(run.0, sender, clock, config).await;
    storage.queue().settle(std::slice::from_ref(&settlement)).await?;
    Ok(TestReport { delivery: settlement.delivery })
}

//! Claims due deliveries, sends them, and writes back how it went.

use std::time::Duration;

use futures_util::future::join_all;
use svc_core::clock::{Clock, Timestamp};
use svc_core::error::StoreError;
use svc_core::id::DeliveryId;
use tracing::{Instrument as _, Span};

use crate::delivery::{Attempt, Delivery, Product, Status, UserAgent, redact, retry_after};
use crate::names::{HeaderName, Names};
use crate::ports::{
    ClaimRequest, DeliveryQueue, ErrorClass, HttpSender, Lease, Leased, Notification, Outgoing,
    ReadAuthority, Settlement,
};
use crate::retry::RetrySchedule;
use crate::signature;
use crate::subscription::{State as SubscriptionState, Subscription};

/// How much longer than the attempt a lease holds: the time that settling may take.
pub const SETTLE_MARGIN: Duration = Duration::from_secs(20);

/// How long an attempt may take (specification, part 6.1).
const TIMEOUT: Duration = Duration::from_secs(10);
/// Contract version of notifications (specification, part 9).
const VERSION: &str = "v1";
const CONTENT_TYPE: HeaderName = HeaderName::of("Content-Type");
const USER_AGENT: HeaderName = HeaderName::of("User-Agent");

/// How deliveries are attempted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AttemptConfig {
    /// One deadline per attempt: 10 s by the specification.
    pub timeout: Duration,
    /// How long a claim holds: longer than `timeout` by the time that settling may take.
    pub lease_for: Duration,
    /// The waits between attempts.
    pub schedule: RetrySchedule,
    /// Who calls: `SVC-Webhooks/1.0 (+https://…)`.
    pub user_agent: UserAgent,
    /// The names of the headers; those of the specification unless the service has its own.
    pub names: Names,
}

/// 10 seconds each, by the standard schedule, without an address in the `User-Agent`.
impl Default for AttemptConfig {
    fn default() -> Self {
        Self::new(TIMEOUT, RetrySchedule::STANDARD, String::new())
    }
}

impl AttemptConfig {
    /// Attempts with this deadline, under leases of the deadline and [`SETTLE_MARGIN`], by the standard product
    /// with this address, and with the standard names.
    ///
    /// The lease outlives the attempt, so no other server sends a delivery whose
    /// sender is alive: only one that died, or stalled for longer than the
    /// margin, loses its claim.
    #[must_use]
    pub fn new(timeout: Duration, schedule: RetrySchedule, user_agent_address: String) -> Self {
        let user_agent = UserAgent::new(Product::STANDARD, user_agent_address);
        let lease_for = timeout.saturating_add(SETTLE_MARGIN);
        Self { timeout, lease_for, schedule, user_agent, names: Names::STANDARD }
    }

    /// How long after its lease an attempt may begin, so that its end can be settled before the lease ends: half of what
    /// the lease has beyond the deadline.
    fn start_within(&self) -> Duration {
        self.lease_for.saturating_sub(self.timeout) / 2
    }

    /// With claims that hold so long: longer than the deadline of an attempt.
    #[must_use]
    pub fn lease_for(self, lease_for: Duration) -> Self {
        Self { lease_for, ..self }
    }
}

/// What one round did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AttemptReport {
    /// Deliveries that were leased.
    pub claimed: usize,
    /// Receivers that answered 2xx.
    pub delivered: usize,
    /// Attempts that failed, and deliveries given up without one.
    pub failed: usize,
    /// Settlements whose lease was lost.
    pub stale: usize,
}

/// Claims up to `limit` due deliveries, attempts them side by side and settles them together.
///
/// For tests and tools: it waits for the slowest of its receivers, so one that hangs would hold up all others. A
/// service runs the `Deliverer` of svc-worker.
///
/// # Errors
/// When the queue could not be read or written; leases then end by themselves.
pub async fn attempt_once(
    queue: &dyn DeliveryQueue,
    sender: &dyn HttpSender,
    clock: &dyn Clock,
    config: &AttemptConfig,
    limit: u32,
) -> Result<AttemptReport, StoreError> {
    let leased = queue.claim(&ClaimRequest::any(limit), clock.now(), config.lease_for).await?.leased;
    if leased.is_empty() {
        return Ok(AttemptReport::default());
    }
    let attempts = leased.into_iter().map(|leased| attempt_claimed(leased, sender, clock, config));
    let settlements = join_all(attempts).await;
    let settled = queue.settle(&settlements).await?;

    let claimed = settlements.len();
    let stale = claimed.saturating_sub(usize::try_from(settled).unwrap_or(usize::MAX));
    if stale > 0 {
        tracing::warn!(
            stale,
            claimed,
            "attempts were not settled: their leases had ended, or their subscriptions were removed"
        );
    }
    let delivered = settlements.iter().filter(|done| done.delivery.status() == Status::Delivered).count();
    Ok(AttemptReport { claimed, delivered, failed: claimed - delivered, stale })
}

/// Attempts one leased delivery if its receiver may still be told of the event, and says how to settle it.
///
/// One that may not ends as failed without an attempt, as `read_permission_lost`. While it cannot be found out, the
/// delivery stays as it was.
pub async fn attempt_allowed(
    leased: Leased,
    readers: &dyn ReadAuthority,
    sender: &dyn HttpSender,
    clock: &dyn Clock,
    config: &AttemptConfig,
) -> Settlement {
    let active = leased.subscription.as_deref().filter(|subscription| subscription.is_active());
    let told = match active {
        Some(subscription) => readers.may_be_told(subscription, &leased.notification.kind).await,
        None => Ok(true),
    };
    match told {
        // Asking may take long where a database is slow: an attempt that would outlast its lease is another server's.
        Ok(true) if clock.now().since(leased.since) > config.start_within() => unattempted(leased),
        Ok(true) => attempt_claimed(leased, sender, clock, config).await,
        Ok(false) if leased.delivery.status().is_ended() => unattempted(leased),
        Ok(false) => cancelled(leased.lease, leased.delivery, clock.now(), "read_permission_lost"),
        Err(error) => {
            let delivery = leased.delivery.id;
            tracing::warn!(%delivery, %error, "whether a receiver may be told of an event cannot be found out");
            unattempted(leased)
        }
    }
}

/// Gives the delivery back as it was.
fn unattempted(Leased { lease, delivery, .. }: Leased) -> Settlement {
    Settlement { lease, delivery, attempt: None, asked_until: None }
}

/// Attempts one leased delivery and says how to settle it. Writes nothing.
///
/// A delivery whose subscription is gone or inactive ends as failed without an attempt.
pub async fn attempt_claimed(
    leased: Leased,
    sender: &dyn HttpSender,
    clock: &dyn Clock,
    config: &AttemptConfig,
) -> Settlement {
    let Leased { lease, since: _, delivery, notification, subscription, backoff: _ } = leased;
    // No queue should lease an ended delivery; one that does gets it back as it was.
    if delivery.status().is_ended() {
        return Settlement { lease, delivery, attempt: None, asked_until: None };
    }
    let started = clock.now();
    let subscription = match subscription.as_deref() {
        None => return cancelled(lease, delivery, started, "subscription_removed"),
        Some(Subscription { state: SubscriptionState::Inactive, .. }) => {
            return cancelled(lease, delivery, started, "subscription_inactive");
        }
        Some(active @ Subscription { state: SubscriptionState::Active { .. }, .. }) => active,
    };
    let request = request(&delivery, notification, subscription, started, config);
    let span = span(&delivery, subscription);
    let mut exchange = sender.send(request).instrument(span.clone()).await;
    redact::keep(&mut exchange, &subscription.headers);

    let ended = clock.now();
    let failed = exchange.answer().filter(|_| exchange.error_class().is_some());
    let asked_until = failed.and_then(|answer| retry_after::asked_until(answer, ended));
    let attempt = Attempt::of(delivery.attempts.saturating_add(1), started, exchange);
    let outcome = attempt.outcome.clone();
    let delivery = match outcome.error {
        None => delivery.attempt_succeeded(ended, outcome),
        Some(_) => delivery.attempt_failed(ended, outcome, &config.schedule),
    }
    .expect("the delivery had not ended when the attempt began");
    span.in_scope(|| tell(&delivery, &attempt));
    // A receiver that asks for a backoff gets one until the next attempt of this very delivery at most: its
    // schedule stays. After the last attempt there is no wait to keep to.
    let asked_until = asked_until.and_then(|asked| Some(asked.min(delivery.next_attempt_at()?)));
    Settlement { lease, delivery, attempt: Some(attempt), asked_until }
}

/// What everything carries that is logged during an attempt. Of the URL the host alone: the rest may hold
/// secrets.
fn span(delivery: &Delivery, subscription: &Subscription) -> Span {
    tracing::debug_span!(
        "attempt",
        delivery = %delivery.id,
        event = %delivery.event,
        subscription = %delivery.subscription,
        attempt = delivery.attempts + 1,
        host = subscription.endpoint.url().host_str(),
    )
}

/// The receiver's own words are in the log of deliveries, and not in that of the process.
fn tell(delivery: &Delivery, attempt: &Attempt) {
    let Attempt { outcome, error_class, .. } = attempt;
    tracing::debug!(
        outcome = error_class.map_or("delivered", ErrorClass::name),
        status = outcome.status_code,
        duration_us = outcome.duration.as_micros(),
        state = delivery.status().name(),
        "attempted"
    );
}

fn cancelled(lease: Lease, delivery: Delivery, now: Timestamp, reason: &str) -> Settlement {
    let delivery = delivery.cancel(now, reason).expect("the delivery had not ended when it was claimed");
    Settlement { lease, delivery, attempt: None, asked_until: None }
}

/// The headers of an attempt made at `at`, in the order of the specification, part 6.2; those of the subscription
/// come after them.
#[must_use]
pub fn headers(
    delivery: DeliveryId,
    notification: &Notification,
    at: Timestamp,
    signature: String,
    config: &AttemptConfig,
) -> Vec<(HeaderName, String)> {
    let tenant = notification.tenant.as_ref().map(ToString::to_string).unwrap_or_default();
    let names = &config.names;
    vec![
        (CONTENT_TYPE, "application/json".to_owned()),
        (USER_AGENT, config.user_agent.as_str().to_owned()),
        (names.event, notification.kind.name().to_owned()),
        (names.id, notification.id.to_string()),
        (names.delivery, delivery.to_string()),
        (names.date, at.to_string()),
        (names.account_id, tenant),
        (names.version, VERSION.to_owned()),
        (names.signature, signature),
    ]
}

/// The POST of one attempt, with the nine headers of the specification, part 6.2, in its order, and
/// then those of the subscription.
fn request(
    delivery: &Delivery,
    notification: Notification,
    subscription: &Subscription,
    now: Timestamp,
    config: &AttemptConfig,
) -> Outgoing {
    let signature = signature::sign(subscription.secret.expose(), now.unix_seconds(), &notification.body);
    Outgoing {
        endpoint: subscription.endpoint.clone(),
        headers: headers(delivery.id, &notification, now, signature, config),
        custom: subscription.headers.clone(),
        body: notification.body,
        timeout: config.timeout,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_outlives_its_attempt_by_the_margin() {
        let config = AttemptConfig::new(Duration::from_secs(10), RetrySchedule::STANDARD, String::new());
        assert_eq!(config.lease_for, Duration::from_secs(30));
        let endless = AttemptConfig::new(Duration::MAX, RetrySchedule::STANDARD, String::new());
        assert_eq!(endless.lease_for, Duration::MAX);
    }
}

//! What a deliverer is made of.

use std::sync::Arc;
use std::time::Duration;

use svc_core::clock::Clock;
use svc_core::random::RandomSource;
use svc_core::system::{OsRandom, SystemClock};
use svc_webhooks::delivery::{AttemptConfig, Product};
use svc_webhooks::names::Names;
use svc_webhooks::ports::{AsSubscribed, HttpSender, ReadAuthority, ReplayStorage, WebhookStorage};
use svc_webhooks::retry::RetrySchedule;
use tokio::sync::Notify;

use crate::observer::{Observer, Silent};
use crate::task::{Deliverer, Parts};

/// How long ended deliveries and events are kept.
const KEPT_FOR: Duration = Duration::from_hours(30 * 24);

/// Settings of a [`Deliverer`]; each has a value to begin with.
#[must_use = "a builder does nothing until it builds"]
pub struct Builder(Parts);

impl Builder {
    pub(crate) fn new(storage: Arc<dyn WebhookStorage>, sender: Arc<dyn HttpSender>) -> Self {
        Self(Parts {
            storage,
            replays: None,
            sender,
            readers: Arc::new(AsSubscribed),
            clock: Arc::new(SystemClock),
            random: Arc::new(OsRandom),
            attempts: AttemptConfig::default(),
            committed: Arc::default(),
            observer: Arc::new(Silent),
            keep: KEPT_FOR,
        })
    }

    /// Goes on with replays as well, and forgets old ones. Without it the deliverer runs none: for a storage that has
    /// none. It is the storage of the deliveries, or another handle of it.
    pub fn replays(mut self, replays: Arc<dyn ReplayStorage>) -> Self {
        self.0.replays = Some(replays);
        self
    }

    /// Asks before each attempt whether the receiver may still be told of the event. Without it every subscription is
    /// told of what it lists.
    pub fn readers(mut self, readers: Arc<dyn ReadAuthority>) -> Self {
        self.0.readers = readers;
        self
    }

    /// How deliveries are attempted, whole: 10 seconds each, by the retry table, unless this says otherwise.
    pub fn attempts(mut self, attempts: AttemptConfig) -> Self {
        self.0.attempts = attempts;
        self
    }

    /// The waits between attempts, and so how many attempts there are: six by the standard schedule.
    pub fn schedule(mut self, schedule: RetrySchedule) -> Self {
        self.0.attempts.schedule = schedule;
        self
    }

    /// Where receivers read of who calls, in the `User-Agent`: `https://example.com`.
    pub fn user_agent_address(mut self, address: impl Into<String>) -> Self {
        self.0.attempts.user_agent = self.0.attempts.user_agent.with_address(address);
        self
    }

    /// What receivers read of the program that calls, in the `User-Agent`: `SVC-Webhooks/1.0` unless this says
    /// otherwise.
    pub fn product(mut self, product: Product) -> Self {
        self.0.attempts.user_agent = self.0.attempts.user_agent.with_product(product);
        self
    }

    /// The names of the headers: `X-SVC-Webhook-…` unless this says otherwise. What checks and makes subscriptions is
    /// given the same [`Names`].
    pub fn names(mut self, names: Names) -> Self {
        self.0.attempts.names = names;
        self
    }

    /// Notified after a commit of this process that published events. Without it they are found by looking, within a
    /// second; `Database::events_committed` of svc-storage-seaorm has one.
    pub fn woken_by(mut self, committed: Arc<Notify>) -> Self {
        self.0.committed = committed;
        self
    }

    /// How long ended deliveries, events and replays are kept: 30 days unless this says otherwise.
    pub fn keep(mut self, keep: Duration) -> Self {
        self.0.keep = keep;
        self
    }

    /// Hears what happens.
    pub fn observed_by(mut self, observer: Arc<dyn Observer>) -> Self {
        self.0.observer = observer;
        self
    }

    /// Another clock than that of the system.
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.0.clock = clock;
        self
    }

    /// Another source of randomness than that of the operating system.
    pub fn random(mut self, random: Arc<dyn RandomSource>) -> Self {
        self.0.random = random;
        self
    }

    /// The deliverer; nothing happens until it runs.
    pub fn build(self) -> Deliverer {
        Deliverer(Arc::new(self.0))
    }
}

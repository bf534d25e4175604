//! The loops of a deliverer, and their common end.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use svc_core::clock::Clock;
use svc_core::delay::DoublingDelay;
use svc_core::random::RandomSource;
use svc_webhooks::delivery::AttemptConfig;
use svc_webhooks::ports::{HttpSender, ReadAuthority, ReplayStorage, WebhookStorage};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::builder::Builder;
use crate::observer::Observer;
use crate::{cleaner, deliverer, replayer};

pub use crate::deliverer::SLOTS;

/// Delivers webhooks; the page of the crate opens with an example.
#[must_use = "a deliverer does nothing until it runs"]
pub struct Deliverer(pub(crate) Arc<Parts>);

/// What the loops work with.
pub(crate) struct Parts {
    pub(crate) storage: Arc<dyn WebhookStorage>,
    pub(crate) replays: Option<Arc<dyn ReplayStorage>>,
    pub(crate) sender: Arc<dyn HttpSender>,
    pub(crate) readers: Arc<dyn ReadAuthority>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) random: Arc<dyn RandomSource>,
    pub(crate) attempts: AttemptConfig,
    /// Notified when events were committed by this process.
    pub(crate) committed: Arc<Notify>,
    pub(crate) observer: Arc<dyn Observer>,
    pub(crate) keep: Duration,
}

impl Deliverer {
    /// A deliverer over this storage, by this sender.
    pub fn builder(storage: Arc<dyn WebhookStorage>, sender: Arc<dyn HttpSender>) -> Builder {
        Builder::new(storage, sender)
    }

    /// Delivers until `shutdown` ends, and then until the last attempt is settled or its lease given back. Attempts
    /// under way have 11 seconds for that; what the storage is asked meanwhile takes the time that it takes.
    ///
    /// A storage that fails is asked again, later each time. The future must run to its end: dropping it breaks
    /// attempts off, and their deliveries are attempted again when their leases have ended.
    pub async fn run(self, shutdown: impl Future<Output = ()> + Send) {
        let Self(parts) = self;
        let asked = CancellationToken::new();
        let ask = async {
            shutdown.await;
            asked.cancel();
        };
        tokio::join!(
            ask,
            deliverer::run(&parts, asked.clone()),
            replayer::run(&parts, asked.clone()),
            cleaner::run(&parts, asked.clone()),
        );
    }

    /// [Runs](Self::run) as a task of this tokio runtime until the answer is [stopped](Running::stop).
    #[must_use = "it ends when the answer is dropped"]
    pub fn start(self) -> Running {
        let asked = CancellationToken::new();
        let task = tokio::spawn(self.run(asked.clone().cancelled_owned()));
        Running { end: asked.drop_guard(), task }
    }
}

/// A deliverer that runs. It also ends, as if stopped, when this is dropped.
#[derive(Debug)]
pub struct Running {
    end: DropGuard,
    task: JoinHandle<()>,
}

impl Running {
    /// Whether it has ended by itself: a panic of the storage, or of what observes it, ends it. A service that
    /// reports its health asks this.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.task.is_finished()
    }

    /// Asks it to end, and waits until the last attempt is settled or its lease given back.
    ///
    /// # Panics
    /// When the deliverer did.
    pub async fn stop(self) {
        drop(self.end);
        if let Err(error) = self.task.await
            && let Ok(panic) = error.try_into_panic()
        {
            std::panic::resume_unwind(panic);
        }
    }
}

impl fmt::Debug for Deliverer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deliverer").field("attempts", &self.0.attempts).finish_non_exhaustive()
    }
}

/// Waits; answers whether to go on.
pub(crate) async fn pause(time: Duration, asked: &CancellationToken) -> bool {
    asked.run_until_cancelled(tokio::time::sleep(time)).await.is_some()
}

/// For a queue that is polled: 5 ms to 1 s.
pub(crate) const fn idle() -> DoublingDelay {
    DoublingDelay::new(Duration::from_millis(5), Duration::from_secs(1))
}

/// For a storage that fails: 50 ms to 5 s.
pub(crate) const fn failing() -> DoublingDelay {
    DoublingDelay::new(Duration::from_millis(50), Duration::from_secs(5))
}

//! The wish to end, and who hears of it.

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::failure::Failure;

/// Tells everybody who holds a [`Shutdown`] to end.
#[derive(Debug)]
pub(crate) struct Trigger(watch::Sender<bool>);

/// Hears of the wish to end; cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Shutdown(watch::Receiver<bool>);

/// A trigger and its listener.
pub(crate) fn channel() -> (Trigger, Shutdown) {
    let (sender, receiver) = watch::channel(false);
    (Trigger(sender), Shutdown(receiver))
}

impl Trigger {
    /// Asks everybody to end.
    pub(crate) fn pull(&self) {
        self.0.send_replace(true);
    }
}

impl Shutdown {
    /// Ends when shutdown is asked for, or the trigger is gone.
    pub(crate) async fn asked(&self) {
        let mut receiver = self.0.clone();
        // An error means that the trigger is gone: its holder has ended.
        let outcome = receiver.wait_for(|asked| *asked).await;
        drop(outcome);
    }

    /// Whether shutdown was asked for.
    pub(crate) fn is_asked(&self) -> bool {
        *self.0.borrow()
    }
}

/// Ends with the first SIGTERM or Ctrl-C. The second Ctrl-C ends the process at once.
///
/// They are listened to from the call on, not only once the answer is awaited: a supervisor that was
/// told that the service is up may end it.
pub(crate) fn signalled() -> Result<impl Future<Output = &'static str>, Failure> {
    let failed = |error: std::io::Error| Failure::caused("signals", "signals cannot be watched", &error);
    let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
    Ok(async move {
        let name = tokio::select! {
            _ = terminate.recv() => "SIGTERM",
            _ = interrupt.recv() => "Ctrl-C",
        };
        tokio::spawn(async move {
            interrupt.recv().await;
            tracing::warn!("second Ctrl-C: ending at once");
            // 128 + SIGINT, as shells report it.
            std::process::exit(130);
        });
        name
    })
}

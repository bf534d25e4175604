//! The wish to end, and who hears of it.

use tokio::sync::watch;

/// Hears of the wish to end; cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Shutdown(watch::Receiver<bool>);

/// Tells each [`Shutdown`] to end, also when it is dropped.
#[derive(Debug)]
pub(crate) struct Trigger(watch::Sender<bool>);

/// A trigger and its listener.
pub(crate) fn channel() -> (Trigger, Shutdown) {
    let (sender, receiver) = watch::channel(false);
    (Trigger(sender), Shutdown(receiver))
}

impl Trigger {
    /// Asks to end.
    pub(crate) fn pull(&self) {
        self.0.send_replace(true);
    }
}

impl Shutdown {
    /// Ends when the end is asked for, or the trigger is gone.
    pub(crate) async fn asked(&self) {
        let mut receiver = self.0.clone();
        // An error means that the trigger is gone.
        let outcome = receiver.wait_for(|asked| *asked).await;
        drop(outcome);
    }

    /// Whether the end was asked for.
    pub(crate) fn is_asked(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits; answers whether to go on.
    pub(crate) async fn wait(&self, time: std::time::Duration) -> bool {
        tokio::select! {
            () = tokio::time::sleep(time) => true,
            () = self.asked() => false,
        }
    }
}

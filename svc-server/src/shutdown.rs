//! The signals that end a command.

use tokio::signal::unix::{SignalKind, signal};

use crate::failure::Failure;

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

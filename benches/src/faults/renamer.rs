//! A client that renames a subscription again and again: changes that the audit log tells of.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::Client;

/// The client at work.
pub(super) struct Renamer {
    over: Arc<AtomicBool>,
    task: JoinHandle<u64>,
}

impl Renamer {
    /// Starts it; it uses the first of the servers that are `up`.
    pub(super) fn start(token: &str, subscription: &str, up: watch::Receiver<Vec<SocketAddr>>) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let (mut client, path) =
            (Client::new(token), format!("/api/v1/webhooks/subscriptions/{subscription}"));
        let ended = Arc::clone(&over);
        let task = tokio::spawn(async move {
            let mut acknowledged = 0;
            while !ended.load(Ordering::Relaxed) {
                sleep(Duration::from_millis(5)).await;
                let to = up.borrow().first().copied();
                let Some(to) = to else { continue };
                let body = format!(r#"{{"name":"Receiver {acknowledged}"}}"#);
                let answer = client.patch(to, &path, &body).await;
                acknowledged += u64::from(answer.is_ok_and(|answer| answer.status == 200));
            }
            acknowledged
        });
        Self { over, task }
    }

    /// Ends it; answers how many changes were acknowledged.
    pub(super) async fn stop(self) -> u64 {
        self.over.store(true, Ordering::Relaxed);
        self.task.await.expect("the client did not fail")
    }
}

//! The storage ports of each domain crate, on one database, and how a service gets them.

mod audit;
#[cfg(feature = "business")]
mod auth;
#[cfg(feature = "auth")]
mod auth_beside;
#[cfg(feature = "auth")]
mod budgets;
#[cfg(feature = "business")]
mod business;
mod idempotency;
#[cfg(feature = "business")]
mod oauth;
#[cfg(feature = "business")]
mod sessions;
#[cfg(feature = "webhooks")]
mod webhooks;

use svc_core::error::StoreError;

/// Runs work that changes `at_once` rows at most, in a commit of its own, until it changes fewer: no other write waits for
/// long. Answers how many rows it changed in all.
async fn in_small_commits<F: Future<Output = Result<u64, StoreError>> + Send>(
    at_once: u32,
    work: impl Fn() -> F + Send + Sync,
) -> Result<u64, StoreError> {
    let mut all = 0;
    loop {
        let some = work().await?;
        all += some;
        if some < u64::from(at_once) {
            return Ok(all);
        }
    }
}

//! Keeps what is cached of tokens true, writes down when they were used and what
//! assistants called, and gives back what silent companies hold of their budgets.

use std::time::Duration;

use svc_auth::authenticate::Authenticator;
use svc_auth::ports::Use;
use svc_core::error::StoreError;
use svc_core::error::chain;
use svc_http::Oauth;

use super::wait;
use crate::metric;
use crate::store::Store;
use crate::wiring::Wiring;
use tokio_util::sync::CancellationToken;

/// How often other processes' changes of authority are looked for.
const REFRESH: Duration = Duration::from_secs(2);
/// Last uses are written with every so many looks.
const LOOKS_PER_FLUSH: u32 = 5;

/// Runs until shutdown.
pub(crate) async fn run(wiring: Wiring, asked: CancellationToken) {
    let mut looks = 0_u32;
    while wait(REFRESH, &asked).await {
        if let Err(error) = wiring.authenticator.refresh().await {
            tracing::warn!("changes of authority cannot be read: {}", chain(&error));
        }
        write_calls(wiring.oauth.as_deref()).await;
        looks = looks.wrapping_add(1);
        if looks.is_multiple_of(LOOKS_PER_FLUSH) {
            flush(&wiring).await;
            let given = wiring.limiter.give_back_idle(wiring.clock.now()).await;
            if let Err(error) = given {
                tracing::warn!("unused budgets cannot be given back: {}", chain(&error));
            }
        }
        metric::cached_tokens(wiring.authenticator.cached());
        metric::unknown_clients(wiring.authenticator.attempts_from_unknown_addresses());
    }
}

/// Writes what assistants called; while the store fails it waits.
pub(crate) async fn write_calls(oauth: Option<&Oauth>) {
    let Some(oauth) = oauth else { return };
    if let Err(error) = oauth.calls().flush().await {
        tracing::warn!("calls of assistants cannot be written: {}", chain(&error));
    }
}

/// Writes the last uses. When that fails they are written with the next ones.
async fn flush(wiring: &Wiring) {
    write_uses(&wiring.store, &wiring.authenticator, wiring.authenticator.take_uses()).await;
}

/// Writes every use that is left, once no request uses a token any more.
pub(crate) async fn write_remaining_uses(store: &Store, authenticator: &Authenticator) {
    write_uses(store, authenticator, authenticator.take_remaining_uses()).await;
}

async fn write_uses(store: &Store, authenticator: &Authenticator, uses: Vec<Use>) {
    if uses.is_empty() {
        return;
    }
    if let Err(error) = write(store, &uses).await {
        tracing::warn!("last uses of tokens cannot be written: {}", chain(&error));
        authenticator.put_back_uses(uses);
    }
}

async fn write(store: &Store, uses: &[Use]) -> Result<(), StoreError> {
    let unit = store.database.auth().begin().await?;
    unit.tokens().touch(uses).await?;
    unit.commit().await
}

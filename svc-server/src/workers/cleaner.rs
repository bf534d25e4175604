//! Forgets replies, sessions, attempts to sign in, ended jobs and tokens of connections, and clients without a
//! connection, that have been kept long enough; ends connections that hold no token any more. Deliveries are the
//! deliverer's.

use std::time::Duration;

use svc_auth::oauth::forget_ended;
use svc_auth::ports::OauthUnit;
use svc_auth::session::Throttle;
use svc_core::audit::Actor;
use svc_core::clock::Timestamp;
use svc_core::error::{StoreError, chain};
use svc_core::idempotency::KEPT_FOR;
use svc_core::pii::PiiAccess;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use tokio_util::sync::CancellationToken;

use super::wait;
use crate::metric::{self, Purged};
use crate::wiring::Wiring;

/// From one round to the next.
const EVERY: Duration = Duration::from_mins(10);
/// Between start and first round: the start has enough to do.
const FIRST: Duration = Duration::from_secs(30);
/// How long jobs that ended are kept.
const JOBS_KEPT: Duration = Duration::from_hours(7 * 24);
/// How long a client that registered itself is known without a connection.
const UNUSED_CLIENTS_KEPT: Duration = Duration::from_hours(30 * 24);
/// Connections that end in one round at most.
const CONNECTIONS_AT_ONCE: usize = 500;
/// How long calls of assistants are kept.
const CALLS_KEPT: Duration = Duration::from_hours(90 * 24);

/// How long an upload may stay in quarantine: longer than any takes.
const UPLOADS_KEPT: Duration = Duration::from_hours(24);

/// Runs until shutdown.
pub(crate) async fn run(wiring: Wiring, asked: CancellationToken) {
    let mut pause = FIRST;
    for what in [Purged::Delivery, Purged::Reply] {
        metric::purged(what, 0, wiring.clock.now());
    }
    while wait(pause, &asked).await {
        pause = EVERY;
        let now = wiring.clock.now();
        clean(&wiring, now).await;
    }
}

/// Each step by itself: one that fails keeps no other from its work.
async fn clean(wiring: &Wiring, now: Timestamp) {
    let told = |what: &str, done: Result<(), StoreError>| {
        if let Err(error) = done {
            tracing::warn!("{what} cannot be removed: {}", chain(&error));
        }
    };
    told("old replies", forget_replies(wiring, now).await);
    told("old sessions", forget_sessions(wiring, now).await);
    told("what assistants hold no more", forget_oauth(wiring, now).await);
    told("old calls of assistants", forget_calls(wiring, now).await);
    told("uploads that did not end", forget_uploads(wiring, now).await);
    told("ended jobs", forget_jobs(wiring, now).await);
}

async fn forget_replies(wiring: &Wiring, now: Timestamp) -> Result<(), StoreError> {
    let replies = wiring.store.database.idempotency().purge(now.minus(KEPT_FOR)).await?;
    metric::purged(Purged::Reply, replies, now);
    if replies > 0 {
        tracing::info!(replies, "old replies removed");
    }
    Ok(())
}

async fn forget_sessions(wiring: &Wiring, now: Timestamp) -> Result<(), StoreError> {
    let sessions = end_sessions(wiring, now).await?;
    if sessions > 0 {
        tracing::info!(sessions, "old sessions removed");
    }
    let attempts = wiring.store.database.sessions();
    attempts.attempts().purge(now.minus(Throttle::LONGEST_WINDOW)).await.map(drop)
}

async fn forget_oauth(wiring: &Wiring, now: Timestamp) -> Result<(), StoreError> {
    let unit = wiring.store.database.oauth().begin().await?;
    let connections = end_connections(wiring, &*unit, now).await?;
    unit.approvals().purge_approvals(now).await?;
    unit.uploads().purge_upload_links(now).await?;
    unit.clients().purge_clients(now.minus(UNUSED_CLIENTS_KEPT)).await?;
    unit.commit().await?;
    if connections > 0 {
        tracing::info!(connections, "connections whose assistant holds no token any more ended");
    }
    Ok(())
}

async fn forget_calls(wiring: &Wiring, now: Timestamp) -> Result<(), StoreError> {
    wiring.store.database.oauth().calls().purge(now.minus(CALLS_KEPT)).await.map(drop)
}

async fn forget_uploads(wiring: &Wiring, now: Timestamp) -> Result<(), StoreError> {
    let abandoned = wiring.contents.sweep(now.minus(UPLOADS_KEPT)).await.map_err(StoreError::backend)?;
    if abandoned > 0 {
        tracing::info!(abandoned, "uploads that did not end removed");
    }
    Ok(())
}

async fn forget_jobs(wiring: &Wiring, now: Timestamp) -> Result<(), StoreError> {
    let unit = wiring.store.database.business().begin().await?;
    unit.jobs().purge(now.minus(JOBS_KEPT)).await?;
    unit.commit().await
}

/// Ends the sessions of people who left without signing out.
async fn end_sessions(wiring: &Wiring, now: Timestamp) -> Result<u64, StoreError> {
    let unit = wiring.store.database.sessions().begin().await?;
    let ended = unit.sessions().purge(now.minus(wiring.lifetime.idle), now).await?;
    unit.resets().purge_resets(now).await?;
    unit.commit().await?;
    metric::expired_sessions(ended);
    Ok(ended)
}

/// Ends connections of assistants that hold no token any more.
async fn end_connections(wiring: &Wiring, unit: &dyn OauthUnit, now: Timestamp) -> Result<usize, StoreError> {
    let scope = Scope::none();
    let actor = Actor::service("clean");
    let call =
        CallContext { scope: &scope, access: PiiAccess::Masked, actor: &actor, now, random: &*wiring.random };
    forget_ended(unit, call, CONNECTIONS_AT_ONCE).await
}

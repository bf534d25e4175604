//! The admin port: metrics and health checks.
//!
//! `/healthz` says that the process lives, `/readyz` that it should get
//! requests: the database answers, the schema is current, and no shutdown is
//! under way.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use metrics_exporter_prometheus::PrometheusHandle;
use svc_core::clock::Clock;
use svc_core::error::chain;

use crate::metric;
use crate::store::Store;
use tokio_util::sync::CancellationToken;

/// What the admin port looks at.
#[derive(Clone)]
pub(crate) struct Health {
    /// The database.
    pub(crate) store: Arc<Store>,
    /// What was collected.
    pub(crate) metrics: PrometheusHandle,
    /// For the age of what is due.
    pub(crate) clock: Arc<dyn Clock>,
    /// Whether the service is ending.
    pub(crate) asked: CancellationToken,
}

/// The routes of the admin port.
pub(crate) fn router(health: Health) -> Router {
    Router::new()
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .with_state(health)
}

async fn ready(State(health): State<Health>) -> Response {
    match unready(&health).await {
        None => (StatusCode::OK, "ready\n").into_response(),
        Some(reason) => (StatusCode::SERVICE_UNAVAILABLE, format!("{reason}\n")).into_response(),
    }
}

async fn unready(health: &Health) -> Option<String> {
    if health.asked.is_cancelled() {
        return Some("shutting down".to_owned());
    }
    if let Err(error) = health.store.database.ping().await {
        tracing::warn!("the database does not answer: {}", chain(&error));
        return Some("the database does not answer".to_owned());
    }
    match health.store.database.pending_migrations().await {
        Ok(pending) if pending.is_empty() => None,
        Ok(pending) => Some(format!("{} migrations are pending", pending.len())),
        Err(error) => {
            tracing::warn!("the schema cannot be read: {}", chain(&error));
            Some("the schema cannot be read".to_owned())
        }
    }
}

async fn metrics(State(health): State<Health>) -> Response {
    let now = health.clock.now();
    match health.store.database.queue_overview().depth(now).await {
        Ok(depth) => metric::depth(depth, now),
        // The other figures matter most when the database is down.
        Err(error) => {
            metric::depth_unknown();
            tracing::warn!("the queue cannot be measured: {}", chain(&error));
        }
    }
    let form = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (form, health.metrics.render()).into_response()
}

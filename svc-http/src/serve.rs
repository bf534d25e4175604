//! The way of one request: through its route's gate, to the handler, and out.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequestParts, RawPathParams, Request};
use axum::response::Response;
use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tracing::Instrument;

use crate::api::{About, Handler};
use crate::app::App;
use crate::exchange::{Context, Exchange};
use crate::gate::{Arrival, Caller, Gate};
use crate::problem::Problem;
use crate::query::Query;
use crate::{body, limits};

/// A route whose gate is no longer part of its type.
pub(crate) trait Serve: Send + Sync {
    /// What is known of it.
    fn about(&self) -> &About;

    /// Answers one request.
    fn answer(
        self: Arc<Self>,
        app: Arc<App>,
        context: Context,
        request: Request,
    ) -> BoxFuture<'static, Response>;
}

/// A route: its description, who may call it, and what it does.
pub(crate) struct Served<G: Gate> {
    pub(crate) about: About,
    pub(crate) gate: G,
    pub(crate) handler: Handler<G::Caller>,
}

impl<G: Gate> Serve for Served<G> {
    fn about(&self) -> &About {
        &self.about
    }

    fn answer(
        self: Arc<Self>,
        app: Arc<App>,
        context: Context,
        request: Request,
    ) -> BoxFuture<'static, Response> {
        Box::pin(async move {
            let (arrival, body) = Arrival::of(app.clone(), context, request);
            let (outcome, status) = match self.gate.admit(&arrival).await {
                Ok(caller) => {
                    let status = caller.limits();
                    (self.attend(arrival, caller, body).await, status)
                }
                Err(problem) => {
                    let status = problem.limit_status();
                    (Err(problem), status)
                }
            };
            let mut response = outcome
                .unwrap_or_else(|problem| problem.into_response(&app.settings.public_url, context.request));
            if let Some(status) = status {
                limits::tell(&mut response, status);
            }
            response
        })
    }
}

impl<G: Gate> Served<G> {
    /// Reads what the caller sent, and hands it to the handler.
    async fn attend(
        self: Arc<Self>,
        arrival: Arrival,
        caller: G::Caller,
        body: Body,
    ) -> Result<Response, Problem> {
        let exchange = self.exchange(arrival, caller, body).await?;
        if self.handler.reads {
            return self.guarded(exchange).await;
        }
        // A client that goes away drops this future, but not the task: a write is never half done.
        let task = self.guarded(exchange).instrument(tracing::Span::current());
        tokio::spawn(task).await.unwrap_or_else(|_| Err(Problem::internal()))
    }

    async fn exchange(
        &self,
        arrival: Arrival,
        caller: G::Caller,
        body: Body,
    ) -> Result<Exchange<G::Caller>, Problem> {
        let Arrival { app, context, mut parts, from, secure } = arrival;
        let path =
            RawPathParams::from_request_parts(&mut parts, &()).await.map_err(|_| Problem::not_found())?;
        let path = path.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let query = Query::read(&parts.uri, &self.about.params)?;
        let most = app.settings.max_json_bytes;
        let body =
            if self.handler.reads { Bytes::new() } else { body::read(&parts.headers, body, most).await? };
        caller.check_body(&body)?;
        let (method, uri, headers) = (parts.method, parts.uri, parts.headers);
        Ok(Exchange { app, context, caller, from, secure, method, uri, headers, path, query, body })
    }

    /// Runs the handler; a panic becomes a problem without details.
    async fn guarded(self: Arc<Self>, exchange: Exchange<G::Caller>) -> Result<Response, Problem> {
        let answer = async { self.handler.answer(exchange).await };
        AssertUnwindSafe(answer).catch_unwind().await.unwrap_or_else(|_| {
            tracing::error!("a handler panicked");
            Err(Problem::internal())
        })
    }
}

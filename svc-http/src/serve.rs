//! The way of one request: through its route's gate, to the handler, and out.
//!
//! 1. The gate looks at the head, and lets the caller in or not.
//! 2. The body is read, which may take as long as the client pleases, up to its deadline.
//! 3. If that took more than a second, the gate is asked again, at the instant that it is by now: a role,
//!    a session or a token that ended meanwhile gets the answer that it would get at the start.
//! 4. The handler acts.
//! 5. A refusal of what was sent is given only for what is there: see [`crate::subject`].
//!
//! Every route goes this way, and a handler is called nowhere else.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequestParts, RawPathParams, Request};
use axum::response::Response;
use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use http::HeaderMap;
use http::header::IF_NONE_MATCH;
use hyper::body::Body as _;
use svc_auth::limit::LimitStatus;
use svc_core::clock::Timestamp;
use tracing::Instrument;

use crate::api::about::About;
use crate::api::handler::Handler;
use crate::api_request::ApiRequest;
use crate::app::App;
use crate::context::Context;
use crate::gate::{Arrival, Caller, Gate};
use crate::observe::CalledBy;
use crate::problem::{Code, Problem};
use crate::query::{self, LIMIT, Query};
use crate::shares::{Payer, Shares, Weight};
use crate::subject::Subject;
use crate::upload::{self, Owner, Upload};
use crate::{accept, body, limits, multipart};

/// Records of a page whose request does not say how many it wants: those of most lists.
const USUAL_PAGE: u32 = 50;
/// Bytes of an answer. A page of records with long notes and metadata could have more.
const LONGEST_ANSWER: u64 = 4 * 1024 * 1024;

/// Bytes of an upload that are in memory at a time.
const PIECES: usize = 256 * 1024;

/// A route whose gate is no longer part of its type.
pub(crate) trait Serve: Send + Sync {
    /// What is known of it.
    fn about(&self) -> &About;

    /// Answers one request.
    fn answer(
        self: Arc<Self>,
        app: Arc<App>,
        shares: Arc<Shares>,
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

/// What came of a request, and what is left of its caller's budgets.
type Outcome = (Result<Response, Problem>, Option<LimitStatus>);

/// What the path names.
type Named = Arc<[(String, String)]>;

/// What a request brings beside its path.
struct Sent {
    query: Query,
    body: Bytes,
    upload: Option<Upload>,
}

impl<G: Gate> Serve for Served<G> {
    fn about(&self) -> &About {
        &self.about
    }

    fn answer(
        self: Arc<Self>,
        app: Arc<App>,
        shares: Arc<Shares>,
        context: Context,
        request: Request,
    ) -> BoxFuture<'static, Response> {
        Box::pin(async move {
            let (arrival, body) = Arrival::of(app.clone(), context, request);
            let admitted = self.gate.admit(&arrival).await;
            let token = admitted.as_ref().ok().and_then(Caller::token);
            let (outcome, status) = match admitted {
                Ok(caller) => self.attend(arrival, caller, body, &shares).await,
                Err(problem) => refused(self.refuse(&arrival, body, problem, &shares).await),
            };
            let mut response = outcome
                .unwrap_or_else(|problem| problem.into_response(&app.settings.public_url, context.request));
            if let Some(status) = status {
                limits::tell(&mut response, status);
            }
            if let Some(token) = token {
                response.extensions_mut().insert(CalledBy(token));
            }
            response
        })
    }
}

async fn named(arrival: &mut Arrival) -> Result<Named, Problem> {
    let path = RawPathParams::from_request_parts(&mut arrival.parts, &()).await;
    let path = path.map_err(|_| Problem::not_found())?;
    Ok(path.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

/// A caller who was not let in hears of budgets only what the refusal tells.
fn refused(problem: Problem) -> Outcome {
    let status = problem.limit_status();
    (Err(problem), status)
}

impl<G: Gate> Served<G> {
    /// What a caller hears who was not let in. What is read of their body counts as that of any request.
    async fn refuse(&self, arrival: &Arrival, body: Body, problem: Problem, shares: &Shares) -> Problem {
        let Some(most) = self.gate.reads_of_refused(&problem) else { return problem };
        match shares.take(Payer::at(arrival.from), Weight::bytes(most)).await {
            Ok(_share) => self.gate.refuse(arrival, body, problem).await,
            Err(_) => problem,
        }
    }

    /// Reads what the caller sent, and does what is asked if they may still ask for it.
    async fn attend(
        self: Arc<Self>,
        mut arrival: Arrival,
        caller: G::Caller,
        body: Body,
        shares: &Shares,
    ) -> Outcome {
        let status = caller.limits();
        let began = arrival.app.clock.now();
        let payer = caller.payer().unwrap_or_else(|| Payer::at(arrival.from));
        let share = match shares.take(payer, self.weight(&arrival, &body)).await {
            Ok(share) => share,
            Err(problem) => return (Err(problem), status),
        };
        let named = match named(&mut arrival).await {
            Ok(named) => named,
            Err(problem) => return (Err(problem), status),
        };
        let sent = match self.receive(&arrival, body, (&caller, &named)).await {
            Ok(sent) => sent,
            Err(problem) => {
                let subject = Subject::new(self.about.path, named, arrival.app, Arc::new(caller));
                return (Err(subject.first(problem).await), status);
            }
        };
        match self.still_admitted(&mut arrival, caller, began).await {
            Ok(caller) => {
                let turn = if self.handler.reads { share.turn().await.map(Some) } else { Ok(None) };
                let _turn = match turn {
                    Ok(turn) => turn,
                    Err(problem) => return (Err(problem), status),
                };
                let response = self.act(arrival, caller, named, sent).await;
                (response.and_then(within_bounds).map(|response| share.until_sent(response)), status)
            }
            Err(problem) => refused(problem),
        }
    }

    /// What the request may bring along.
    fn weight(&self, arrival: &Arrival, body: &Body) -> Weight {
        let parts = &arrival.parts;
        if self.storing(&parts.headers).is_some() {
            return Weight::bytes(PIECES);
        }
        if !self.handler.reads {
            // One that does not tell may be as long as any.
            let most = if body.is_end_stream() { 0 } else { self.most(&arrival.app) };
            return Weight::bytes(body::declared(&parts.headers).unwrap_or(most));
        }
        if !self.about.params.iter().any(|param| param.name == LIMIT.name) {
            return Weight::bytes(self.about.holds);
        }
        Weight::records(query::wanted(&parts.uri).unwrap_or(USUAL_PAGE))
    }

    /// Whose the file of a body with these headers is, where that goes straight into the content store.
    fn storing(&self, headers: &HeaderMap) -> Option<Owner<G::Caller>> {
        let is_form = self.about.request.is_none() || multipart::boundary(headers).is_some();
        self.handler.owner.filter(|_| is_form)
    }

    /// The longest body that the route reads, in bytes.
    fn most(&self, app: &App) -> usize {
        if let Some(upload) = self.about.upload {
            return upload;
        }
        self.about.most.map_or(app.settings.max_json_bytes, |most| most.min(app.settings.max_json_bytes))
    }

    async fn receive(
        &self,
        arrival: &Arrival,
        body: Body,
        (caller, named): (&G::Caller, &Named),
    ) -> Result<Sent, Problem> {
        let Arrival { app, parts, .. } = arrival;
        if self.about.answer.is_some() && self.about.media != accept::ANY {
            accept::check(&parts.headers, self.about.media, self.about.also)?;
        }
        let query = Query::read(&parts.uri, &self.about.params)?;
        if let Some(owner) = self.storing(&parts.headers) {
            let upload = upload::receive(&parts.headers, body, (app, caller, named), owner).await?;
            return Ok(Sent { query, body: Bytes::new(), upload: Some(upload) });
        }
        let most = self.most(app);
        let body =
            if self.handler.reads { Bytes::new() } else { body::read(&parts.headers, body, most).await? };
        Ok(Sent { query, body, upload: None })
    }

    /// Lets the caller in once more when the body, which began to be read at `began`, took long.
    async fn still_admitted(
        &self,
        arrival: &mut Arrival,
        caller: G::Caller,
        began: Timestamp,
    ) -> Result<G::Caller, Problem> {
        if arrival.took_long(began) { self.gate.admit_again(arrival, caller).await } else { Ok(caller) }
    }

    /// Hands the request to the handler.
    async fn act(
        self: Arc<Self>,
        arrival: Arrival,
        caller: G::Caller,
        named: Named,
        sent: Sent,
    ) -> Result<Response, Problem> {
        let Arrival { app, context, parts, from, secure } = arrival;
        let Sent { query, body, upload } = sent;
        caller.check_body(&body)?;
        let (caller, route) = (Arc::new(caller), self.about.path);
        let (method, uri, mut headers) = (parts.method, parts.uri, parts.headers);
        if self.about.unconditional {
            headers.remove(IF_NONE_MATCH);
        }
        let req = ApiRequest {
            app,
            context,
            caller,
            from,
            secure,
            method,
            uri,
            headers,
            route,
            named,
            query,
            body,
            upload,
        };
        let subject = req.subject();
        let outcome = if self.handler.reads {
            self.guarded(req).await
        } else {
            // A client that goes away drops this future, but not the task: a write is never half done.
            let task = self.guarded(req).instrument(tracing::Span::current());
            tokio::spawn(task).await.unwrap_or_else(|_| Err(Problem::internal()))
        };
        match outcome {
            Ok(response) => Ok(response),
            Err(problem) => Err(subject.first(problem).await),
        }
    }

    /// Runs the handler; a panic becomes a problem without details.
    async fn guarded(self: Arc<Self>, req: ApiRequest<G::Caller>) -> Result<Response, Problem> {
        let answer = async { self.handler.answer(req).await };
        AssertUnwindSafe(answer).catch_unwind().await.unwrap_or_else(|_| {
            tracing::error!("a handler panicked");
            Err(Problem::internal())
        })
    }
}

/// Refuses to send more than a client can be expected to take in one piece.
fn within_bounds(response: Response) -> Result<Response, Problem> {
    if response.body().size_hint().lower() <= LONGEST_ANSWER {
        return Ok(response);
    }
    Err(Problem::new(
        Code::PageTooLarge,
        "the records of this page come to more than 4 MiB: ask for fewer by a smaller `limit`",
    )
    .at(LIMIT.name, "too_large", "ask for fewer records"))
}

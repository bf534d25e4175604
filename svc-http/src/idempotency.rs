//! Requests that may be sent twice and take effect once.
//!
//! The protocol is told in [`svc_core::idempotency`]. Here it is made hard to
//! get wrong: a POST handler is handed a [`PendingReply`], can answer only with a
//! [`Committed`], and gets one only from [`PendingReply::finish`], which keeps the reply in
//! the unit of the change and commits both together.
//!
//! Two operations span several commits, and say so in their own files: a bulk
//! request (one commit per item) and the test of a subscription (the event,
//! then the result). Their reply is kept in the last commit, so a repetition
//! after a crash in between starts them again; an item that creates something
//! is a [step](PendingReply::step), which takes effect once by itself.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;

use axum::response::Response;
use futures_util::FutureExt;
use sha2::{Digest, Sha256};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::idempotency::{Claim, Fence, Reply, RequestHash, RequestKey};
use svc_core::rerun;
use svc_core::unit::UnitOfWork;

use crate::answer::{Answer, replayed};
use crate::api_request::ApiRequest;
use crate::gate::Acting;
use crate::multipart;
use crate::problem::{Code, Problem};

pub(crate) type Pending<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Answers a POST, through a unit of work.
pub(crate) type PostHandler<C> =
    dyn Fn(ApiRequest<C>, PendingReply) -> Pending<Result<Committed, Problem>> + Send + Sync;

/// The right to answer a POST with success, used up by doing so.
pub(crate) struct PendingReply {
    claim: Option<Held>,
}

/// A claim that this run holds.
#[derive(Clone)]
pub(crate) struct Held {
    key: RequestKey,
    fence: Fence,
    hash: RequestHash,
}

/// One of the commits of a request that has several.
pub(crate) enum Step {
    /// It is to be done, and its answer kept in its commit.
    New(PendingReply),
    /// It was done before: what was kept of it.
    Done(Reply),
}

/// A success answer whose change is committed.
pub(crate) struct Committed(Answer);

impl PendingReply {
    /// Keeps the reply in `unit`, commits, and only then answers.
    pub(crate) async fn finish(
        self,
        unit: Box<dyn UnitOfWork>,
        answer: Answer,
    ) -> Result<Committed, Problem> {
        if let Some(held) = &self.claim {
            keep(unit.as_ref(), held, &answer.keepable()).await?;
        }
        unit.commit().await?;
        Ok(Committed(answer))
    }

    /// The step of this number: it has a key of its own, which no client can send.
    pub(crate) async fn step(
        &self,
        app: &crate::App,
        number: usize,
        now: Timestamp,
    ) -> Result<Step, Problem> {
        let Some(Held { key, hash, .. }) = &self.claim else {
            return Ok(Step::New(Self { claim: None }));
        };
        let key = RequestKey { key: format!("{}\n{number}", key.key), ..key.clone() };
        Ok(match claim(app, key, *hash, now).await? {
            Ok(held) => Step::New(Self { claim: Some(held) }),
            Err(reply) => Step::Done(reply),
        })
    }

    /// The claim, to be [let go](Held::release) when nothing came of it.
    pub(crate) fn held(&self) -> Option<Held> {
        self.claim.clone()
    }

    /// Keeps the reply in a unit that holds nothing else: for the end of what spans several commits.
    pub(crate) async fn finish_alone(
        self,
        begin: impl Future<Output = Result<Box<dyn UnitOfWork>, StoreError>> + Send,
        answer: Answer,
    ) -> Result<Committed, Problem> {
        if self.claim.is_none() {
            return Ok(Committed(answer));
        }
        let done = async { self.finish(begin.await?, answer).await };
        done.await.map_err(Problem::partly_done)
    }
}

impl Held {
    /// Lets the claim go, so that a repetition tries again. When that fails, it ends by itself.
    pub(crate) async fn release(&self, app: &crate::App) {
        if let Err(lost) = app.idempotency.release(&self.key, self.fence).await {
            tracing::warn!(error = %lost, "the claim of an idempotent request could not be let go");
        }
    }
}

/// Claims a key for one run; or answers what was kept of an earlier one.
async fn claim(
    app: &crate::App,
    key: RequestKey,
    hash: RequestHash,
    now: Timestamp,
) -> Result<Result<Held, Reply>, Problem> {
    match app.idempotency.claim(&key, hash, now).await? {
        Claim::Held(fence) => Ok(Ok(Held { key, fence, hash })),
        Claim::Running => Err(in_progress()),
        Claim::Reused => Err(reused()),
        Claim::Done(reply) => Ok(Err(reply)),
    }
}

async fn keep(unit: &dyn UnitOfWork, held: &Held, reply: &Reply) -> Result<(), Problem> {
    unit.replies().keep(&held.key, held.fence, reply).await.map_err(|error| match error {
        // Only the fence can clash here: the request outlived its claim and its client repeats it.
        StoreError::Conflict => in_progress(),
        error @ (StoreError::Taken { .. }
        | StoreError::Busy
        | StoreError::Undone
        | StoreError::OutOfRange
        | StoreError::Backend(_)) => error.into(),
    })
}

/// Runs a POST, once per key.
pub(crate) async fn run<C: Acting>(
    req: ApiRequest<C>,
    handler: &PostHandler<C>,
) -> Result<Response, Problem> {
    let access = req.access();
    let Some(key) = key(&req)? else {
        let Committed(answer) =
            rerun::until_done(|| handler(req.clone(), PendingReply { claim: None })).await?;
        return Ok(answer.into_response(access));
    };
    let app = req.app.clone();
    let context = req.context;
    let held = match claim(&app, key, hash(&req), context.now).await? {
        Ok(held) => held,
        Err(reply) => {
            let scope = req.caller.scope();
            let in_reach = reply.companies.iter().all(|company| scope.contains(*company));
            return if in_reach { Ok(replayed(reply, access)) } else { Err(Problem::not_found()) };
        }
    };
    let subject = req.subject();
    let run = rerun::until_done(|| handler(req.clone(), PendingReply { claim: Some(held.clone()) }));
    let outcome = AssertUnwindSafe(run).catch_unwind().await;
    let problem = match outcome.unwrap_or_else(|_| Err(Problem::internal())) {
        Ok(Committed(answer)) => return Ok(answer.into_response(access)),
        Err(problem) => subject.first(problem).await,
    };
    if !(problem.status().is_client_error() && problem.code.is_final()) {
        held.release(&app).await;
        return Err(problem);
    }
    let body = serde_json::to_vec(&problem.body(&app.settings.public_url, context.request));
    let reply = Reply {
        status: problem.status().as_u16(),
        headers: vec![("content-type".to_owned(), "application/problem+json".to_owned())],
        masked: body.unwrap_or_default(),
        full: None,
        companies: Vec::new(),
    };
    if let Err(lost) = keep_alone(&app, &held, &reply).await {
        // The claim ends by itself; the client learns of the first problem either way.
        tracing::warn!(problem = ?lost, "the end of an idempotent request could not be written");
    }
    Err(problem)
}

async fn keep_alone(app: &crate::App, held: &Held, reply: &Reply) -> Result<(), Problem> {
    let unit = app.business.begin().await?;
    keep(unit.as_ref(), held, reply).await?;
    Ok(unit.commit().await?)
}

const HEADER: &str = "idempotency-key";
const LONGEST_KEY: usize = 255;

fn key<C: Acting>(req: &ApiRequest<C>) -> Result<Option<RequestKey>, Problem> {
    let mut lines = req.headers.get_all(HEADER).iter();
    let Some(line) = lines.next() else { return Ok(None) };
    let text = line.to_str().unwrap_or_default();
    let printable = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if lines.next().is_some() || !printable || text.is_empty() || text.len() > LONGEST_KEY {
        return Err(Problem::parameter(
            "Idempotency-Key",
            "expected 1 to 255 printable ASCII characters, once",
        ));
    }
    Ok(Some(RequestKey { caller: req.caller.credential(), key: text.to_owned() }))
}

fn hash<C>(req: &ApiRequest<C>) -> RequestHash {
    let mut digest = Sha256::new();
    let query = req.uri.query().unwrap_or_default();
    for part in [req.method.as_str(), req.uri.path(), query] {
        // Lengths keep the parts apart: `/a` + `b` is another request than `/` + `ab`.
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    if let Some(upload) = &req.upload {
        digest.update(upload.hash());
    }
    for part in multipart::split(&req.headers, &req.body) {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    RequestHash(digest.finalize().into())
}

fn in_progress() -> Problem {
    Problem::new(Code::IdempotencyInProgress, "the first request with this Idempotency-Key is still running")
}

fn reused() -> Problem {
    Problem::new(
        Code::IdempotencyKeyReused,
        "this Idempotency-Key was used for another request: use a new one",
    )
    .at("Idempotency-Key", "reused", "belongs to another request")
}

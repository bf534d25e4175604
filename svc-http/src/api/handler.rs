//! What a route does once its caller is admitted: a function, and what every function of its kind shares.

use std::future::Future;
use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use http::header::{CONTENT_TYPE, IF_NONE_MATCH};
use http::{Method, StatusCode};
use svc_core::rerun;

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::{Acting, Caller};
use crate::idempotency::{self, Committed, Pending, PendingReply, PostHandler};
use crate::precondition;
use crate::problem::Problem;
use crate::upload::Owner;

type Run<C> = Box<dyn Fn(ApiRequest<C>) -> Pending<Result<Response, Problem>> + Send + Sync>;

/// Answers an admitted request.
pub(crate) struct Handler<C> {
    /// Whether it only reads: then it needs no body, and may stop when the client goes away.
    pub(crate) reads: bool,
    /// Whose the file of its body is, which goes straight into the content store.
    pub(crate) owner: Option<Owner<C>>,
    run: Run<C>,
}

impl<C: Caller> Handler<C> {
    /// A GET.
    pub(super) fn read<F, R>(handler: F) -> Self
    where
        F: Fn(ApiRequest<C>) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Answer, Problem>> + Send + 'static,
    {
        let run = move |req: ApiRequest<C>| -> Pending<Result<Response, Problem>> {
            let access = req.access();
            let conditions = req.headers.contains_key(IF_NONE_MATCH).then(|| req.headers.clone());
            let answer = handler(req);
            Box::pin(async move {
                let mut response = answer.await?.into_response(access);
                if conditions.is_some_and(|known| precondition::is_known(&known, response.headers())) {
                    *response.body_mut() = Body::empty();
                    *response.status_mut() = StatusCode::NOT_MODIFIED;
                    response.headers_mut().remove(CONTENT_TYPE);
                }
                Ok(response)
            })
        };
        Self { reads: true, owner: None, run: Box::new(run) }
    }

    /// A PATCH, a DELETE, or a POST without a unit of work.
    pub(super) fn change<F, R>(handler: F) -> Self
    where
        F: Fn(ApiRequest<C>) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Answer, Problem>> + Send + 'static,
    {
        let handler = Arc::new(handler);
        let run = move |req: ApiRequest<C>| -> Pending<Result<Response, Problem>> {
            let access = req.access();
            if req.method == Method::DELETE
                && let Err(problem) = req.no_body()
            {
                return Box::pin(std::future::ready(Err(problem)));
            }
            let handler = Arc::clone(&handler);
            Box::pin(async move {
                let answer = rerun::until_done(|| handler(req.clone())).await?;
                Ok(answer.into_response(access))
            })
        };
        Self { reads: false, owner: None, run: Box::new(run) }
    }

    /// A POST through a unit of work, run once per `Idempotency-Key`.
    pub(super) fn post<F, R>(handler: F) -> Self
    where
        C: Acting,
        F: Fn(ApiRequest<C>, PendingReply) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Committed, Problem>> + Send + 'static,
    {
        let handler: Arc<PostHandler<C>> = Arc::new(move |req, pending| Box::pin(handler(req, pending)));
        let run = move |req| -> Pending<Result<Response, Problem>> {
            let handler = handler.clone();
            Box::pin(async move { idempotency::run(req, &*handler).await })
        };
        Self { reads: false, owner: None, run: Box::new(run) }
    }

    /// The same with a body whose file goes straight into the content store.
    pub(super) fn storing(self, owner: Owner<C>) -> Self {
        Self { owner: Some(owner), ..self }
    }

    /// Answers a request.
    pub(crate) async fn answer(&self, req: ApiRequest<C>) -> Result<Response, Problem> {
        (self.run)(req).await
    }
}

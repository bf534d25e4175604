//! What requests of many items have in common: each item is a single call, with a status and a problem of its own.

use http::StatusCode;
use serde_json::Value;

use crate::api_request::ApiRequest;
use crate::problem::Problem;

/// The status and the body that the single call would be refused with.
pub(crate) fn refused(req: &ApiRequest, problem: &Problem) -> (StatusCode, Value) {
    let body = problem.body(&req.app.settings.public_url, req.context.request);
    (problem.status(), serde_json::to_value(&body).unwrap_or_default())
}

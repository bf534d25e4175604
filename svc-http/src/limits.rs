//! What is left of the budgets, told on every answer whose caller is known.

use axum::response::Response;
use http::HeaderValue;
use svc_auth::limit::LimitStatus;

/// `RateLimit` and `RateLimit-Policy` as the IETF draft writes them; a month has no fixed window.
pub(crate) fn tell(response: &mut Response, status: LimitStatus) {
    let policy =
        format!("\"minute\";q={};w=60, \"month\";q={}", status.limits.per_minute, status.limits.per_month);
    let left = format!(
        "\"minute\";r={};t={}, \"month\";r={};t={}",
        status.minute_left,
        status.minute_resets_in.as_secs(),
        status.month_left,
        status.month_resets_in.as_secs()
    );
    for (name, text) in [("ratelimit-policy", policy), ("ratelimit", left)] {
        if let Ok(value) = HeaderValue::try_from(text) {
            response.headers_mut().insert(name, value);
        }
    }
}

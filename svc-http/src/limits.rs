//! What is left of the budgets, told on every answer whose caller is known:
//! `RateLimit` and `RateLimit-Policy` as the IETF draft writes them.

use std::time::Duration;

use axum::response::Response;
use bytes::Bytes;
use http::{HeaderName, HeaderValue};
use svc_auth::limit::LimitStatus;

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const LEFT: HeaderName = HeaderName::from_static("ratelimit");

/// Writes both headers. A month has no fixed window, so its policy names none.
pub(crate) fn tell(response: &mut Response, status: LimitStatus) {
    let headers = response.headers_mut();
    let limits = status.limits;
    let policy = Line::new()
        .text("\"minute\";q=")
        .number(u64::from(limits.per_minute))
        .text(";w=60, \"month\";q=")
        .number(limits.per_month);
    headers.insert(POLICY, policy.into_value());
    let left = Line::new()
        .text("\"minute\";r=")
        .number(u64::from(status.minute_left))
        .text(";t=")
        .number(whole_seconds(status.minute_resets_in))
        .text(", \"month\";r=")
        .number(status.month_left)
        .text(";t=")
        .number(whole_seconds(status.month_resets_in));
    headers.insert(LEFT, left.into_value());
}

/// Seconds, rounded up, so that a client never comes back too early.
pub(crate) fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs().saturating_add(u64::from(wait.subsec_nanos() > 0))
}

/// A header in the making, in one piece of memory: every answer has two of them.
struct Line(Vec<u8>);

impl Line {
    fn new() -> Self {
        // Room for the names and four numbers of a usual size.
        Self(Vec::with_capacity(72))
    }

    fn text(mut self, text: &'static str) -> Self {
        self.0.extend_from_slice(text.as_bytes());
        self
    }

    fn number(mut self, number: u64) -> Self {
        self.0.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
        self
    }

    fn into_value(self) -> HeaderValue {
        HeaderValue::from_maybe_shared(Bytes::from(self.0)).expect("letters, digits and signs of ASCII")
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use svc_auth::limit::Limits;

    use super::*;

    fn told(status: LimitStatus) -> (String, String) {
        let mut response = Response::new(Body::empty());
        tell(&mut response, status);
        let text = |name| response.headers()[&name].to_str().expect("ASCII").to_owned();
        (text(POLICY), text(LEFT))
    }

    #[test]
    fn both_headers_are_written_as_the_draft_writes_them() {
        let status = LimitStatus {
            limits: Limits { per_minute: 300, per_month: 200_000 },
            minute_left: 0,
            minute_resets_in: Duration::from_millis(58_001),
            month_left: 199_700,
            month_resets_in: Duration::from_hours(24),
        };
        let policy = "\"minute\";q=300;w=60, \"month\";q=200000".to_owned();
        let left = "\"minute\";r=0;t=59, \"month\";r=199700;t=86400".to_owned();
        assert_eq!(told(status), (policy, left));
    }

    #[test]
    fn the_largest_numbers_have_room() {
        let status = LimitStatus {
            limits: Limits { per_minute: u32::MAX, per_month: u64::MAX },
            minute_left: u32::MAX,
            minute_resets_in: Duration::MAX,
            month_left: u64::MAX,
            month_resets_in: Duration::MAX,
        };
        let (policy, left) = told(status);
        assert_eq!(policy, "\"minute\";q=4294967295;w=60, \"month\";q=18446744073709551615");
        let most = u64::MAX;
        assert_eq!(left, format!("\"minute\";r=4294967295;t={most}, \"month\";r={most};t={most}"));
    }
}

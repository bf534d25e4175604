//! `/secret-scanning/reports`: tokens that were found where everybody can read them.
//!
//! Opt-in: the operator gives secret scanners a [`ScanningKey`](key::ScanningKey), and they sign
//! their reports with it. Each reported token is revoked at once. Values of
//! tokens are in these requests, so no text of a body comes back in a refusal,
//! and nothing of it is kept for a repetition.

pub(crate) mod key;
mod report;
mod verdict;

use http::StatusCode;

use crate::api::{Route, act};
use crate::gate::ByReport;

pub(crate) fn routes() -> Vec<Route> {
    vec![
        act("/secret-scanning/reports", ByReport, "Report tokens that were found in public")
            .about(
                "Every reported token of this service is revoked at once, all of a report or none. The answer tells of \
                 each in the order of the report. Sign the exact body: `X-SVC-Signature: t=<unix>,sha256=<hex>` with \
                 HMAC-SHA-256 over `<t>.<body>`, at most five minutes ago.",
            )
            .body::<report::Body>()
            .answers::<verdict::Verdicts>(StatusCode::OK)
            .refuses(&[StatusCode::NOT_FOUND])
            .to(verdict::judge),
    ]
}

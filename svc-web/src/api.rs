//! What programs need to begin with: where the API is, what describes it, and what is left of its limits.

use askama::Template;
use axum::response::Response;
use svc_auth::limit::LimitStatus;
use svc_http::Problem;

use crate::frame::{Frame, Place};
use crate::gate::{Administers, Developer, Seen};
use crate::instant::Instant;
use crate::page;
use crate::texts::filled;

#[derive(Template)]
#[template(path = "api.html")]
struct View {
    f: Frame,
    base: String,
    budgets: [Budget; 2],
}

/// Requests of the company within a span of time.
struct Budget {
    name: &'static str,
    used: u64,
    limit: u64,
    told: String,
    resets: Instant,
}

impl Budget {
    /// From where on it runs short.
    fn high(&self) -> u64 {
        self.limit / 10 * 9
    }
}

/// GET /companies/{company}/api
pub(crate) async fn show(seen: Seen<Developer>) -> Result<Response, Problem> {
    let app = seen.visit.app();
    let limits = app.authenticator.limits_of(seen.gate.administrator().company.id).await?;
    let base = format!("{}/api/v1", app.settings.public_url.trim_end_matches('/'));
    page::ok(&View { base, budgets: budgets(&seen, limits), f: Frame::of(&seen, Place::Api) })
}

fn budgets(seen: &Seen<Developer>, status: LimitStatus) -> [Budget; 2] {
    let (t, now) = (&seen.texts().api, seen.visit.now());
    let budget = |name, limit: u64, left: u64, resets_in| {
        let used = limit.saturating_sub(left);
        let told = filled(&filled(t.used, used), limit);
        Budget { name, used, limit, told, resets: now.plus(resets_in).into() }
    };
    let LimitStatus { limits, minute_left, minute_resets_in, month_left, month_resets_in } = status;
    [
        budget(t.minute, limits.per_minute.into(), minute_left.into(), minute_resets_in),
        budget(t.month, limits.per_month, month_left, month_resets_in),
    ]
}

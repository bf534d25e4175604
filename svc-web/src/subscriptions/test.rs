//! Sending a test event, and looking at what the receiver answered.

use axum::response::Response;
use svc_core::id::SubscriptionId;
use svc_core::unit::UnitOfWork;
use svc_http::Problem;
use svc_webhooks::delivery::{TestReport, begin_test, finish_test};

use crate::gate::{Developer, Seen};
use crate::once::{self, Once};
use crate::page;

/// POST /companies/{company}/webhooks/{id}/test
pub(crate) async fn send(seen: Seen<Developer>) -> Result<Response, Problem> {
    let id: SubscriptionId = seen.id()?;
    let sending = match once::claim(&seen.visit, &seen.at().visitor).await? {
        Once::First(sending) => sending,
        Once::Again(path) => return Ok(page::see_other(&path)),
    };
    let done = tested(&seen, id).await;
    let path = |report: &TestReport| seen.path(&format!("/deliveries/{}", report.delivery.id));
    let unit: Box<dyn UnitOfWork> = seen.visit.app().webhooks.begin().await?;
    let report = sending.settle(&seen.visit, unit, done, path).await?;
    Ok(page::see_other(&seen.path(&format!("/deliveries/{}", report.delivery.id))))
}

/// Commits the event with its delivery, and then makes the one attempt.
async fn tested(seen: &Seen<Developer>, id: SubscriptionId) -> Result<TestReport, Problem> {
    let app = seen.visit.app();
    let unit = app.webhooks.begin().await?;
    let run = begin_test(unit.as_ref(), seen.call(), id, &app.attempts).await?;
    unit.commit().await?;
    Ok(finish_test(run, &*app.webhooks, &*app.sender, &*app.clock, &app.attempts).await?)
}

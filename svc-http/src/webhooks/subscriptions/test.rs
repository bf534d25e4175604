//! POST /webhooks/subscriptions/{id}/test
//!
//! Two commits, with the attempt between them: the event and its leased
//! delivery first, then the reply to an idempotent request. After a crash in
//! between, the queue makes the attempt, and a repeated request sends another
//! test event: it tells the receiver nothing but that it is a test.

use http::StatusCode;
use svc_core::id::{DeliveryId, EventId};
use svc_core::unit::UnitOfWork;
use svc_core::wire::Form;
use svc_core::wire_view;
use svc_webhooks::delivery::{Status, TestReport, begin_test, finish_test};

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::problem::Problem;
use crate::webhooks::deliveries::millis;

wire_view! {
    /// How the one attempt ended.
    #[derive(Debug)]
    pub(crate) struct Report as "TestReport" {
        delivery_id: DeliveryId,
        event_id: EventId,
        /// Whether the receiver answered 2xx in time.
        delivered: bool,
        /// The receiver's status, when an answer came.
        status_code: Option<u16> => Form::range(100, 999).number(204),
        /// From the start of the attempt to its end.
        duration_ms: Option<u64>,
        /// Why it failed.
        error: Option<String>,
    }
}

pub(crate) async fn test(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let (id, scope) = (req.id("id")?, req.primary_scope()?);
    req.no_body()?;
    let app = &req.app;
    let unit = app.webhooks.begin().await?;
    let known = unit.subscriptions().find(&scope, id).await?.ok_or_else(Problem::not_found)?;
    req.subscribable().require(&known.events)?;
    let run = begin_test(unit.as_ref(), req.call_in(&scope), id, &app.attempts).await?;
    unit.commit().await?;
    let report = finish_test(run, &*app.webhooks, &*app.sender, &*app.clock, &app.attempts).await;
    let report = report.map_err(|failed| Problem::from(failed).partly_done())?;
    let answer = Answer::plain(StatusCode::OK, &view(report)).of(req.caller.principal.primary);
    pending.finish_alone(async { Ok(app.webhooks.begin().await? as Box<dyn UnitOfWork>) }, answer).await
}

fn view(TestReport { delivery, .. }: TestReport) -> Report {
    let (delivery_id, event_id, delivered) =
        (delivery.id, delivery.event, delivery.status() == Status::Delivered);
    let (status_code, duration_ms, error) = match delivery.last {
        Some(last) => (last.status_code, Some(millis(last.duration)), last.error),
        None => (None, None, None),
    };
    Report { delivery_id, event_id, delivered, status_code, duration_ms, error }
}

//! Asking for a replay: what it would send is counted before anything is sent.

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use svc_core::id::SubscriptionId;
use svc_http::Problem;
use svc_http::visit::Form;
use svc_webhooks::replay::{self, Again, Ended, EndedRequest, EventsRequest, Replay};
use svc_webhooks::subscription::Subscription;

use crate::errors::Errors;
use crate::frame::{Frame, Place};
use crate::gate::{Developer, Seen};
use crate::instant::minute;
use crate::once::{self, Once};
use crate::page;
use crate::subscriptions::{found, subscribable};

#[derive(Template)]
#[template(path = "replays/new.html")]
struct View {
    f: Frame,
    id: SubscriptionId,
    name: String,
    events: Vec<(String, bool)>,
    failed: bool,
    from: String,
    to: String,
    once: String,
    /// What was counted.
    reviewed: String,
    errors: Errors,
    /// How many would be sent, once the form is in order.
    matched: Option<u64>,
}

/// GET /companies/{company}/webhooks/{id}/replays/new
pub(crate) async fn show(seen: Seen<Developer>) -> Result<Response, Problem> {
    let one = found(&seen, seen.id()?).await?;
    form(&seen, StatusCode::OK, one, &Form::default(), Errors::default(), None)
}

/// POST /companies/{company}/webhooks/{id}/replays/new
pub(crate) async fn start(seen: Seen<Developer>) -> Result<Response, Problem> {
    let (one, sent, app) = (found(&seen, seen.id()?).await?, seen.visit.form(), seen.visit.app());
    let mut errors = Errors::default();
    let request = asked(&seen, sent, &mut errors);
    if !errors.is_empty() {
        return form(&seen, StatusCode::UNPROCESSABLE_ENTITY, one, sent, errors, None);
    }
    // Counting may take long, so no unit is open yet.
    let draft = match replay::prepare(&*app.replays, seen.call(), one.id, request, subscribable(&seen)).await
    {
        Ok(draft) => draft,
        Err(refused) => {
            errors.merge(Errors::of(Problem::from(refused), seen.language)?);
            return form(&seen, StatusCode::UNPROCESSABLE_ENTITY, one, sent, errors, None);
        }
    };
    if sent.text("step") != "start" || once::is_changed(sent) {
        return form(&seen, StatusCode::OK, one, sent, errors, Some(draft.matched));
    }
    let sending = match once::claim(&seen.visit, &seen.at().visitor).await? {
        Once::First(sending) => sending,
        Once::Again(path) => return Ok(page::see_other(&path)),
    };
    let unit = app.replays.begin_replay().await?;
    let started = replay::start(unit.as_ref(), seen.call(), draft).await.map_err(Problem::from);
    let path = |started: &Replay| seen.path(&format!("/replays/{}", started.id));
    let started = sending.settle(&seen.visit, unit, started, path).await?;
    Ok(page::see_other(&path(&started)))
}

/// What is asked for; what cannot be read is among the errors.
fn asked(seen: &Seen<Developer>, sent: &Form, errors: &mut Errors) -> Again {
    let instant = |field: &str, errors: &mut Errors| {
        let text = sent.text(field);
        let read = minute(text);
        if read.is_none() && !text.is_empty() {
            errors.add(field, seen.texts().replays.no_instant);
        }
        read
    };
    let (from, until) = (instant("from", errors), instant("to", errors));
    let kind = Some(sent.text("event")).filter(|kind| !kind.is_empty()).map(str::to_owned);
    if sent.text("what") == "failed" {
        return Again::Deliveries(EndedRequest {
            ended: Ended::Failed,
            kind,
            event: None,
            from,
            until,
            even_if_arrived: false,
        });
    }
    if from.is_none() && errors.is_empty() {
        errors.add("from", seen.texts().replays.no_instant);
    }
    Again::Events(EventsRequest { from: from.unwrap_or_default(), until, types: kind.map(|kind| vec![kind]) })
}

fn form(
    seen: &Seen<Developer>,
    status: StatusCode,
    of: Subscription,
    sent: &Form,
    errors: Errors,
    matched: Option<u64>,
) -> Result<Response, Problem> {
    let chosen = sent.text("event");
    let view = View {
        f: Frame::of(seen, Place::Webhooks),
        id: of.id,
        events: of.events.iter().map(|event| (event.name().to_owned(), event.name() == chosen)).collect(),
        failed: sent.text("what") != "events",
        from: sent.text("from").to_owned(),
        to: sent.text("to").to_owned(),
        once: once::mark(&*seen.visit.app().random),
        reviewed: once::digest(sent),
        errors,
        matched,
        name: of.name,
    };
    page::with(status, &view)
}

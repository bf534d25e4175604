//! Making a subscription; its secret is shown in the answer to the form.

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use svc_http::Problem;
use svc_webhooks::subscription::{self, CreateRequest, Subscription};

use super::draft::Draft;
use super::{secret, subscribable};
use crate::errors::Errors;
use crate::frame::{Frame, Place};
use crate::gate::{Developer, Seen};
use crate::once::{self, Once};
use crate::page;

#[derive(Template)]
#[template(path = "subscriptions/new.html")]
struct View {
    f: Frame,
    draft: Draft,
    once: String,
    errors: Errors,
}

/// GET /companies/{company}/webhooks/new
pub(crate) async fn show(seen: Seen<Developer>) -> Result<Response, Problem> {
    form(&seen, StatusCode::OK, Draft::new(&seen), Errors::default())
}

/// POST /companies/{company}/webhooks/new
pub(crate) async fn make(seen: Seen<Developer>) -> Result<Response, Problem> {
    let draft = Draft::read(&seen, seen.visit.form());
    let mut errors = Errors::default();
    let request = CreateRequest {
        name: draft.name.clone(),
        url: draft.url.clone(),
        events: draft.events.named(),
        headers: draft.headers(&seen, &mut errors),
        in_flight: draft.in_flight(&seen, &mut errors),
    };
    let app = seen.visit.app();
    // Resolves the URL's name, so no unit may be open yet.
    let checked = subscription::Draft::check(request, subscribable(&seen), &*app.sender).await;
    let checked = match checked.map_err(Problem::from) {
        Ok(checked) if errors.is_empty() => checked,
        Ok(_) => return form(&seen, StatusCode::UNPROCESSABLE_ENTITY, draft, errors),
        Err(problem) => {
            errors.merge(Errors::of(problem, seen.language)?);
            return form(&seen, StatusCode::UNPROCESSABLE_ENTITY, draft, errors);
        }
    };
    let sending = match once::claim(&seen.visit, &seen.at().visitor).await? {
        Once::First(sending) => sending,
        Once::Again(path) => return Ok(page::see_other(&format!("{path}?again"))),
    };
    let unit = app.webhooks.begin().await?;
    let made = subscription::create(unit.as_ref(), seen.call(), seen.at().company.id, checked).await;
    let path = |made: &Subscription| seen.path(&format!("/webhooks/{}", made.id));
    let made = sending.settle(&seen.visit, unit, made.map_err(Problem::from), path).await?;
    secret::page(&seen, &made)
}

fn form(
    seen: &Seen<Developer>,
    status: StatusCode,
    draft: Draft,
    errors: Errors,
) -> Result<Response, Problem> {
    let once = once::mark(&*seen.visit.app().random);
    page::with(status, &View { f: Frame::of(seen, Place::Webhooks), draft, once, errors })
}

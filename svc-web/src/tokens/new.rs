//! Making a token: one page, which tells in words what the token could do before it is made.

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use svc_auth::token::{self, CreateRequest, Token, TokenValue};
use svc_http::Problem;

use super::draft::{Draft, catalogue};
use super::permissions::{Told, told};
use super::value;
use crate::errors::Errors;
use crate::frame::{Frame, Place};
use crate::gate::{Developer, Seen};
use crate::life::Life;
use crate::once::{self, Once};
use crate::page;

#[derive(Template)]
#[template(path = "tokens/new.html")]
struct View {
    f: Frame,
    draft: Draft,
    lives: Vec<Life>,
    address: Option<String>,
    today: String,
    once: String,
    /// What the summary is of.
    reviewed: String,
    errors: Errors,
    /// What the token could do, once the form is in order.
    summary: Option<Vec<Told>>,
}

/// GET /companies/{company}/tokens/new
pub(crate) async fn show(seen: Seen<Developer>) -> Result<Response, Problem> {
    let draft = Draft::new(&seen).await?;
    form(&seen, StatusCode::OK, draft, Errors::default(), None)
}

/// POST /companies/{company}/tokens/new
pub(crate) async fn make(seen: Seen<Developer>) -> Result<Response, Problem> {
    let sent = seen.visit.form();
    let draft = Draft::read(&seen, sent).await?;
    let mut errors = Errors::default();
    let request = draft.request(&seen, &mut errors);
    if sent.text("step") != "create" || once::is_changed(sent) {
        if let Err(problem) = tried(&seen, request).await {
            errors.merge(Errors::of(problem, seen.language)?);
        }
        return reviewed(&seen, draft, errors);
    }
    if !errors.is_empty() {
        return form(&seen, StatusCode::UNPROCESSABLE_ENTITY, draft, errors, None);
    }
    let sending = match once::claim(&seen.visit, &seen.at().visitor).await? {
        Once::First(sending) => sending,
        Once::Again(path) => return Ok(page::see_other(&format!("{path}?again"))),
    };
    let app = seen.visit.app();
    let unit = app.auth.begin().await?;
    let done = token::create(unit.as_ref(), seen.wide_call(), request, &app.peppers, &app.policy).await;
    let path = |(token, _): &(Token, TokenValue)| seen.path(&format!("/tokens/{}", token.id));
    match sending.settle(&seen.visit, unit, done.map_err(Problem::from), path).await {
        Ok((token, value)) => {
            app.authenticator.forget();
            value::page(&seen, &token, &value)
        }
        Err(problem) => {
            let errors = Errors::of(problem, seen.language)?;
            form(&seen, StatusCode::UNPROCESSABLE_ENTITY, draft, errors, None)
        }
    }
}

/// Makes the token in a unit of work that is not committed: whatever would refuse it does so now.
async fn tried(seen: &Seen<Developer>, request: CreateRequest) -> Result<(), Problem> {
    let app = seen.visit.app();
    let unit = app.auth.begin().await?;
    token::create(unit.as_ref(), seen.wide_call(), request, &app.peppers, &app.policy).await?;
    Ok(())
}

fn reviewed(seen: &Seen<Developer>, draft: Draft, errors: Errors) -> Result<Response, Problem> {
    if !errors.is_empty() {
        return form(seen, StatusCode::UNPROCESSABLE_ENTITY, draft, errors, None);
    }
    let summary = told(&draft.grants(catalogue(seen)), catalogue(seen), seen.language);
    form(seen, StatusCode::OK, draft, errors, Some(summary))
}

fn form(
    seen: &Seen<Developer>,
    status: StatusCode,
    draft: Draft,
    errors: Errors,
    summary: Option<Vec<Told>>,
) -> Result<Response, Problem> {
    let view = View {
        lives: draft.lives(seen),
        address: seen.visit.from().map(|address| address.to_canonical().to_string()),
        today: seen.visit.now().date().to_string(),
        once: once::mark(&*seen.visit.app().random),
        reviewed: once::digest(seen.visit.form()),
        f: Frame::of(seen, Place::Tokens),
        draft,
        errors,
        summary,
    };
    page::with(status, &view)
}

//! Letting a guest in, who gets a link by mail.

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use svc_business::document::room::{self, DataRoomGrant, GrantInput};
use svc_business::record;
use svc_http::Problem;
use svc_http::visit::Form;

use super::refused;
use crate::errors::Errors;
use crate::frame::{Frame, Place};
use crate::gate::{Administrator, Seen};
use crate::instant;
use crate::language::Language;
use crate::once::{self, Once};
use crate::page;

#[derive(Template)]
#[template(path = "data_room/new.html")]
struct View {
    f: Frame,
    email: String,
    sections: String,
    last_day: String,
    personal_data: bool,
    chosen: Language,
    once: String,
    errors: Errors,
}

/// GET /companies/{company}/data-room/new
pub(crate) async fn show(seen: Seen<Administrator>) -> Result<Response, Problem> {
    form(&seen, StatusCode::OK, Errors::default())
}

/// POST /companies/{company}/data-room/new
pub(crate) async fn make(seen: Seen<Administrator>) -> Result<Response, Problem> {
    let sending = match once::claim(&seen.visit, &seen.at().visitor).await? {
        Once::First(sending) => sending,
        Once::Again(path) => return Ok(page::see_other(&path)),
    };
    let app = seen.visit.app();
    let (unit, input) = (app.business.begin().await?, input(&seen));
    let made = match record::home::<DataRoomGrant>(unit.as_ref(), seen.call(), seen.at().company.id).await {
        Ok(home) => room::grant(&home, input, &app.ceremony_key).await.map_err(refused),
        Err(closed) => Err(closed.into()),
    };
    let path = |grant: &DataRoomGrant| seen.path(&format!("/data-room/{}", grant.id));
    match sending.settle(&seen.visit, unit, made, &path).await {
        Ok(grant) => Ok(page::see_other(&path(&grant))),
        Err(problem) => form(&seen, StatusCode::UNPROCESSABLE_ENTITY, Errors::of(problem, seen.language)?),
    }
}

fn input(seen: &Seen<Administrator>) -> GrantInput {
    let sent = seen.visit.form();
    GrantInput {
        email: sent.text("email").to_owned(),
        sections: sent.lines("sections").map(str::to_owned).collect(),
        // The guest is let in for all of that day.
        expires_at: instant::day_after(sent.text("lastDay")),
        personal_data: sent.text("personalData") == "yes",
        language: chosen(sent, seen.language).tag().parse().expect("a language that pages have"),
    }
}

/// The language that was chosen for the guest; that of the page at first.
fn chosen(sent: &Form, otherwise: Language) -> Language {
    Language::parse(sent.text("language")).unwrap_or(otherwise)
}

fn form(seen: &Seen<Administrator>, status: StatusCode, errors: Errors) -> Result<Response, Problem> {
    let sent = seen.visit.form();
    let view = View {
        f: Frame::of(seen, Place::DataRoom),
        email: sent.text("email").to_owned(),
        sections: sent.raw("sections").to_owned(),
        last_day: sent.text("lastDay").to_owned(),
        personal_data: sent.text("personalData") == "yes",
        chosen: chosen(sent, seen.language),
        once: once::mark(&*seen.visit.app().random),
        errors,
    };
    page::with(status, &view)
}

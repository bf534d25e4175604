//! Making a group.

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use svc_business::group::{self, CreateRequest, Group};
use svc_http::Problem;

use super::{Choice, choices, names};
use crate::errors::Errors;
use crate::frame::{Frame, Place};
use crate::gate::{Person, Seen};
use crate::once::{self, Once};
use crate::page;

#[derive(Template)]
#[template(path = "groups/new.html")]
struct View {
    f: Frame,
    name: String,
    companies: Vec<Choice>,
    once: String,
    errors: Errors,
}

/// GET /groups/new
pub(crate) async fn show(seen: Seen<Person>) -> Result<Response, Problem> {
    form(&seen, StatusCode::OK, Errors::default())
}

/// POST /groups/new
pub(crate) async fn make(seen: Seen<Person>) -> Result<Response, Problem> {
    let sent = seen.visit.form();
    let Ok(parent) = sent.text("company").parse() else {
        let mut errors = Errors::default();
        errors.add("parentAccountId", seen.texts().groups.no_company);
        return form(&seen, StatusCode::UNPROCESSABLE_ENTITY, errors);
    };
    let sending = match once::claim(&seen.visit, &seen.gate.visitor).await? {
        Once::First(sending) => sending,
        Once::Again(path) => return Ok(page::see_other(&path)),
    };
    let app = seen.visit.app();
    let unit = app.business.begin().await?;
    let request = CreateRequest { name: sent.text("name").to_owned(), parent };
    let made = group::create(unit.as_ref(), seen.call(), request).await;
    let made = made.map_err(|refused| Problem::group(refused, "parentAccountId"));
    let done = sending.settle(&seen.visit, unit, made, |group: &Group| format!("/groups/{}", group.id)).await;
    app.authenticator.forget();
    match done {
        Ok(group) => Ok(page::see_other(&format!("/groups/{}", group.id))),
        Err(problem) => {
            let status = problem.status();
            form(&seen, status, Errors::of(problem, seen.language)?)
        }
    }
}

fn form(seen: &Seen<Person>, status: StatusCode, errors: Errors) -> Result<Response, Problem> {
    let (names, sent) = (names(seen), seen.visit.form());
    if names.is_empty() {
        return Err(Problem::role_required());
    }
    let view = View {
        f: Frame::of(seen, Place::Elsewhere),
        name: sent.text("name").to_owned(),
        companies: choices(&names, None, sent.text("company")),
        once: once::mark(&*seen.visit.app().random),
        errors,
    };
    page::with(status, &view)
}

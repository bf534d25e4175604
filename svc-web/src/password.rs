//! Changing one's own password.

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use svc_auth::session::{self, PasswordText};
use svc_http::Problem;

use crate::errors::Errors;
use crate::frame::{Frame, Place};
use crate::gate::{Person, Seen};
use crate::page;

#[derive(Template)]
#[template(path = "password.html")]
struct View {
    f: Frame,
    changed: bool,
    errors: Errors,
}

/// GET /password
pub(crate) async fn show(seen: Seen<Person>) -> Result<Response, Problem> {
    form(&seen, StatusCode::OK, Errors::default())
}

/// POST /password
pub(crate) async fn change(seen: Seen<Person>) -> Result<Response, Problem> {
    let (sent, app, visitor) = (seen.visit.form(), seen.visit.app(), &seen.gate.visitor);
    if sent.raw("new") != sent.raw("again") {
        let mut errors = Errors::default();
        errors.add("again", seen.texts().password.differs);
        return form(&seen, StatusCode::UNPROCESSABLE_ENTITY, errors);
    }
    let [current, new] = ["current", "new"].map(|field| PasswordText::new(sent.raw(field)));
    let call = seen.call();
    let signed_in = visitor.signed_in();
    let done =
        session::change_password(&*app.sessions, &*app.hasher, &app.peppers, call, signed_in, current, new)
            .await;
    match done {
        Ok(()) => {
            app.tell_password_changed(signed_in.person().id, false, seen.visit.now()).await;
            Ok(page::see_other("/password?changed"))
        }
        Err(refused) => {
            let errors = Errors::of(Problem::from(refused), seen.language)?;
            form(&seen, StatusCode::UNPROCESSABLE_ENTITY, errors)
        }
    }
}

fn form(seen: &Seen<Person>, status: StatusCode, errors: Errors) -> Result<Response, Problem> {
    let changed = seen.visit.query().has("changed");
    page::with(status, &View { f: Frame::of(seen, Place::Elsewhere), changed, errors })
}

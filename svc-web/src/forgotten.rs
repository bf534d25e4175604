//! A new password by a link in a mail.
//!
//! The page that asks for it answers alike for every address, after the same steps: it counts, and it puts a job. Whether a
//! person has the address, only the worker of that job finds out.

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use svc_auth::session::{self, PasswordText, ResetError};
use svc_business::party::Email;
use svc_business::user::PersonLetter;
use svc_http::Problem;

use crate::errors::Errors;
use crate::frame::Frame;
use crate::gate::{Anyone, Seen};
use crate::joining::{self, around};
use crate::page;
use crate::sign_in::waiting;
use crate::texts::filled;

/// What names a visit by this kind of link in logs.
const KIND: &str = "password_reset_link";

#[derive(Template)]
#[template(path = "forgotten.html")]
struct Ask {
    f: Frame,
    email: String,
    sent: bool,
    refusal: Option<String>,
    errors: Errors,
}

#[derive(Template)]
#[template(path = "reset.html")]
struct Choose {
    f: Frame,
    email: String,
    at: String,
    errors: Errors,
}

/// GET /forgotten
pub(crate) async fn show(seen: Seen<Anyone>) -> Result<Response, Problem> {
    ask(&seen, StatusCode::OK, None, Errors::default())
}

/// POST /forgotten
pub(crate) async fn send(seen: Seen<Anyone>) -> Result<Response, Problem> {
    let (visit, t) = (&seen.visit, &seen.texts().forgotten);
    let app = visit.app();
    let typed = visit.form().text("email");
    let Ok(email) = typed.parse::<Email>() else {
        let mut errors = Errors::default();
        errors.add("email", seen.texts().members.no_email);
        return ask(&seen, StatusCode::UNPROCESSABLE_ENTITY, None, errors);
    };
    let admitted =
        session::admit_reset(&*app.sessions, &app.peppers, email.as_str(), visit.from(), visit.now()).await;
    match admitted {
        Ok(()) => {}
        Err(error) => {
            let problem = Problem::from(error);
            let Some(seconds) = problem.seconds_to_wait() else { return Err(problem) };
            let response = ask(&seen, problem.status(), Some(filled(t.wait, seconds)), Errors::default())?;
            return Ok(waiting(response, &problem));
        }
    }
    app.put_letter(&PersonLetter::ResetLink { email: email.as_str().to_owned() }, visit.now()).await?;
    Ok(page::see_other("/forgotten?sent"))
}

/// GET /reset/{link}
pub(crate) async fn choose(seen: Seen<Anyone>) -> Result<Response, Problem> {
    form(&seen, StatusCode::OK, Errors::default()).await
}

/// POST /reset/{link}
pub(crate) async fn reset(seen: Seen<Anyone>) -> Result<Response, Problem> {
    let (visit, sent) = (&seen.visit, seen.visit.form());
    let app = visit.app();
    if sent.raw("new") != sent.raw("again") {
        let mut errors = Errors::default();
        errors.add("again", seen.texts().password.differs);
        return form(&seen, StatusCode::UNPROCESSABLE_ENTITY, errors).await;
    }
    let (by, new) = (visit.by_link(KIND, None), PasswordText::new(sent.raw("new")));
    let call = visit.call_by_link(&by);
    let done =
        session::reset_password(&*app.sessions, &*app.hasher, &app.peppers, call, link(&seen), new).await;
    let person = match done {
        Ok(person) => person,
        Err(ResetError::Dead) => return dead(&seen),
        Err(ResetError::Invalid(invalid)) => {
            let errors = Errors::of(invalid.into(), seen.language)?;
            return form(&seen, StatusCode::UNPROCESSABLE_ENTITY, errors).await;
        }
        Err(ResetError::Hasher(error)) => return Err(error.into()),
        Err(ResetError::Store(error)) => return Err(error.into()),
    };
    app.tell_password_changed(person.id, true, visit.now()).await;
    let mut response = page::see_other("/sign-in?reset");
    page::set_cookie(&mut response, &visit.no_session_cookie());
    Ok(response)
}

fn link(seen: &Seen<Anyone>) -> &str {
    seen.visit.named("link").unwrap_or_default()
}

fn ask(
    seen: &Seen<Anyone>,
    status: StatusCode,
    refusal: Option<String>,
    errors: Errors,
) -> Result<Response, Problem> {
    let (sent, email) = (seen.visit.query().has("sent"), seen.visit.form().text("email").to_owned());
    around(seen, status, |f| Ask { f, email, sent, refusal, errors })
}

async fn form(seen: &Seen<Anyone>, status: StatusCode, errors: Errors) -> Result<Response, Problem> {
    let app = seen.visit.app();
    let found = session::find_reset(&*app.sessions, &app.peppers, link(seen), seen.visit.now()).await?;
    let Some(person) = found else { return dead(seen) };
    let at = format!("{}/reset/{}", seen.root(), link(seen));
    around(seen, status, |f| Choose { f, email: person.email, at, errors })
}

fn dead(seen: &Seen<Anyone>) -> Result<Response, Problem> {
    let t = &seen.texts().forgotten;
    joining::dead(seen, StatusCode::GONE, (t.dead, t.dead_text), ("/forgotten", t.again))
}

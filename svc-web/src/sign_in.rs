//! Signing in and out.

pub(crate) mod code;

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use http::header::RETRY_AFTER;
use svc_auth::session::{self, PasswordText, SessionValue, SignIn, SignInError, SignInRequest};
use svc_http::visit::{Form, Seed, Visit};
use svc_http::{Code, Problem};

use crate::frame::Frame;
use crate::gate::{Anyone, Person, Seen};
use crate::page;
use crate::texts::{self, filled};

#[derive(Template)]
#[template(path = "sign_in.html")]
struct View {
    f: Frame,
    email: String,
    then: String,
    signed_out: bool,
    was_reset: bool,
    refusal: Option<String>,
}

/// The path of a form that signs in, with the page that comes after.
pub(crate) fn then(form: &str, path: &str) -> String {
    let worth = page::local(path).filter(|path| *path != "/");
    // A local path is ASCII; what would end the query or stand for a space in it is written as a code.
    worth.map_or_else(
        || form.to_owned(),
        |path| {
            format!(
                "{form}?then={}",
                path.replace('%', "%25").replace('&', "%26").replace('+', "%2B").replace('#', "%23")
            )
        },
    )
}

/// GET /sign-in
pub(crate) async fn show(seen: Seen<Anyone>) -> Result<Response, Problem> {
    let query = seen.visit.query();
    let next = page::local(query.text("then")).unwrap_or("/");
    if seen.visit.visitor().is_some() {
        return Ok(page::see_other(next));
    }
    form(&seen, StatusCode::OK, next, String::new(), None)
}

/// POST /sign-in
pub(crate) async fn sign_in(seen: Seen<Anyone>) -> Result<Response, Problem> {
    let (visit, form_sent) = (&seen.visit, seen.visit.form());
    let next = page::local(form_sent.text("then")).unwrap_or("/");
    let password = PasswordText::new(form_sent.raw("password"));
    let done = begin(visit, form_sent.text("email"), password).await;
    match done.map_err(Problem::from) {
        Ok((came, value)) => {
            let next = match came {
                SignIn::Complete(_) => next.to_owned(),
                SignIn::AwaitsCode(_) => then("/sign-in/code", next),
            };
            let mut response = page::see_other(&next);
            page::set_cookie(&mut response, &visit.session_cookie(&value));
            Ok(response)
        }
        Err(problem) => refused(&seen, next, form_sent, problem),
    }
}

/// Begins a session of this browser, for who has this address and this password.
pub(crate) async fn begin(
    visit: &Visit,
    email: &str,
    password: PasswordText,
) -> Result<(SignIn, SessionValue), SignInError> {
    let (app, email) = (visit.app(), email.to_owned());
    let request = SignInRequest { email, password, from: visit.from(), device: visit.device() };
    let (sessions, hasher, random) = (&*app.sessions, &*app.hasher, &*app.random);
    session::sign_in(sessions, hasher, &app.peppers, app.lifetime, request, visit.now(), random).await
}

/// POST /sign-out
pub(crate) async fn sign_out(seen: Seen<Person>) -> Result<Response, Problem> {
    session::sign_out(&*seen.visit.app().sessions, seen.gate.visitor.signed_in()).await?;
    let mut response = page::see_other("/sign-in?signed-out");
    page::set_cookie(&mut response, &seen.visit.no_session_cookie());
    Ok(response)
}

/// The form with what was typed, passwords aside.
fn refused(seen: &Seen<Anyone>, next: &str, sent: &Form, problem: Problem) -> Result<Response, Problem> {
    let t = &seen.texts().sign_in;
    let Some(text) = told(&problem, t) else { return Err(problem) };
    let response = form(seen, problem.status(), next, sent.text("email").to_owned(), Some(text))?;
    Ok(waiting(response, &problem))
}

/// What a person is told who is not signed in for it; `None` of a problem that is for a page of its own.
pub(super) fn told(problem: &Problem, t: &texts::SignIn) -> Option<String> {
    match (problem.code(), problem.seconds_to_wait()) {
        (Code::SignInFailed, _) => Some(t.refused.to_owned()),
        (Code::SessionInvalid, _) => Some(t.begin_again.to_owned()),
        (Code::CodeRejected, _) => Some(t.wrong_code.to_owned()),
        (Code::RateLimited, Some(seconds)) => Some(filled(t.wait, seconds)),
        (Code::Busy, _) => Some(t.busy.to_owned()),
        _ => None,
    }
}

/// With how long to wait, when the problem says so.
pub(crate) fn waiting(mut response: Response, problem: &Problem) -> Response {
    if let Some(seconds) = problem.seconds_to_wait() {
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    response
}

pub(super) fn form(
    seen: &Seen<Anyone>,
    status: StatusCode,
    next: &str,
    email: String,
    refusal: Option<String>,
) -> Result<Response, Problem> {
    let [signed_out, was_reset] = ["signed-out", "reset"].map(|told| seen.visit.query().has(told));
    tied(seen, status, |tie| {
        let f = Frame::before_sign_in(seen, tie);
        View { f, email, then: next.to_owned(), signed_out, was_reset, refusal }
    })
}

/// A page whose form is tied to a browser that is not signed in: one that has nothing to be tied by gets it.
pub(crate) fn tied<T: Template>(
    seen: &Seen<Anyone>,
    status: StatusCode,
    view: impl FnOnce(&Seed) -> T,
) -> Result<Response, Problem> {
    let visit = &seen.visit;
    let known = visit.browser().seed.clone();
    let fresh = known.is_none();
    let tie = known.unwrap_or_else(|| Seed::generate(&*visit.app().random));
    page::tied(visit, status, &view(&tie), fresh.then_some(&tie))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_that_was_asked_for_comes_back_out_of_the_query() {
        for path in ["/companies/acc_1/tokens?page=2&q=a+b", "/a%20b#c"] {
            let at = then("/sign-in", path);
            let query = at.split_once('?').expect("a query").1;
            assert_eq!(Form::read(query.as_bytes()).expect("a query").text("then"), path);
        }
        for path in ["/", "//evil.example"] {
            assert_eq!(then("/sign-in/code", path), "/sign-in/code");
        }
    }
}

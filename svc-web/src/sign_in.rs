//! Signing in and out.

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use http::header::RETRY_AFTER;
use svc_auth::session::{self, PasswordText, SignInRequest};
use svc_http::visit::{Form, Seed};
use svc_http::{Code, Problem};

use crate::frame::Frame;
use crate::gate::{Anyone, Person, Seen};
use crate::page;
use crate::texts::filled;

#[derive(Template)]
#[template(path = "sign_in.html")]
struct View {
    f: Frame,
    email: String,
    then: String,
    signed_out: bool,
    refusal: Option<String>,
}

/// The path of the form, with the page that comes after.
pub(crate) fn then(path: &str) -> String {
    let worth = page::local(path).filter(|path| *path != "/");
    // A local path is ASCII; what would end the query or stand for a space in it is written as a code.
    worth.map_or_else(
        || "/sign-in".to_owned(),
        |path| {
            format!(
                "/sign-in?then={}",
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
    let request = SignInRequest {
        email: form_sent.text("email").to_owned(),
        password: PasswordText::new(form_sent.raw("password")),
        from: visit.from(),
        device: visit.device(),
    };
    let app = visit.app();
    let done = session::sign_in(
        &*app.sessions,
        &*app.hasher,
        &app.peppers,
        app.lifetime,
        request,
        visit.now(),
        &*app.random,
    )
    .await;
    match done.map_err(Problem::from) {
        Ok((_, value)) => {
            let mut response = page::see_other(next);
            page::set_cookie(&mut response, &visit.session_cookie(&value));
            Ok(response)
        }
        Err(problem) => refused(&seen, next, form_sent, problem),
    }
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
    let text = match (problem.code(), problem.seconds_to_wait()) {
        (Code::SignInFailed, _) => t.refused.to_owned(),
        (Code::RateLimited, Some(seconds)) => filled(t.wait, seconds),
        (Code::Busy, _) => t.busy.to_owned(),
        _ => return Err(problem),
    };
    let mut response = form(seen, problem.status(), next, sent.text("email").to_owned(), Some(text))?;
    if let Some(seconds) = problem.seconds_to_wait() {
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    Ok(response)
}

fn form(
    seen: &Seen<Anyone>,
    status: StatusCode,
    next: &str,
    email: String,
    refusal: Option<String>,
) -> Result<Response, Problem> {
    let signed_out = seen.visit.query().has("signed-out");
    tied(seen, status, |tie| {
        let f = Frame::before_sign_in(seen, tie);
        View { f, email, then: next.to_owned(), signed_out, refusal }
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
    let mut response = page::with(status, &view(&tie))?;
    if fresh {
        page::set_cookie(&mut response, &visit.seed_cookie(&tie));
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_that_was_asked_for_comes_back_out_of_the_query() {
        for path in ["/companies/acc_1/tokens?page=2&q=a+b", "/a%20b#c"] {
            let at = then(path);
            let query = at.split_once('?').expect("a query").1;
            assert_eq!(Form::read(query.as_bytes()).expect("a query").text("then"), path);
        }
        assert_eq!((then("/"), then("//evil.example")), ("/sign-in".to_owned(), "/sign-in".to_owned()));
    }
}

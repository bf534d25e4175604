//! The second step of signing in: a code.

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use svc_auth::session::{self, SignInCode};
use svc_http::{Code, Problem};
use zeroize::Zeroizing;

use super::{form, tied, told, waiting};
use crate::frame::Frame;
use crate::gate::{Anyone, Seen};
use crate::page;

#[derive(Template)]
#[template(path = "sign_in_code.html")]
struct View {
    f: Frame,
    then: String,
    refusal: Option<String>,
}

/// GET /sign-in/code
pub(crate) async fn show(seen: Seen<Anyone>) -> Result<Response, Problem> {
    let next = page::local(seen.visit.query().text("then")).unwrap_or("/");
    if seen.visit.visitor().is_some() {
        return Ok(page::see_other(next));
    }
    if seen.visit.session_value().is_empty() {
        return Ok(page::see_other(&super::then("/sign-in", next)));
    }
    ask(&seen, StatusCode::OK, next, None)
}

/// POST /sign-in/code
pub(crate) async fn give(seen: Seen<Anyone>) -> Result<Response, Problem> {
    let (visit, sent) = (&seen.visit, seen.visit.form());
    let next = page::local(sent.text("then")).unwrap_or("/");
    let given = SignInCode {
        value: visit.session_value(),
        code: Zeroizing::new(sent.text("code").to_owned()),
        from: visit.from(),
        device: visit.device(),
    };
    let app = visit.app();
    let done = session::complete_sign_in(
        &*app.sessions,
        &app.peppers,
        app.lifetime,
        given,
        visit.now(),
        &*app.random,
    )
    .await;
    let problem = match done.map_err(Problem::from) {
        Ok((_, value)) => {
            let mut response = page::see_other(next);
            page::set_cookie(&mut response, &visit.session_cookie(&value));
            return Ok(response);
        }
        Err(problem) => problem,
    };
    let Some(text) = told(&problem, &seen.texts().sign_in) else { return Err(problem) };
    let response = if problem.code() == Code::SessionInvalid {
        form(&seen, problem.status(), next, String::new(), Some(text))?
    } else {
        ask(&seen, problem.status(), next, Some(text))?
    };
    Ok(waiting(response, &problem))
}

fn ask(
    seen: &Seen<Anyone>,
    status: StatusCode,
    next: &str,
    refusal: Option<String>,
) -> Result<Response, Problem> {
    tied(seen, status, |tie| View { f: Frame::before_sign_in(seen, tie), then: next.to_owned(), refusal })
}

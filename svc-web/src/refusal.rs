//! The page of a refusal.

use askama::Template;
use axum::extract::Request;
use axum::response::Response;
use http::header::RETRY_AFTER;
use http::{HeaderMap, HeaderValue, StatusCode};
use svc_core::id::RequestId;
use svc_http::Problem;
use svc_http::visit::{Browser, Door, request_id};

use crate::errors;
use crate::frame::Frame;
use crate::language::Language;
use crate::{page, sign_in};

/// What a refused visitor asked for.
pub(crate) struct Asked {
    pub(crate) headers: HeaderMap,
    root: String,
    /// Path and query.
    pub(crate) path: String,
    /// Whether it was a page, and not a form.
    pub(crate) reads: bool,
    request: Option<RequestId>,
}

#[derive(Template)]
#[template(path = "refusal.html")]
struct View {
    f: Frame,
    title: &'static str,
    text: String,
    /// What the operator finds in the log.
    request: Option<RequestId>,
    /// Where to go on, below the root, and by which words.
    way: (String, &'static str),
}

impl Asked {
    pub(crate) fn of(door: &Door, request: &Request) -> Self {
        Self {
            headers: request.headers().clone(),
            root: door.app().settings.prefix().to_owned(),
            path: request.uri().to_string(),
            reads: request.method().is_safe(),
            request: request_id(request),
        }
    }

    /// The page to go on with: a form belongs to the one above it, unless it is a page itself, and all that a link leads to
    /// belongs to the page of the link.
    fn above(&self) -> String {
        let plain = self.path.split('?').next().unwrap_or_default();
        let parts: Vec<&str> = plain.split('/').skip(1).collect();
        match parts.as_slice() {
            [of @ ("sign" | "room"), link, ..] => format!("/{of}/{link}"),
            _ if self.reads => "/".to_owned(),
            // Their addresses are secrets, or say what is asked for.
            ["oauth", ..] | ["reset" | "first-run" | "invitation" | "uploads", _] => self.path.clone(),
            ["sessions" | "connections", ..] => "/sessions".to_owned(),
            ["invitations", ..] => "/companies".to_owned(),
            ["groups", group, _, ..] => format!("/groups/{group}"),
            _ => match plain.rsplit_once('/') {
                Some((above, _)) if !above.is_empty() => above.to_owned(),
                Some(_) | None => "/".to_owned(),
            },
        }
    }
}

/// What a visitor is told, and how they go on.
pub(crate) fn page(asked: &Asked, browser: &Browser, problem: &Problem) -> Response {
    let f = Frame::around(&asked.headers, &asked.root, "/".to_owned(), browser);
    let t = &f.t.refusal;
    let (title, text) = told(problem, f.language);
    let way = if problem.status() == StatusCode::UNAUTHORIZED {
        (sign_in::then("/sign-in", &asked.above()), t.sign_in)
    } else {
        (asked.above(), t.go_on)
    };
    let request = asked.request.filter(|_| problem.status().is_server_error());
    let answer = page::with(problem.status(), &View { f, title, text, request, way });
    let mut response = answer.unwrap_or_else(|_| page::see_other("/"));
    if let Some(seconds) = problem.seconds_to_wait() {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// Title and text.
fn told(problem: &Problem, language: Language) -> (&'static str, String) {
    let t = &language.texts().refusal;
    if let Some((_, text)) = t.of_codes().into_iter().find(|(code, _)| *code == problem.code()) {
        let title = if problem.status() == StatusCode::FORBIDDEN { t.not_allowed } else { t.refused };
        return (title, text.to_owned());
    }
    match problem.status().as_u16() {
        401 => (t.session_ended, t.session_ended_text.to_owned()),
        403 => (t.form_stale, t.form_stale_text.to_owned()),
        404 => (t.not_found, t.not_found_text.to_owned()),
        409 | 412 => (t.changed, t.changed_text.to_owned()),
        429 => (t.too_many, t.too_many_text.to_owned()),
        status if status >= 500 => (t.failed, t.failed_text.to_owned()),
        _ => (t.refused, errors::sentence(problem.detail())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_leads_on_to_a_page() {
        let above = |reads: bool, path: &str| {
            let asked = Asked {
                headers: HeaderMap::new(),
                root: String::new(),
                path: path.to_owned(),
                reads,
                request: None,
            };
            asked.above()
        };
        for (form, page) in [
            ("/oauth/authorize?client_id=a&state=b", "/oauth/authorize?client_id=a&state=b"),
            ("/reset/secret", "/reset/secret"),
            ("/first-run/secret", "/first-run/secret"),
            ("/sessions/ses_1/end", "/sessions"),
            ("/connections/tok_1/end", "/sessions"),
            ("/invitations/mem_1/accept", "/companies"),
            ("/groups/grp_1/companies/acc_1/remove", "/groups/grp_1"),
            ("/groups/grp_1/companies", "/groups/grp_1"),
            ("/groups/new", "/groups"),
            ("/groups/grp_1", "/groups"),
            ("/companies/acc_1/tokens/new", "/companies/acc_1/tokens"),
            ("/sign/secret/sign", "/sign/secret"),
            ("/preferences", "/"),
        ] {
            assert_eq!(above(false, form), page, "{form}");
        }
        assert_eq!(above(true, "/companies/acc_1/tokens"), "/");
        assert_eq!(above(true, "/room/secret/files/1"), "/room/secret");
    }
}

//! A page as an answer.

use askama::Template;
use axum::body::Body;
use axum::response::Response;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, REFERRER_POLICY, SET_COOKIE, VARY,
    X_FRAME_OPTIONS,
};
use http::{HeaderName, HeaderValue, StatusCode, Uri};
use svc_http::Problem;
use svc_http::visit::{Seed, Visit};

/// Styles and scripts are files of this origin; forms go to it, and no page of another one frames these.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const FORM_ACTION: &str = "form-action 'self'";

/// Headers of every page. None is kept by a cache, and none tells other sites where it was.
const HEADERS: [(HeaderName, HeaderValue); 6] = [
    (CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
    (CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (VARY, HeaderValue::from_static("Cookie, Accept-Language")),
];

/// The page of a template.
pub(crate) fn ok(template: &impl Template) -> Result<Response, Problem> {
    with(StatusCode::OK, template)
}

/// The page of a template, with another status.
pub(crate) fn with(status: StatusCode, template: &impl Template) -> Result<Response, Problem> {
    let html = template.render().map_err(|error| {
        tracing::error!(%error, "a page could not be written");
        Problem::internal()
    })?;
    let mut response = Response::new(Body::from(html));
    *response.status_mut() = status;
    response.headers_mut().extend(HEADERS);
    Ok(response)
}

/// The page of a template, with the cookie that its forms belong to where the browser had none.
pub(crate) fn tied(
    visit: &Visit,
    status: StatusCode,
    template: &impl Template,
    fresh: Option<&Seed>,
) -> Result<Response, Problem> {
    let mut response = with(status, template)?;
    if let Some(fresh) = fresh {
        set_cookie(&mut response, &visit.seed_cookie(fresh));
    }
    Ok(response)
}

/// Lets the form of a page lead to another origin in the end, which this source names: browsers hold the address that a
/// form is sent on to against the policy too (Content Security Policy Level 3, section 6.4.2).
pub(crate) fn allow_form(response: &mut Response, source: &HeaderValue) {
    let wider = source.to_str().map(|source| POLICY.replace(FORM_ACTION, &format!("{FORM_ACTION} {source}")));
    if let Some(wider) = wider.ok().and_then(|policy| HeaderValue::try_from(policy).ok()) {
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, wider);
    }
}

/// Sends the browser to another page after a form, with GET (RFC 9110, section 15.4.4). The router puts `root` in
/// front of the path.
pub(crate) fn see_other(path: &str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    let headers = response.headers_mut();
    headers.insert(LOCATION, HeaderValue::try_from(path).unwrap_or(HeaderValue::from_static("/")));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Adds a line `Set-Cookie`.
pub(crate) fn set_cookie(response: &mut Response, line: &str) {
    if let Ok(line) = HeaderValue::try_from(line) {
        response.headers_mut().append(SET_COOKIE, line);
    }
}

/// A path of these pages, as a form or a link names it to come back to; what could lead to another site is none.
pub(crate) fn local(path: &str) -> Option<&str> {
    let sound = path.starts_with('/')
        && !path.starts_with("//")
        && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
        && path.parse::<Uri>().is_ok();
    sound.then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_path_of_this_service_is_come_back_to() {
        for path in ["/", "/companies/acc_1?page=2", "/a//b"] {
            assert_eq!(local(path), Some(path));
        }
        for path in [
            "",
            "a",
            "//evil.example",
            "https://evil.example",
            "/\\evil.example",
            "/a\tb",
            "/a b",
            "/\"><b>",
            "/a\r\nX: y",
        ] {
            assert_eq!(local(path), None, "{path:?}");
        }
    }
}

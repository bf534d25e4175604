//! The page that shows a new value, once.

use askama::Template;
use axum::response::Response;
use svc_auth::token::{Token, TokenValue};
use svc_http::Problem;

use crate::frame::{Frame, Place};
use crate::gate::{Developer, Seen};
use crate::page;

#[derive(Template)]
#[template(path = "tokens/value.html")]
struct View<'a> {
    f: Frame,
    name: &'a str,
    id: String,
    value: &'a str,
    base: String,
}

/// Shows it in the answer to the form, and nowhere else.
pub(super) fn page(seen: &Seen<Developer>, token: &Token, value: &TokenValue) -> Result<Response, Problem> {
    page::ok(&View {
        f: Frame::of(seen, Place::Tokens),
        name: &token.name,
        id: token.id.to_string(),
        value: value.expose(),
        base: seen.visit.app().settings.public_url.clone(),
    })
}

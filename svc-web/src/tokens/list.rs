//! The tokens of a company, newest last.

use std::net::IpAddr;

use askama::Template;
use axum::response::Response;
use svc_auth::token::Token;
use svc_http::Problem;

use super::draft::catalogue;
use super::{kind, state, warning};
use crate::frame::{Frame, Place};
use crate::gate::{Developer, Seen};
use crate::instant::Instant;
use crate::page;
use crate::pager::{self, Pager};

#[derive(Template)]
#[template(path = "tokens/list.html")]
struct View {
    f: Frame,
    rows: Vec<Row>,
    pager: Pager,
}

struct Row {
    id: String,
    name: String,
    kind: &'static str,
    /// Of a token; a connection has no value.
    prefix: Option<String>,
    state: (&'static str, &'static str),
    used: Option<(Instant, Option<IpAddr>)>,
    expires: Option<Instant>,
    warnings: Vec<&'static str>,
}

/// GET /companies/{company}/tokens
pub(crate) async fn list(seen: Seen<Developer>) -> Result<Response, Problem> {
    let request = pager::asked(seen.visit.query());
    let tokens = seen.visit.app().auth.tokens().page(&seen.at().scope, request).await?;
    let pager = Pager::of(&tokens, seen.visit.uri(), seen.texts());
    let rows = tokens.items.iter().map(|token| row(&seen, token)).collect();
    page::ok(&View { f: Frame::of(&seen, Place::Tokens), rows, pager })
}

fn row(seen: &Seen<Developer>, token: &Token) -> Row {
    let (t, now) = (&seen.texts().tokens, seen.visit.now());
    Row {
        id: token.id.to_string(),
        name: token.name.clone(),
        kind: kind(token, t),
        prefix: token.connection.is_none().then(|| token.prefix.clone()),
        state: state(token.status(now), t),
        used: token.last_used_at.map(|at| (at.into(), token.last_used_from)),
        expires: token.expires_at.map(Instant::from),
        warnings: warning::of(token, catalogue(seen), now, t),
    }
}

//! One token: what it may do, where it was used, and what can be done with it.

use std::net::IpAddr;

use askama::Template;
use axum::response::Response;
use svc_auth::calls::CallRecord;
use svc_auth::token::{Status, Token};
use svc_core::id::TokenId;
use svc_http::Problem;

use super::draft::catalogue;
use super::permissions::{Told, told};
use super::{kind, state, warning};
use crate::frame::{Frame, Place};
use crate::gate::{Developer, Seen};
use crate::instant::Instant;
use crate::page;

#[derive(Template)]
#[template(path = "tokens/show.html")]
struct View {
    f: Frame,
    id: TokenId,
    name: String,
    kind: &'static str,
    /// Of a token; a connection has no value.
    prefix: Option<String>,
    /// Of a connection.
    client: Option<String>,
    state: (&'static str, &'static str),
    status: Status,
    told: Vec<Told>,
    written: String,
    personal_data: bool,
    allowed_ips: Vec<String>,
    companies: Vec<String>,
    groups: Vec<String>,
    created: Instant,
    created_by: Option<String>,
    used: Option<(Instant, Option<IpAddr>)>,
    expires: Option<Instant>,
    warnings: Vec<&'static str>,
    /// The form that made it was sent again.
    again: bool,
    calls: Vec<Row>,
}

/// A call of an assistant.
struct Row {
    at: Instant,
    tool: String,
    outcome: String,
    touched: usize,
    client: String,
    from: Option<IpAddr>,
}

/// Calls that are shown.
const CALLS: u32 = 50;

/// The token of the path.
pub(super) async fn found(seen: &Seen<Developer>) -> Result<Token, Problem> {
    let found = seen.visit.app().auth.tokens().find(seen.id()?).await?;
    found.filter(|token| seen.at().scope.contains(token.primary)).ok_or_else(Problem::not_found)
}

/// GET /companies/{company}/tokens/{id}
pub(crate) async fn show(seen: Seen<Developer>) -> Result<Response, Problem> {
    let token = found(&seen).await?;
    let (app, t, now) = (seen.visit.app(), &seen.texts().tokens, seen.visit.now());
    let creator = match token.created_by {
        Some(person) => app.sessions.people().person(person).await?.map(|person| person.name),
        None => None,
    };
    page::ok(&View {
        f: Frame::of(&seen, Place::Tokens),
        id: token.id,
        name: token.name.clone(),
        kind: kind(&token, t),
        prefix: token.connection.is_none().then(|| token.prefix.clone()),
        client: token.connection.as_ref().map(|connection| connection.client.to_string()),
        state: state(token.status(now), t),
        status: token.status(now),
        told: told(&token.grants, catalogue(&seen), seen.language),
        written: token.grants.written().join(", "),
        personal_data: token.personal_data,
        allowed_ips: token.allowed_ips.written(),
        companies: companies(&seen, &token),
        groups: groups(&seen, &token).await?,
        created: token.created_at.into(),
        created_by: creator,
        used: token.last_used_at.map(|at| (at.into(), token.last_used_from)),
        expires: token.expires_at.map(Instant::from),
        warnings: warning::of(&token, catalogue(&seen), now, t),
        again: seen.visit.query().has("again"),
        calls: calls(&seen, token.id).await?,
    })
}

/// The last calls of tools with this credential.
async fn calls(seen: &Seen<Developer>, credential: TokenId) -> Result<Vec<Row>, Problem> {
    let Some(oauth) = &seen.visit.app().oauth else { return Ok(Vec::new()) };
    let calls = oauth.storage().calls().last(credential, CALLS).await?;
    let row = |call: CallRecord| Row {
        at: call.at.into(),
        tool: call.tool,
        outcome: call.outcome,
        touched: call.touched.len(),
        client: call.client,
        from: call.from,
    };
    Ok(calls.into_iter().map(row).collect())
}

/// The other companies that it names, by the name that the person knows them by.
fn companies(seen: &Seen<Developer>, token: &Token) -> Vec<String> {
    let visitor = &seen.at().visitor;
    let name =
        |id| visitor.company(id).map_or_else(|| format!("{id}"), |(company, _)| company.legal_name.clone());
    token.companies.iter().map(|id| name(*id)).collect()
}

async fn groups(seen: &Seen<Developer>, token: &Token) -> Result<Vec<String>, Problem> {
    if token.groups.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<_> = token.groups.iter().copied().collect();
    let reached = seen.at().visitor.signed_in().administered();
    let found = seen.visit.app().business.groups().find_all(&reached, &ids).await?;
    let name = |id| found.iter().find(|group| group.id == id).map(|group| group.name.clone());
    Ok(ids.into_iter().map(|id| name(id).unwrap_or_else(|| id.to_string())).collect())
}

//! The assistants that a person connected, which they end themselves.

use axum::response::Response;
use svc_auth::token;
use svc_core::id::TokenId;
use svc_core::refused::Refused;
use svc_http::Problem;

use crate::gate::{Person, Seen};
use crate::instant::Instant;
use crate::page;
use crate::texts::filled;
use crate::tokens::state;

/// The most that the page names.
const MOST: usize = 100;

/// A connection.
pub(super) struct Row {
    pub(super) id: TokenId,
    pub(super) name: String,
    /// What it may do.
    pub(super) role: &'static str,
    pub(super) company: String,
    pub(super) state: (&'static str, &'static str),
    pub(super) used: Option<Instant>,
    pub(super) ends: Option<Instant>,
}

impl Row {
    /// What the button of the row does, for people who do not see the row.
    pub(super) fn end_of(&self, text: &str) -> String {
        filled(text, &self.name)
    }
}

/// Those that the person made and that are not ended.
pub(super) async fn rows(seen: &Seen<Person>) -> Result<Vec<Row>, Problem> {
    let visitor = &seen.gate.visitor;
    let found = seen.visit.app().auth.tokens().connections_of(visitor.signed_in().person().id, MOST).await?;
    let (t, now) = (seen.texts(), seen.visit.now());
    let row = |token: &token::Token| {
        let connection = token.connection.as_ref()?;
        let known = visitor.companies().find(|(company, _)| company.id == token.primary);
        Some(Row {
            id: token.id,
            name: token.name.clone(),
            role: t.authorize.role_told(connection.role).0,
            // Of a company that the person left.
            company: known
                .map_or_else(|| token.primary.to_string(), |(company, _)| company.legal_name.clone()),
            state: state(token.status(now), &t.tokens),
            used: token.last_used_at.map(Instant::from),
            ends: token.expires_at.map(Instant::from),
        })
    };
    Ok(found.iter().filter_map(row).collect())
}

/// POST /connections/{id}/end
///
/// One that has ended is no error, so that a form that is sent twice does no harm.
pub(crate) async fn end(seen: Seen<Person>) -> Result<Response, Problem> {
    let app = seen.visit.app();
    let person = seen.gate.visitor.signed_in().person().id;
    let unit = app.auth.begin().await?;
    let opened = token::open_own_connection(&*unit, seen.call(), person, seen.id()?).await?;
    match token::revoke(opened).await {
        Ok(_) => unit.commit().await?,
        Err(Refused::Own(_)) => {}
        Err(refused) => return Err(refused.into()),
    }
    app.authenticator.forget();
    Ok(page::see_other("/sessions?disconnected"))
}

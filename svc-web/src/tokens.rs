//! The tokens of a company: what they are, and what people do with them.

mod draft;
pub(crate) mod edit;
pub(crate) mod list;
pub(crate) mod new;
mod permissions;
pub(crate) mod show;
pub(crate) mod step;
mod value;
mod warning;

use svc_auth::token::{ConnectionRole, Status, Token};

use crate::texts::Tokens;

/// What a credential is: a token, or a connection with what its role may do.
fn kind(token: &Token, t: &Tokens) -> &'static str {
    match token.connection.as_ref().map(|connection| connection.role) {
        None => t.kind_api,
        Some(ConnectionRole::ReadOnly) => t.kind_read_only,
        Some(ConnectionRole::Operator) => t.kind_operator,
        Some(ConnectionRole::Full) => t.kind_full,
    }
}

/// How a state is told, and in which colour.
pub(crate) fn state(status: Status, t: &Tokens) -> (&'static str, &'static str) {
    match status {
        Status::Active => (t.active, "good"),
        Status::Disabled => (t.disabled, "warn"),
        Status::Revoked => (t.revoked, "bad"),
        Status::Expired => (t.expired, "bad"),
    }
}

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

use svc_auth::token::Status;

use crate::texts::Tokens;

/// How a state is told, and in which colour.
fn state(status: Status, t: &Tokens) -> (&'static str, &'static str) {
    match status {
        Status::Active => (t.active, "good"),
        Status::Disabled => (t.disabled, "warn"),
        Status::Revoked => (t.revoked, "bad"),
        Status::Expired => (t.expired, "bad"),
    }
}

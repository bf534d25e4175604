//! `/session`: signing in to the client area, and out of it, and what concerns the signed-in person alone.
//!
//! The session's value travels in a cookie that scripts cannot read. Nothing of
//! these requests is kept for a repetition: passwords and values are in them.

mod code;
mod invitations;
mod password;
mod sign_in;
mod sign_out;
mod view;

use http::StatusCode;

use crate::api::{self, Route, act};
use crate::gate::{ByAnyone, ByPerson};

/// Bytes of a body with passwords: what they cost to judge grows with their length.
const LONGEST: usize = 4 * 1_024;

pub(crate) fn routes() -> Vec<Route> {
    let session = [
        act("/session", ByAnyone, "Sign in")
            .about(
                "Sets the session cookie: `__Host-sid`, or `sid` on plain HTTP of the same machine. Failed attempts \
                 are counted by e-mail address with source network, and by each of them alone; after a few of them \
                 each next one has to wait, 429 with `Retry-After`. With a second factor it is 202, and the session \
                 opens nothing before POST /session/code.",
            )
            .body::<sign_in::Body>()
            .at_most(LONGEST)
            .answers::<view::View>(StatusCode::CREATED)
            .or_answers::<sign_in::Awaiting>(StatusCode::ACCEPTED)
            .to(sign_in::sign_in),
        act("/session/code", ByAnyone, "Complete a sign-in with a code")
            .about(
                "Within ten minutes of POST /session, with its cookie; the session gets a new value. A code counts \
                 once. A wrong one: 401 `code_rejected`; after a few of them each next one has to wait, 429 with \
                 `Retry-After`.",
            )
            .body::<code::Body>()
            .at_most(LONGEST)
            .answers::<view::View>(StatusCode::CREATED)
            .to(code::complete),
        api::get("/session", ByPerson::Any, "Who is signed in, and their companies")
            .answers::<view::View>(StatusCode::OK)
            .to(view::get),
        api::delete("/session", ByPerson::Any, "Sign out").answers_nothing().to(sign_out::sign_out),
        act("/session/password", ByPerson::Any, "Change one's own password")
            .about(
                "Every other session of the person ends. A few wrong `currentPassword`s, and each next change has to \
                 wait, 429 with `Retry-After`; signing in does not.",
            )
            .body::<password::Body>()
            .at_most(LONGEST)
            .answers_nothing()
            .to(password::change),
    ];
    session.into_iter().chain(invitations::routes()).collect()
}

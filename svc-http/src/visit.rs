//! Pages for people beside the API: how their requests are let in.
//!
//! A browser is known by the session cookie that the API's `/session` routes know too. The [`Door`] takes a request
//! and makes a [`Visit`] of it, in this order:
//!
//! 1. The session of the cookie, if it counts: the [`Visitor`].
//! 2. A share of what the person, or the address, may have under way at a time.
//! 3. The form of a POST, 64 KiB at most; one that took more than a second to come in has its session looked at again.
//! 4. A POST must come from a page of this service, and carry the CSRF token that the page had: that of the session,
//!    or, before there is one, that of the [`Seed`] which the page left in a cookie.
//!
//! A person who was asked to sign is known by the link in the path instead: [`Visit::led`] looks it up. So is a guest of a data
//! room, by [`Visit::guest`]. Both have a cookie beside the link once a code was proved.
//! A page behind another link of a mail finds out by itself what that leads to: [`Visit::by_link`].
//!
//! So a handler sees no request that another site made. Whose page it is, and what the visitor may do there, is for the
//! pages to decide: they are handed everything that the API works with.

mod by_link;
mod ceremony;
mod door;
pub(crate) mod form;
mod guest;
mod pass;
mod seed;
mod upload;
mod visitor;

use axum::extract::Request;
use svc_core::id::RequestId;

pub use self::by_link::ByLink;
pub use self::ceremony::Led;
pub use self::door::{Door, Refusal, Visit};
pub use self::form::{Form, TooManyFields};
pub use self::guest::GuestLed;
pub use self::seed::Seed;
pub use self::upload::AwaitedFile;
pub use self::visitor::{Browser, Visitor};

/// Names a request in logs, once the router has taken it.
#[must_use]
pub fn request_id(request: &Request) -> Option<RequestId> {
    request.extensions().get::<crate::context::Context>().map(|context| context.request)
}

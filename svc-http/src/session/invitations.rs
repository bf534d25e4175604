//! `/session/invitations`: what the signed-in person is invited to (specification, domain part 2.2).
//!
//! An invitation gives no role and no reach until its person accepts, and only
//! they can answer it: to everybody else it is not there.

mod answer;
mod list;
mod view;

use http::StatusCode;

use crate::api::{self, Route, act};
use crate::gate::ByPerson;
use crate::list::Listed;
use crate::query::{LIMIT, PAGE};

const WHO: ByPerson = ByPerson::Any;

pub(super) fn routes() -> [Route; 3] {
    [
        api::get("/session/invitations", WHO, "List the companies that one is invited to")
            .about("Those of the last 14 days that are not answered yet, oldest first.")
            .params(&[PAGE, LIMIT])
            .answers::<Listed<view::View>>(StatusCode::OK)
            .to(list::list),
        act("/session/invitations/{membershipId}/accept", WHO, "Become a member")
            .about(
                "With the role that was offered; `If-Match` makes sure that it is the one that was seen. What is \
                 answered or withdrawn already, or 14 days old: 409 `not_invited` with `currentState`. When the inviter \
                 may no longer offer that role: 409 `offer_lapsed`.",
            )
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .to(answer::accept),
        act("/session/invitations/{membershipId}/decline", WHO, "Decline an invitation")
            .about(
                "It ends; the company may invite again. What is answered or withdrawn already: 409 `not_invited` \
                 with `currentState`.",
            )
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .to(answer::decline),
    ]
}

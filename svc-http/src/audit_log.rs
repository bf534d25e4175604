//! `/audit-log`: who changed credentials, memberships and subscriptions.

mod list;
mod view;

use http::StatusCode;
use svc_core::audit::Action;

use crate::api::{self, Route};
use crate::gate::ByPerson;
use crate::list::Listed;
use crate::query::{ADMINISTERED, Kind, LIMIT, PAGE, Param};

const PARAMS: [Param; 7] = [
    ADMINISTERED,
    Param::new("action", Kind::OneOf(&ACTIONS), "Only this action."),
    Param::new("subject", Kind::Text, "Only what was done to this id, such as `tok_…`."),
    Param::new("from", Kind::Date, "On this date (UTC) or later."),
    Param::new("to", Kind::Date, "On this date (UTC) or earlier."),
    PAGE,
    LIMIT,
];

const ACTIONS: [&str; Action::ALL.len()] = names();

pub(crate) fn routes() -> Vec<Route> {
    vec![
        api::get("/audit-log", ByPerson::Administrator, "Read the audit log")
            .about(
                "Newest first. The entries of a company are numbered without gaps, and each is sealed onto the one \
                 before it.",
            )
            .params(&PARAMS)
            .answers::<Listed<view::View>>(StatusCode::OK)
            .to(list::list),
    ]
}

#[expect(clippy::indexing_slicing, reason = "const code has no iterators; both arrays have this length")]
const fn names() -> [&'static str; Action::ALL.len()] {
    let mut names = [""; Action::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = Action::ALL[at].name();
        at += 1;
    }
    names
}

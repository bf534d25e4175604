//! `/tax` (specification, domain part 9.5).

mod notice_view;
mod notices;
mod profile;
mod rates;

use http::StatusCode;
use svc_business::catalogue::permission;
use svc_business::notice::{NoticePatch, NoticeRequest};
use svc_business::tax::profile::TaxProfileInput;

use self::notice_view::NoticeView;
use crate::api::{self, Route, patch, post};
use crate::gate::{ByPerson, ByToken};
use crate::json::Update;
use crate::list::Listed;

const READ: ByToken = ByToken::With(permission("tax:notices.read"));
const CREATE: ByToken = ByToken::With(permission("tax:notices.create"));
const UPDATE: ByToken = ByToken::With(permission("tax:notices.update"));
/// What has legal effect on the person that does it.
const DECIDE: ByPerson = ByPerson::Administrator;

const ALL: &str = "/tax/notices";
const ONE: &str = "/tax/notices/{id}";

const PROFILE_READ: ByToken = ByToken::With(permission("tax:profile.read"));
const RATES_READ: ByToken = ByToken::With(permission("tax:rates.read"));
const PROFILE_UPDATE: ByToken = ByToken::With(permission("tax:profile.update"));

const PROFILE: &str = "/tax/profile";
const RATES: &str = "/tax/rates";

pub(crate) fn routes() -> Vec<Route> {
    profile().into_iter().chain(notices()).collect()
}

fn profile() -> [Route; 3] {
    [
        api::get(RATES, RATES_READ, "List the taxes that lines of documents name")
            .about("A tax has an item for each time in which its figures were the same, with the law that says them.")
            .params(&rates::PARAMS)
            .answers::<rates::TaxRates>(StatusCode::OK)
            .to(rates::list),
        api::get(PROFILE, PROFILE_READ, "Get the tax profile of a company")
            .about("With the returns that it owes for the periods of the present year, by the days on which they are due.")
            .params(&profile::PARAMS)
            .answers::<profile::TaxProfileView>(StatusCode::OK)
            .personal()
            .versioned()
            .to(profile::get),
        patch(PROFILE, PROFILE_UPDATE, "Change the tax profile of a company")
            .about("The obligations follow from it at once.")
            .params(&profile::PARAMS)
            .body::<Update<TaxProfileInput>>()
            .answers::<profile::TaxProfileView>(StatusCode::OK)
            .personal()
            .versioned()
            .to(profile::update),
    ]
}

fn notices() -> Vec<Route> {
    vec![
        api::get(ALL, READ, "List notices of public bodies")
            .about("In the order in which they were recorded. `q` searches issuer, subject and reference.")
            .params(&notices::PARAMS)
            .answers::<Listed<NoticeView>>(StatusCode::OK)
            .personal()
            .to(notices::list),
        post(ALL, CREATE, "Record a notice of a public body")
            .about(
                "A notification is to be accessed within ten natural days (Ley 39/2015, article 43): `expiresOn` is the \
                 last of them by the company's calendar, and from the day after it is `expired`, as one is at once whose \
                 term has passed. A notice of the same source and reference is 409 `already_exists`.",
            )
            .body::<NoticeRequest>()
            .creates::<NoticeView>()
            .personal()
            .refuses(&[StatusCode::NOT_FOUND])
            .to(notices::create),
        api::get(ONE, READ, "Get a notice of a public body")
            .answers::<NoticeView>(StatusCode::OK)
            .personal()
            .versioned()
            .to(notices::get),
        patch(ONE, UPDATE, "Say who sees to a notice, and whether it is done")
            .about("Nothing of what its source said changes. This emits no event.")
            .body::<Update<NoticePatch>>()
            .answers::<NoticeView>(StatusCode::OK)
            .personal()
            .versioned()
            .to(notices::update),
        post("/tax/notices/{id}/access", DECIDE, "Access a notice")
            .about("A notification is served by it. Only an available one is accessed: 409 `notice_not_available`.")
            .answers::<NoticeView>(StatusCode::OK)
            .personal()
            .versioned()
            .to(notices::access),
        post("/tax/notices/{id}/reject", DECIDE, "Reject a notification")
            .about(
                "Only an available notification is rejected: 409 `notice_not_available`; a communication has nothing \
                 to reject: 409 `not_a_notification`.",
            )
            .answers::<NoticeView>(StatusCode::OK)
            .personal()
            .versioned()
            .to(notices::reject),
    ]
}

//! `/tax` (specification, domain parts 9.1, 9.2 and 9.5).

mod notice_view;
mod notices;
mod profile;
mod rates;
mod return_parts;
mod return_view;
mod returns;

use http::StatusCode;
use svc_business::catalogue::permission;
use svc_business::notice::{NoticePatch, NoticeRequest};
use svc_business::tax::profile::TaxProfileInput;
use svc_business::tax::returns::{
    OutcomeRequest, PrepareRequest, SubmitRequest, TaxReturnInput, TaxReturnRequest,
};

use self::notice_view::NoticeView;
use self::return_view::TaxReturnView;
use crate::accept;
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

const RETURNS_READ: ByToken = ByToken::With(permission("tax:returns.read"));
const RETURNS_CREATE: ByToken = ByToken::With(permission("tax:returns.create"));
const RETURNS_PREPARE: ByToken = ByToken::With(permission("tax:returns.prepare"));
const RETURNS_SUBMIT: ByToken = ByToken::With(permission("tax:returns.submit"));

const RETURNS: &str = "/tax/returns";
const RETURN: &str = "/tax/returns/{id}";

const PROFILE: &str = "/tax/profile";
const RATES: &str = "/tax/rates";

pub(crate) fn routes() -> Vec<Route> {
    profile().into_iter().chain(returns()).chain(parts_of_returns()).chain(notices()).collect()
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

fn returns() -> [Route; 7] {
    [
        api::get(RETURNS, RETURNS_READ, "List tax returns")
            .about(
                "In the order in which they were made. The calendar of a company makes those that it owes when their periods \
                 begin.",
            )
            .params(&returns::PARAMS)
            .answers::<Listed<TaxReturnView>>(StatusCode::OK)
            .to(returns::list),
        post(RETURNS, RETURNS_CREATE, "Make a tax return by hand")
            .about(
                "One that the calendar does not have, or one that corrects a filed one. A second ordinary return of a period \
                 is 409 `already_exists`. This emits no event.",
            )
            .body::<TaxReturnRequest>()
            .creates::<TaxReturnView>()
            .refuses(&[StatusCode::NOT_FOUND])
            .to(returns::create),
        api::get(RETURN, RETURNS_READ, "Get a tax return")
            .params(&returns::ONE)
            .answers::<TaxReturnView>(StatusCode::OK)
            .versioned()
            .unconditional()
            .to(returns::get),
        patch(RETURN, RETURNS_PREPARE, "Say boxes of a tax return, and prepare it with them")
            .about("A person says boxes that are not computed, and those that the form lets people change.")
            .body::<Update<TaxReturnInput>>()
            .answers::<TaxReturnView>(StatusCode::OK)
            .versioned()
            .to(returns::update),
        post("/tax/returns/{id}/prepare", RETURNS_PREPARE, "Prepare a tax return from the books")
            .about(
                "Its boxes are computed from the tags of posted entries, and from balances of accounts where the form reads \
                 those. Before its period is over this is 409 `period_not_over` unless `allowEarly` says so; a filed one \
                 stays as it was filed: 409 `return_filed`.",
            )
            .body::<PrepareRequest>()
            .answers::<TaxReturnView>(StatusCode::OK)
            .versioned()
            .to(returns::prepare),
        post("/tax/returns/{id}/submit", RETURNS_SUBMIT, "Say that a tax return was filed")
            .about(
                "Only a prepared one that is not stale is submitted: 409 `return_not_prepared`, `return_stale`, \
                 `return_incomplete`. Model 200 is stale too once the company has another rate of corporate tax: a rate that \
                 was another one in the year of the return is said in its box, 00558. Model 303 is settled in the books on the last day of its period as `taxSettlement` \
                 says, and locks the tax tags up to that day. A substitute is not submitted while a movement pays the \
                 return that it corrects: 409 `return_paid`.",
            )
            .body::<SubmitRequest>()
            .answers::<TaxReturnView>(StatusCode::OK)
            .versioned()
            .to(returns::submit),
        post("/tax/returns/{id}/outcome", RETURNS_SUBMIT, "Write down what the tax agency said of a tax return")
            .about(
                "A rejected return is prepared and submitted again: what its submission did in the books is undone. Only of \
                 a submitted one: 409 `return_not_submitted`. One that a movement paid is not rejected before that is \
                 undone: 409 `return_paid`.",
            )
            .body::<OutcomeRequest>()
            .answers::<TaxReturnView>(StatusCode::OK)
            .versioned()
            .to(returns::outcome),
    ]
}

fn parts_of_returns() -> [Route; 3] {
    [
        api::get("/tax/returns/{id}/parties", RETURNS_READ, "List what a tax return declares of each party")
            .params(&return_parts::PAGES)
            .answers::<Listed<return_parts::PartyView>>(StatusCode::OK)
            .personal()
            .to(return_parts::parties),
        api::get("/tax/returns/{id}/boxes/{code}/sources", RETURNS_READ, "List what a box of a tax return is computed from")
            .about(
                "By the books as they are now: the tags of posted entries, or what accounts moved. What a person says, and \
                 what is carried over from an earlier return, has no source.",
            )
            .params(&return_parts::PAGES)
            .answers::<Listed<return_parts::SourceView>>(StatusCode::OK)
            .refuses(&[StatusCode::CONFLICT])
            .to(return_parts::sources),
        api::get("/tax/returns/{id}/export", RETURNS_READ, "Get a tax return as a file")
            .about("As it was prepared. Files that name parties need a token that sees personal data.")
            .params(&return_parts::FILE)
            .answers_as::<return_parts::ReturnFile>(StatusCode::OK, accept::ANY)
            .personal()
            .refuses(&[StatusCode::CONFLICT])
            .to(return_parts::file),
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

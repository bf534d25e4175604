//! `/accounts`: companies and their members (specification, domain part 2).

mod create;
mod list;
mod members;
mod merge;
mod verbs;
mod view;

use http::StatusCode;
use svc_business::account::AccountInput;
use svc_business::catalogue::permission;

use crate::api::{self, Route, patch, post};
use crate::gate::ByToken;
use crate::json::{Create, Update};
use crate::list::Listed;

const READ: ByToken = ByToken::With(permission("contacts:accounts.read"));
const CREATE: ByToken = ByToken::With(permission("contacts:accounts.create"));
const UPDATE: ByToken = ByToken::With(permission("contacts:accounts.update"));
const DELETE: ByToken = ByToken::With(permission("contacts:accounts.delete"));
const MERGE: ByToken = ByToken::With(permission("contacts:accounts.merge"));

const ONE: &str = "/accounts/{id}";

pub(crate) fn routes() -> Vec<Route> {
    let companies = [
        api::get("/accounts", READ, "List the companies within the token's reach")
            .params(&list::PARAMS)
            .answers::<Listed<view::View>>(StatusCode::OK)
            .personal()
            .to(list::list),
        post("/accounts", CREATE, "Create a subsidiary")
            .about(
                "`parentAccountId` names a company within reach, whose group the new one joins. The token must name that \
                 group whole, since it would not reach the new company otherwise: 403 `subsidiary_out_of_reach`. Without \
                 a parent the company would stand alone, which only the client area creates: 403 \
                 `account_token_not_accepted`.",
            )
            .body::<Create<AccountInput>>()
            .creates::<view::View>()
            .personal()
            .to(create::create),
        api::get(ONE, READ, "Get a company")
            .about("One that was merged is shown, as `merged`, to who reaches the company in `mergedIntoId`.")
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .personal()
            .to(verbs::get),
        patch(ONE, UPDATE, "Change a company")
            .about(
                "A patch that changes nothing keeps the version and emits no event. `parentAccountId` names a \
                 company of the same group; only the company at the group's top has none.",
            )
            .body::<Update<AccountInput>>()
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .personal()
            .to(verbs::update),
        api::delete(ONE, DELETE, "Deactivate a company")
            .about("It becomes read-only. Companies are never erased: their books are kept by law.")
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .personal()
            .to(verbs::deactivate),
        post("/accounts/{id}/reactivate", UPDATE, "Make a deactivated company work again")
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .personal()
            .to(verbs::reactivate),
        post("/accounts/{id}/merge", MERGE, "Absorb another company")
            .about(
                "Contacts move to the survivor, memberships do not. There is no way back. The parent company of \
                 a group is not absorbed while other companies are in the group: 409 `parent_account_stays`.",
            )
            .body::<merge::Body>()
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .personal()
            .to(merge::merge),
    ];
    companies.into_iter().chain(members::routes()).collect()
}

//! `/accounts`: companies and their members (domain part 2).

mod body;
mod create;
mod deactivate;
mod get;
mod list;
mod members;
mod merge;
mod reactivate;
mod update;
mod view;

use http::StatusCode;
use svc_auth::authenticate::Access;
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::permission::Permission;
use svc_core::resource::Version;

use crate::api::{self, Route, patch, post};
use crate::exchange::Exchange;
use crate::list::Listed;
use crate::query::{LIMIT, PAGE};

const READ: Access = Access::Permission(Permission::of("contacts:accounts.read"));
const CREATE: Access = Access::Permission(Permission::of("contacts:accounts.create"));
const UPDATE: Access = Access::Permission(Permission::of("contacts:accounts.update"));
const DELETE: Access = Access::Permission(Permission::of("contacts:accounts.delete"));
const MERGE: Access = Access::Permission(Permission::of("contacts:accounts.merge"));
const READ_MEMBERS: Access = Access::Permission(Permission::of("contacts:members.read"));

const ONE: &str = "/accounts/{id}";
const MEMBERS: &str = "/accounts/{id}/members";
const MEMBER: &str = "/accounts/{id}/members/{memberId}";

pub(crate) fn routes() -> Vec<Route> {
    vec![
        api::get("/accounts", READ, "List the companies within the token's reach")
            .params(&list::PARAMS)
            .answers::<Listed<view::View>>(StatusCode::OK)
            .personal()
            .to(list::list),
        post("/accounts", CREATE, "Create a subsidiary")
            .about(
                "`parentAccountId` names a company within reach. Without it the company would stand alone, \
                 which only the client area creates: 403 `account_token_not_accepted`.",
            )
            .body::<body::Create>(&["legalName", "legalForm", "parentAccountId"])
            .answers::<view::View>(StatusCode::CREATED)
            .personal()
            .to(create::create),
        api::get(ONE, READ, "Get a company")
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .personal()
            .to(get::get),
        patch(ONE, UPDATE, "Change a company")
            .about("A patch that changes nothing keeps the version and emits no event.")
            .body::<body::Update>(&[])
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .personal()
            .to(update::update),
        api::delete(ONE, DELETE, "Deactivate a company")
            .about("It becomes read-only. Companies are never erased: their books are kept by law.")
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .personal()
            .to(deactivate::deactivate),
        post("/accounts/{id}/reactivate", UPDATE, "Make a deactivated company work again")
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .personal()
            .to(reactivate::reactivate),
        post("/accounts/{id}/merge", MERGE, "Absorb another company")
            .about("Contacts move to the survivor, memberships do not. There is no way back.")
            .body::<merge::Body>(&[])
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .personal()
            .to(merge::merge),
        api::get(MEMBERS, READ_MEMBERS, "List the members of a company")
            .params(&[PAGE, LIMIT])
            .answers::<Listed<members::View>>(StatusCode::OK)
            .personal()
            .to(members::list),
        post(MEMBERS, Access::SessionOnly, "Invite a member").session_only(),
        patch(MEMBER, Access::SessionOnly, "Change a member's role").session_only(),
        api::delete(MEMBER, Access::SessionOnly, "End a membership").session_only(),
    ]
}

/// The present version, for an `If-Match` that names several.
async fn version(exchange: &Exchange, id: AccountId) -> Result<Option<Version>, StoreError> {
    let found = exchange.app.business.accounts().find(&exchange.principal.scope, id).await?;
    Ok(found.map(|account| account.version))
}

//! `/tokens`: the credentials of integrations, managed in the client area (specification, decision D-2).
//!
//! A token belongs to the company that is its primary account: a person who holds or
//! administers that one sees the token. Its value is in the answer that creates
//! or rotates it and nowhere else, not even in a kept reply.
//!
//! After each commit the authority forgets what it has cached, so that the
//! change counts on this node at once.

mod create;
mod get;
mod list;
mod rotate;
mod step;
mod update;
mod view;

use http::StatusCode;
use svc_auth::token::Token;
use svc_core::error::StoreError;
use svc_core::id::TokenId;
use svc_core::wire::Form;

use crate::api::{self, Route, patch, post};
use crate::api_request::ApiRequest;
use crate::gate::{Acting, ByPerson, PersonCaller};
use crate::list::Listed;
use crate::query::{ADMINISTERED, LIMIT, PAGE};

const ONE: &str = "/tokens/{id}";
const WHO: ByPerson = ByPerson::Administrator;

/// What a token may do.
const PERMISSIONS: Form =
    Form::list(1, 500, &PERMISSION).json(r#"["sales:*.read","contacts:contacts.update"]"#);
const PERMISSION: Form = Form::pattern(
    r"^(([a-z_]+|\*)(:([a-z_]+|\*)(\.([a-z_]+|\*))?)?|([a-z_]+:)?([Rr][Ee][Aa][Dd]|[Ff][Uu][Ll][Ll]))$",
)
.length(1, 100);
/// From where a token may be used.
const ALLOWED_IPS: Form = Form::list(0, 100, &Form::text(1, 49)).json(r#"["203.0.113.0/24"]"#);

pub(crate) fn routes() -> Vec<Route> {
    vec![
        api::get("/tokens", WHO, "List the tokens of the companies that the person holds or administers")
            .about("Revoked and expired ones are among them, oldest first.")
            .params(&[ADMINISTERED, PAGE, LIMIT])
            .answers::<Listed<view::View>>(StatusCode::OK)
            .to(list::list),
        post("/tokens", WHO, "Create a token")
            .about(
                "The answer shows the value, once: a replay by `Idempotency-Key` has `null` there. Scope and expiry \
                 date are fixed from now on. Companies are named by who holds or administers them, groups by who \
                 holds or administers their `parentAccountId`; API access must be on for all that is reached.",
            )
            .body::<create::Body>()
            .creates::<view::Valued>()
            .to(create::create),
        api::get(ONE, WHO, "Get a token")
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .to(get::get),
        patch(ONE, WHO, "Change what a token is called and may do")
            .about("Scope and expiry date are fixed at creation. A patch that changes nothing keeps the version.")
            .body::<update::Body>()
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .to(update::update),
        post("/tokens/{id}/disable", WHO, "Switch a token off")
            .about("Its configuration is kept; requests with it are answered with 401 `token_disabled`.")
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .to(step::disable),
        post("/tokens/{id}/enable", WHO, "Switch a token on again")
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .to(step::enable),
        post("/tokens/{id}/rotate", WHO, "Give a token a new value")
            .about(
                "The previous value stops working at once. The answer shows the new one, once: a replay by \
                 `Idempotency-Key` has `null` there.",
            )
            .answers::<view::Valued>(StatusCode::OK)
            .versioned()
            .to(rotate::rotate),
        post("/tokens/{id}/revoke", WHO, "Stop a token for ever")
            .answers::<view::View>(StatusCode::OK)
            .versioned()
            .to(step::revoke),
    ]
}

/// The token, if its primary account is one that the person holds or administers.
async fn find(req: &ApiRequest<PersonCaller>, id: TokenId) -> Result<Option<Token>, StoreError> {
    let found = req.app.auth.tokens().find(id).await?;
    Ok(found.filter(|token| req.caller.scope().contains(token.primary)))
}

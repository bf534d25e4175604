//! POST /accounts/{id}/members

use http::StatusCode;
use svc_business::membership::{self, Guest};
use svc_business::party::InvalidEmail;
use svc_core::error::ValidationErrors;
use svc_core::id::{AccountId, UserId};
use svc_core::role::Role;
use svc_core::wire::Form;
use svc_core::wire_request;

use super::view;
use crate::api_request::ApiRequest;
use crate::gate::{Acting, PersonCaller};
use crate::idempotency::{Committed, PendingReply};

use crate::problem::Problem;

wire_request! {
    /// Who is invited, and as what.
    pub(crate) struct Body as "MemberInvite" of membership {
        /// The person; this or `email`.
        user_id: Option<UserId>,
        /// What the person signs in with; this or `userId`.
        email: Option<String> => Form::EMAIL.example("ana@example.com"),
        role: Role => Form::ANY.example("accountant"),
    }
}

pub(crate) async fn add(req: ApiRequest<PersonCaller>, pending: PendingReply) -> Result<Committed, Problem> {
    let account: AccountId = req.id("id")?;
    let by = req.caller.role_in(account)?;
    let body: Body = req.json()?;
    let (field, guest) = guest(&body)?;
    let unit = req.app.business.begin().await?;
    let invited = membership::invite(unit.as_ref(), req.call(), by, account, guest, body.role).await;
    let invited = invited.map_err(|refused| Problem::membership(refused, field))?;
    let member = unit.people().member(req.caller.scope(), account, invited.id).await?;
    let member = member.ok_or_else(Problem::not_found)?;
    let answer = view::answer(StatusCode::CREATED, member, req.call().now)
        .location(&format!("/accounts/{account}/members/{}", invited.id));
    pending.finish(unit, answer).await
}

/// The person that the body names, and by which member.
fn guest(body: &Body) -> Result<(&'static str, Guest), Problem> {
    match (body.user_id, &body.email) {
        (Some(id), None) => Ok(("userId", Guest::Id(id))),
        (None, Some(email)) => match email.parse() {
            Ok(email) => Ok(("email", Guest::Email(email))),
            Err(error @ InvalidEmail) => {
                Err(ValidationErrors::one("email", "invalid_value", error.to_string()).into())
            }
        },
        (None, None) => {
            Err(ValidationErrors::one("userId", "required", "name the person, or their `email`").into())
        }
        (Some(_), Some(_)) => {
            Err(ValidationErrors::one("email", "invalid_value", "name the person by `userId` or by `email`")
                .into())
        }
    }
}

//! PATCH /accounts/{id}/members/{memberId}

use http::StatusCode;
use svc_business::membership::{self, Member};
use svc_core::error::Validator;
use svc_core::patch::Patch;
use svc_core::role::Role;
use svc_core::wire::Form;
use svc_core::wire_request;

use super::{named, view};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::json::kept;
use crate::problem::Problem;

wire_request! {
    /// A merge patch of a membership.
    #[derive(Default)]
    pub(crate) struct Body as "MemberUpdate" of membership
        computed [companyId, userId, name, email, phone, status, invitedAt, acceptedAt]
    {
        #[serde(default)]
        [kept] role: Patch<Role> => Form::ANY.example("manager"),
    }
}

pub(crate) async fn change_role(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let member = named(&req).await?;
    let expected = req.if_match();
    let body: Body = req.json()?;
    let mut validator = Validator::new();
    let now = req.call().now;
    let role = kept(&mut validator, "role", body.role);
    validator.finish()?;
    let Some(role) = role else { return Ok(view::answer(StatusCode::OK, member, now)) };
    let (account, user) = (member.membership.account, member.membership.user);
    let by = req.role_in(account)?;
    let unit = req.app.business.begin().await?;
    let changed =
        membership::change_role(unit.as_ref(), req.call(), by, account, user, &expected, role).await;
    let membership = changed.map_err(|error| Problem::membership(error, "memberId"))?;
    let committed = unit.commit().await;
    // Whatever is known of the commit: it may have taken place.
    req.app.authenticator.forget();
    committed?;
    Ok(view::answer(StatusCode::OK, Member { membership, ..member }, now))
}

//! PATCH /accounts/{id}/members/{memberId}

use http::StatusCode;
use svc_business::membership;
use svc_core::error::Validator;
use svc_core::patch::Patch;
use svc_core::role::Role;
use svc_core::wire::Form;
use svc_core::wire_request;

use super::{opened, view};
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
    let unit = req.app.business.begin().await?;
    let (opened, by) = opened(&req, unit.as_ref()).await?;
    let body: Body = req.json()?;
    let mut validator = Validator::new();
    let now = req.context.now;
    let role = kept(&mut validator, "role", body.role);
    validator.finish()?;
    let Some(role) = role else { return Ok(view::answer(StatusCode::OK, opened.member, now)) };
    let changed = membership::change_role(opened, by, role).await;
    let member = changed.map_err(|refused| Problem::membership(refused, "memberId"))?;
    let committed = unit.commit().await;
    // Whatever is known of the commit: it may have taken place.
    req.app.authenticator.forget();
    committed?;
    Ok(view::answer(StatusCode::OK, member, now))
}

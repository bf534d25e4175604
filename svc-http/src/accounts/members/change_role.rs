//! PATCH /accounts/{id}/members/{memberId}

use http::StatusCode;
use serde::Deserialize;
use svc_business::membership::{self, Member};
use svc_core::error::Validator;
use svc_core::patch::Patch;
use svc_core::role::Role;
use utoipa::ToSchema;

use super::{named, view};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::json::{Input, Named, kept};
use crate::problem::Problem;

/// A merge patch of a membership.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MemberUpdate)]
pub(crate) struct Body {
    /// `holder`, `administrator`, `manager`, `accountant`, `employee` or `auditor`
    #[serde(default)]
    #[schema(value_type = Option<String>, nullable = false)]
    role: Patch<Named<Role>>,
}

impl Input for Body {
    const READ_ONLY: &'static [&'static str] = &[
        "id",
        "object",
        "companyId",
        "version",
        "userId",
        "name",
        "email",
        "phone",
        "status",
        "invitedAt",
        "acceptedAt",
        "createdAt",
        "updatedAt",
    ];
}

pub(crate) async fn change_role(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let member = named(&req).await?;
    let expected = req.if_match();
    let body: Body = req.json()?;
    let mut validator = Validator::new();
    let now = req.call().now;
    let role = kept(&mut validator, "role", body.role);
    validator.finish()?;
    let Some(Named(role)) = role else { return Ok(view::answer(StatusCode::OK, member, now)) };
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

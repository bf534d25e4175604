//! PATCH /tokens/{id}

use http::StatusCode;
use svc_auth::token::{self, UpdateRequest};
use svc_core::error::{ValidationErrors, Validator};
use svc_core::patch::Patch;
use svc_core::wire::Form;
use svc_core::wire_request;

use super::view::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::json::kept;
use crate::problem::Problem;

wire_request! {
    /// A merge patch of a token.
    #[derive(Debug, Default)]
    pub(crate) struct Body as "TokenUpdate" of token
        computed [companyId, type, value, prefix, state, lastUsedAt, lastUsedIp, createdBy]
        fixed [expiresAt, primaryAccountId, accountIds, groupIds]
    {
        /// To name the integration.
        #[serde(default)]
        [kept] name: Patch<String> => Form::text(1, 100).example("Shop sync"),
        /// Permissions, wildcards and levels, in place of the present ones.
        #[serde(default)]
        [kept] permissions: Patch<Vec<String>> => super::PERMISSIONS,
        /// Addresses and CIDR ranges, in place of the present ones; anywhere when empty.
        #[serde(default)]
        [kept] allowed_ips: Patch<Vec<String>> => super::ALLOWED_IPS,
        /// Whether it sees personal data in full.
        #[serde(default)]
        [kept] personal_data: Patch<bool>,
    }
}

pub(super) async fn update(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let unit = req.app.auth.begin().await?;
    let opened = token::open(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    let token = token::update(opened, request(req.json()?)?, &req.app.policy).await?;
    let committed = unit.commit().await;
    // Whatever is known of the commit: it may have taken place.
    req.app.authenticator.forget();
    committed?;
    Ok(Answer::plain(StatusCode::OK, &View::of(&token, req.context.now)?).version(token.version))
}

/// No member of a token can be cleared.
fn request(body: Body) -> Result<UpdateRequest, ValidationErrors> {
    let mut validator = Validator::new();
    let request = UpdateRequest {
        name: kept(&mut validator, "name", body.name),
        permissions: kept(&mut validator, "permissions", body.permissions),
        personal_data: kept(&mut validator, "personalData", body.personal_data),
        allowed_ips: kept(&mut validator, "allowedIps", body.allowed_ips),
    };
    validator.finish()?;
    Ok(request)
}

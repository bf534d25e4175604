//! PATCH /tokens/{id}

use http::StatusCode;
use serde::Deserialize;
use svc_auth::token::{self, UpdateRequest};
use svc_core::error::{ValidationErrors, Validator};
use svc_core::patch::Patch;
use utoipa::ToSchema;

use super::view::View;
use super::{COMPUTED_MEMBERS, expected};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::json::{Input, kept};
use crate::problem::Problem;

/// A merge patch of a token.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = TokenUpdate)]
pub(crate) struct Body {
    /// 1 to 100 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>, nullable = false)]
    name: Patch<String>,
    /// Permissions, wildcards and levels, in place of the present ones.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>, nullable = false)]
    permissions: Patch<Vec<String>>,
    /// Addresses and CIDR ranges, in place of the present ones; anywhere when empty.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>, nullable = false)]
    allowed_ips: Patch<Vec<String>>,
    /// Whether it sees personal data in full.
    #[serde(default)]
    #[schema(value_type = Option<bool>, nullable = false)]
    personal_data: Patch<bool>,
}

impl Input for Body {
    const READ_ONLY: &'static [&'static str] = COMPUTED_MEMBERS;
    const FIXED: &'static [&'static str] = &["expiresAt", "primaryAccountId", "accountIds", "groupIds"];
}

pub(super) async fn update(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let id = req.id("id")?;
    let expected = expected(&req, id).await?;
    let request = request(req.json()?)?;
    let unit = req.app.auth.begin().await?;
    let token = token::update(unit.as_ref(), req.call(), id, expected, request).await?;
    let committed = unit.commit().await;
    // Whatever is known of the commit: it may have taken place.
    req.app.authenticator.forget();
    committed?;
    Ok(Answer::plain(StatusCode::OK, &View::of(&token, req.context.now)).version(token.version))
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

//! PATCH /groups/{id}

use http::StatusCode;
use serde::Deserialize;
use svc_business::group::{self, UpdateRequest};
use svc_core::error::Validator;
use svc_core::patch::Patch;
use utoipa::ToSchema;

use super::answer;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::json::{Input, kept};
use crate::problem::Problem;

/// A merge patch of a group.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = GroupUpdate)]
pub(crate) struct Body {
    /// 1 to 200 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>, nullable = false)]
    name: Patch<String>,
}

impl Input for Body {
    const READ_ONLY: &'static [&'static str] =
        &["id", "object", "version", "createdAt", "updatedAt", "members"];
    const FIXED: &'static [&'static str] = &["parentAccountId"];
}

pub(super) async fn update(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = group::open(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    let body: Body = req.json()?;
    let mut validator = Validator::new();
    let request = UpdateRequest { name: kept(&mut validator, "name", body.name) };
    validator.finish()?;
    let updated = group::update(opened, request).await;
    let group = updated.map_err(|error| Problem::group(error, "id"))?;
    unit.commit().await?;
    Ok(answer(&req, StatusCode::OK, group))
}

//! PATCH /groups/{id}

use http::StatusCode;
use serde::Deserialize;
use svc_business::group::{self, UpdateRequest};
use svc_core::error::Validator;
use svc_core::patch::Patch;
use utoipa::ToSchema;

use super::{answer, version};
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
    let id = req.id("id")?;
    let expected = req.expected(version(&req, id)).await?;
    let body: Body = req.json()?;
    let mut validator = Validator::new();
    let request = UpdateRequest { name: kept(&mut validator, "name", body.name) };
    validator.finish()?;
    let unit = req.app.business.begin().await?;
    let updated = group::update(unit.as_ref(), req.call(), id, expected, request).await;
    let group = updated.map_err(|error| Problem::group(error, "id"))?;
    unit.commit().await?;
    Ok(answer(&req, StatusCode::OK, group))
}

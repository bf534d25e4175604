//! PATCH /groups/{id}

use http::StatusCode;
use serde::Deserialize;
use svc_business::group::{self, UpdateRequest};
use svc_core::error::Checks;
use svc_core::patch::Patch;
use utoipa::ToSchema;

use super::{answer, version};
use crate::answer::Answer;
use crate::exchange::Exchange;
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

pub(super) async fn update(exchange: Exchange<PersonCaller>) -> Result<Answer, Problem> {
    let id = exchange.id("id")?;
    let expected = exchange.expected(version(&exchange, id)).await?;
    let body: Body = exchange.json()?;
    let mut checks = Checks::new();
    let request = UpdateRequest { name: kept(&mut checks, "name", body.name) };
    checks.finish()?;
    let unit = exchange.app.business.begin().await?;
    let updated = group::update(unit.as_ref(), exchange.call(), id, expected, request).await;
    let group = updated.map_err(|error| Problem::group(error, "id"))?;
    unit.commit().await?;
    Ok(answer(&exchange, StatusCode::OK, group))
}

//! POST /groups

use http::StatusCode;
use serde::Deserialize;
use svc_business::group::{self, CreateRequest};
use svc_core::id::AccountId;
use utoipa::ToSchema;

use super::answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::idempotency::{Committed, PendingReply};
use crate::json::{COMPUTED, Input};
use crate::problem::Problem;

/// The group to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = GroupCreate)]
pub(crate) struct Body {
    /// 1 to 200 characters.
    name: String,
    /// The company at the top; the group's first member.
    #[schema(value_type = String)]
    parent_account_id: AccountId,
}

impl Input for Body {
    const READ_ONLY: &'static [&'static str] = &COMPUTED;
}

pub(super) async fn create(
    req: ApiRequest<PersonCaller>,
    pending: PendingReply,
) -> Result<Committed, Problem> {
    let Body { name, parent_account_id } = req.json()?;
    let request = CreateRequest { name, parent: parent_account_id };
    let unit = req.app.business.begin().await?;
    let created = group::create(unit.as_ref(), req.call(), request).await;
    let group = created.map_err(|error| Problem::group(error, "parentAccountId"))?;
    let location = format!("/groups/{}", group.id);
    let answer = answer(&req, StatusCode::CREATED, group).location(&location);
    let done = pending.finish(unit, answer).await;
    req.app.authenticator.forget();
    done
}

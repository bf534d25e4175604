//! POST /groups/{id}/members and DELETE /groups/{id}/members/{accountId}

use http::StatusCode;
use serde::Deserialize;
use svc_business::group;
use svc_core::id::AccountId;
use utoipa::ToSchema;

use super::answer;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::idempotency::{Committed, PendingReply};
use crate::json::Input;
use crate::problem::Problem;

/// The company to add.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = GroupMemberAdd)]
pub(crate) struct Body {
    #[schema(value_type = String)]
    account_id: AccountId,
    /// Percent, as a decimal string with at most 2 decimals.
    #[serde(default)]
    ownership_percent: Option<String>,
}

impl Input for Body {
    const READ_ONLY: &'static [&'static str] = &["since"];
}

pub(super) async fn add(req: ApiRequest<PersonCaller>, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = group::open(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    let Body { account_id, ownership_percent } = req.json()?;
    let added = group::add_to(opened, account_id, ownership_percent.as_deref()).await;
    let group = added.map_err(|error| Problem::group(error, "accountId"))?;
    let answer = answer(&req, StatusCode::OK, group);
    let done = pending.finish(unit, answer).await;
    req.app.authenticator.forget();
    done
}

pub(super) async fn remove(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = group::open(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    let removed = group::remove(opened, req.id("accountId")?).await;
    removed.map_err(|error| Problem::group(error, "accountId"))?;
    let committed = unit.commit().await;
    // Whatever is known of the commit: it may have taken place.
    req.app.authenticator.forget();
    committed?;
    Ok(Answer::no_content())
}

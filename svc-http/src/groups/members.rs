//! POST /groups/{id}/members and DELETE /groups/{id}/members/{accountId}

use http::StatusCode;
use serde::Deserialize;
use svc_business::group::{self, AddRequest};
use svc_core::id::AccountId;
use utoipa::ToSchema;

use super::{answer, version};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::idempotency::{Committed, PendingReply};
use crate::json::Input;
use crate::precondition::began_at;
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
    let id = req.id("id")?;
    let expected = req.expected(version(&req, id)).await?;
    let Body { account_id, ownership_percent } = req.json()?;
    let request = AddRequest { group: id, account: account_id, ownership_percent };
    let unit = req.app.business.begin().await?;
    let added = group::add(unit.as_ref(), req.call(), request).await;
    let group = added.map_err(|error| Problem::group(error, "accountId"))?;
    began_at(expected, group.version)?;
    let answer = answer(&req, StatusCode::OK, group);
    let done = pending.finish(unit, answer).await;
    req.app.authenticator.forget();
    done
}

pub(super) async fn remove(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let id = req.id("id")?;
    let expected = req.expected(version(&req, id)).await?;
    let unit = req.app.business.begin().await?;
    let account = req.id("accountId")?;
    let removed = group::remove(unit.as_ref(), req.call(), id, expected, account).await;
    removed.map_err(|error| Problem::group(error, "accountId"))?;
    let committed = unit.commit().await;
    // Whatever is known of the commit: it may have taken place.
    req.app.authenticator.forget();
    committed?;
    Ok(Answer::no_content())
}

//! POST /groups

use http::StatusCode;
use serde::Deserialize;
use svc_business::group::{self, CreateRequest};
use svc_core::id::AccountId;
use utoipa::ToSchema;

use super::answer;
use crate::exchange::Exchange;
use crate::gate::PersonCaller;
use crate::idempotency::{Done, Work};
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

pub(super) async fn create(exchange: Exchange<PersonCaller>, work: Work) -> Result<Done, Problem> {
    let Body { name, parent_account_id } = exchange.json()?;
    let request = CreateRequest { name, parent: parent_account_id };
    let unit = exchange.app.business.begin().await?;
    let created = group::create(unit.as_ref(), exchange.call(), request).await;
    let group = created.map_err(|error| Problem::group(error, "parentAccountId"))?;
    let location = format!("/groups/{}", group.id);
    let answer = answer(&exchange, StatusCode::CREATED, group).location(&location);
    let done = work.finish(unit, answer).await;
    exchange.app.authenticator.forget();
    done
}

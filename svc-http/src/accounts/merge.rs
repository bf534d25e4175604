//! POST /accounts/{id}/merge

use std::collections::BTreeMap;

use http::StatusCode;
use serde::Deserialize;
use svc_business::account::{self, MergeRequest};
use svc_core::id::AccountId;
use utoipa::ToSchema;

use super::{version, view};
use crate::contacts::Side;
use crate::exchange::Exchange;
use crate::idempotency::{Done, Work};
use crate::json::Input;
use crate::problem::Problem;

/// Which company to absorb, and how.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = AccountMerge)]
pub(crate) struct Body {
    /// The company to absorb.
    #[schema(value_type = String)]
    merged_id: AccountId,
    /// Names of members with the side whose value wins; the survivor's when not named.
    #[serde(default)]
    prefer: BTreeMap<String, Side>,
}

impl Input for Body {}

pub(super) async fn merge(exchange: Exchange, work: Work) -> Result<Done, Problem> {
    let id = exchange.id("id")?;
    let expected = exchange.expected(version(&exchange, id)).await?;
    let Body { merged_id, prefer } = exchange.json()?;
    let primary = exchange.caller.principal.primary;
    let prefer = prefer.into_iter().map(|(member, side)| (member, side.into())).collect();
    let request = MergeRequest { prefer };
    let unit = exchange.app.business.begin().await?;
    let call = exchange.call();
    let survivor = account::merge(unit.as_ref(), call, id, expected, merged_id, request, primary).await?;
    // What is committed still has the absorbed company as one of its own: it is none any more.
    let mut duplicates = view::duplicates(&exchange, &survivor).await?;
    duplicates.retain(|duplicate| *duplicate != merged_id);
    let done = work.finish(unit, view::answer(StatusCode::OK, survivor, duplicates)).await;
    // Tokens lose the absorbed company at once, on this node.
    exchange.app.authenticator.forget();
    done
}

//! POST /accounts/{id}/merge

use std::collections::BTreeMap;

use http::StatusCode;
use serde::Deserialize;
use svc_business::account::{self, MergeRequest};
use svc_core::id::AccountId;
use utoipa::ToSchema;

use super::view;
use crate::api_request::ApiRequest;
use crate::contacts::Side;
use crate::idempotency::{Committed, PendingReply};
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

pub(super) async fn merge(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = account::alone(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    let Body { merged_id, prefer } = req.json()?;
    let prefer = prefer.into_iter().map(|(member, side)| (member, side.into())).collect();
    let primary = req.caller.principal.primary;
    let survivor = account::merge(opened, merged_id, MergeRequest { prefer }, primary).await?;
    // What is committed still has the absorbed company as one of its own: it is none any more.
    let mut duplicates = view::duplicates(&req, &survivor).await?;
    duplicates.retain(|duplicate| *duplicate != merged_id);
    let done = pending.finish(unit, view::answer(StatusCode::OK, survivor, duplicates)).await;
    // Tokens lose the absorbed company at once, on this node.
    req.app.authenticator.forget();
    done
}

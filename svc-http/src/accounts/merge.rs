//! POST /accounts/{id}/merge

use std::collections::BTreeMap;

use http::StatusCode;
use svc_business::account::{self, MergeRequest};
use svc_business::party::Prefer;
use svc_core::id::AccountId;
use svc_core::wire_request;

use super::view;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::problem::Problem;

wire_request! {
    /// Which company to absorb, and how.
    #[derive(Debug)]
    pub(crate) struct Body as "AccountMerge" {
        /// The company to absorb.
        merged_id: AccountId,
        /// Names of members with the side whose value wins; the survivor's when not named.
        #[serde(default)]
        prefer: BTreeMap<String, Prefer>,
    }
}

pub(super) async fn merge(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = account::alone(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    let Body { merged_id, prefer } = req.json()?;
    let prefer = prefer.into_iter().collect();
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

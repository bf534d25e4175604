//! POST /accounts/{id}/merge

use std::collections::BTreeMap;

use http::StatusCode;
use svc_business::account::{self, MergeRequest};
use svc_business::contact::Prefer;
use svc_core::id::AccountId;
use svc_core::wire_request;

use super::{version, view};
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
    let id = req.id("id")?;
    let expected = req.expected(version(&req, id)).await?;
    let Body { merged_id, prefer } = req.json()?;
    let primary = req.caller.principal.primary;
    let request = MergeRequest { prefer: prefer.into_iter().collect() };
    let unit = req.app.business.begin().await?;
    let call = req.call();
    let survivor = account::merge(unit.as_ref(), call, id, expected, merged_id, request, primary).await?;
    // What is committed still has the absorbed company as one of its own: it is none any more.
    let mut duplicates = view::duplicates(&req, &survivor).await?;
    duplicates.retain(|duplicate| *duplicate != merged_id);
    let done = pending.finish(unit, view::answer(StatusCode::OK, survivor, duplicates)).await;
    // Tokens lose the absorbed company at once, on this node.
    req.app.authenticator.forget();
    done
}

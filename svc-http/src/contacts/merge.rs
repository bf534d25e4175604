//! POST /contacts/{id}/merge

use std::collections::BTreeMap;

use http::StatusCode;
use svc_business::contact::{self, Contact, MergeRequest};
use svc_business::party::Prefer;
use svc_business::record;
use svc_core::id::ContactId;
use svc_core::wire_request;

use super::view;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::problem::Problem;

wire_request! {
    /// Which contact to absorb, and how.
    #[derive(Debug)]
    pub(crate) struct Body as "ContactMerge" {
        /// The contact to absorb: of the same company.
        merged_id: ContactId,
        /// Names of members with the side whose value wins; the survivor's when not named.
        #[serde(default)]
        prefer: BTreeMap<String, Prefer>,
        /// Merge although both have a tax id, and not the same: the survivor's is kept.
        #[serde(default)]
        force: bool,
    }
}

pub(super) async fn merge(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    // What is wrong with the body is told of a contact that the caller reaches, at the version that was named.
    let body = req.json::<Body>();
    let beside: Vec<_> = body.iter().map(|body| body.merged_id).collect();
    let id = req.id("id")?;
    let opened = record::alone::<Contact>(unit.as_ref(), req.call(), id, &beside, &req.if_match()).await?;
    let Body { merged_id, prefer, force } = body?;
    let request = MergeRequest { prefer: prefer.into_iter().collect(), force };
    let survivor = contact::merge(opened, merged_id, request).await?;
    pending.finish(unit, view::answer(StatusCode::OK, survivor)).await
}

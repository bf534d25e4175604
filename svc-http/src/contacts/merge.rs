//! POST /contacts/{id}/merge

use std::collections::BTreeMap;

use http::StatusCode;
use serde::Deserialize;
use svc_business::contact::{self, Contact, MergeRequest};
use svc_business::party::Prefer;
use svc_business::record;
use svc_core::id::ContactId;
use utoipa::ToSchema;

use super::view;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::json::Input;
use crate::problem::Problem;

/// Which contact to absorb, and how.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = ContactMerge)]
pub(crate) struct Body {
    /// The contact to absorb: of the same company.
    #[schema(value_type = String)]
    merged_id: ContactId,
    /// Names of members with the side whose value wins; the survivor's when not named.
    #[serde(default)]
    prefer: BTreeMap<String, Side>,
    /// Merge although both have a tax id, and not the same: the survivor's is kept.
    #[serde(default)]
    force: bool,
}

/// Whose value wins.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = MergeSide)]
pub(crate) enum Side {
    /// The survivor's.
    Survivor,
    /// The absorbed one's.
    Merged,
}

impl From<Side> for Prefer {
    fn from(side: Side) -> Self {
        match side {
            Side::Survivor => Self::Survivor,
            Side::Merged => Self::Merged,
        }
    }
}

impl Input for Body {}

pub(super) async fn merge(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = record::alone::<Contact>(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    let Body { merged_id, prefer, force } = req.json()?;
    let prefer = prefer.into_iter().map(|(member, side)| (member, side.into())).collect();
    let survivor = contact::merge(opened, merged_id, MergeRequest { prefer, force }).await?;
    pending.finish(unit, view::answer(StatusCode::OK, survivor)).await
}

//! POST /webhooks/subscriptions/{id}/deliveries/redeliver

use serde::Deserialize;
use svc_core::error::Validator;
use svc_core::id::EventId;
use svc_webhooks::replay::{Again, Ended, EndedRequest};
use utoipa::ToSchema;

use super::{answer, bound};
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::json::Input;
use crate::problem::Problem;
use crate::webhooks::span;

pub(crate) const ABOUT: &str = "Ended deliveries are sent once more, as `redeliver` does with one: failed ones unless \
    `status` says otherwise. Each event goes out once, however many of its deliveries match; one with a later delivery \
    that has arrived or is under way is left out, and so are types that the subscription no longer lists. Runs as a \
    replay. With `dryRun` nothing is sent and the answer is a 200 with the count.";

/// Which deliveries to send again.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = RedeliverRequest)]
pub(crate) struct Body {
    /// How they ended; `failed` when left out.
    #[serde(default)]
    status: EndedStatus,
    /// Only of this type.
    event_type: Option<String>,
    /// Only of this event.
    #[schema(value_type = Option<String>)]
    event_id: Option<EventId>,
    /// Created on this date (UTC) or at this instant, or later.
    from: Option<String>,
    /// Created on this date (UTC) or at this instant, or earlier.
    to: Option<String>,
    /// Also those whose event arrived later, by another delivery.
    #[serde(default)]
    even_if_delivered: bool,
    /// Only count.
    #[serde(default)]
    dry_run: bool,
}

/// How a delivery ended.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = EndedStatus)]
pub(crate) enum EndedStatus {
    /// No attempt was left.
    #[default]
    Failed,
    /// The receiver answered 2xx.
    Delivered,
}

impl Input for Body {}

pub(crate) async fn redeliver(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let body: Body = req.json()?;
    let mut validator = Validator::new();
    let from = bound(&mut validator, "from", body.from.as_deref(), span::first);
    let until = bound(&mut validator, "to", body.to.as_deref(), span::after);
    validator.finish()?;
    let request = EndedRequest {
        ended: match body.status {
            EndedStatus::Failed => Ended::Failed,
            EndedStatus::Delivered => Ended::Delivered,
        },
        kind: body.event_type,
        event: body.event_id,
        from,
        until,
        even_if_arrived: body.even_if_delivered,
    };
    answer(&req, pending, Again::Deliveries(request), body.dry_run).await
}

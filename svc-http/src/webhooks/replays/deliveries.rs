//! POST /webhooks/subscriptions/{id}/deliveries/redeliver

use svc_core::error::Validator;
use svc_core::event::EventType;
use svc_core::id::EventId;
use svc_core::wire::Form;
use svc_core::wire_request;
use svc_webhooks::replay::{Again, Ended, EndedRequest};

use super::{answer, bound};
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::problem::Problem;
use crate::webhooks::span;

pub(crate) const ABOUT: &str = "Ended deliveries are sent once more, as `redeliver` does with one: failed ones unless \
    `status` says otherwise. Each event goes out once, however many of its deliveries match; one with a later delivery \
    that has arrived or is under way is left out, and so are types that the subscription no longer lists. Runs as a \
    replay. With `dryRun` nothing is sent and the answer is a 200 with the count.";

wire_request! {
    /// Which deliveries to send again.
    #[derive(Debug)]
    pub(crate) struct Body as "RedeliverRequest" {
        /// How they ended; failed ones when left out.
        #[serde(default)]
        status: Ended => Form::ANY.example("failed"),
        /// Only of this type.
        event_type: Option<String> => Form::ANY.like::<EventType>(),
        /// Only of this event.
        event_id: Option<EventId>,
        /// Created on this date (UTC) or at this instant, or later.
        from: Option<String> => Form::MOMENT.example("2025-01-31"),
        /// Created on this date (UTC) or at this instant, or earlier.
        to: Option<String> => Form::MOMENT,
        /// Also those whose event arrived later, by another delivery.
        #[serde(default)]
        even_if_delivered: bool,
        /// Only count.
        #[serde(default)]
        dry_run: bool,
    }
}

pub(crate) async fn redeliver(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let body: Body = req.json()?;
    let mut validator = Validator::new();
    let from = bound(&mut validator, "from", body.from.as_deref(), span::first);
    let until = bound(&mut validator, "to", body.to.as_deref(), span::after);
    validator.finish()?;
    let request = EndedRequest {
        ended: body.status,
        kind: body.event_type,
        event: body.event_id,
        from,
        until,
        even_if_arrived: body.even_if_delivered,
    };
    answer(&req, pending, Again::Deliveries(request), body.dry_run).await
}

//! POST /webhooks/subscriptions/{id}/replay

use svc_core::error::Validator;
use svc_core::event::EventType;
use svc_core::wire::Form;
use svc_core::wire_request;
use svc_webhooks::replay::{Again, EventsRequest};

use super::{answer, bound};
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::problem::Problem;
use crate::webhooks::span;

pub(crate) const ABOUT: &str = "Each event of the range goes to this subscription once more, with the same id and body, \
    as a new delivery with six attempts: whether it was delivered before or not, and those from before the subscription \
    was made as well. Only types that the subscription lists, and whose read permission the token holds. The replay \
    runs by itself and lets what happens meanwhile go first; three of a subscription may be open. With `dryRun` \
    nothing is sent and the answer is a 200 with the count.";

wire_request! {
    /// Which events to send again.
    #[derive(Debug)]
    pub(crate) struct Body as "ReplayRequest" {
        /// Occurred on this date (UTC) or at this instant, or later.
        from: String => Form::MOMENT.example("2025-01-31"),
        /// Occurred on this date (UTC) or at this instant, or earlier; up to now when left out.
        to: Option<String> => Form::MOMENT,
        /// Only these of the types that the subscription lists; all of them when left out.
        event_types: Option<Vec<String>> => Form::some(&Form::ANY).like::<Vec<EventType>>(),
        /// Only count.
        #[serde(default)]
        dry_run: bool,
    }
}

pub(crate) async fn replay(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let Body { from, to, event_types: types, dry_run } = req.json()?;
    let mut validator = Validator::new();
    let from = bound(&mut validator, "from", Some(&from), span::first);
    let until = bound(&mut validator, "to", to.as_deref(), span::after);
    validator.finish()?;
    let request = EventsRequest { from: from.unwrap_or_default(), until, types };
    answer(&req, pending, Again::Events(request), dry_run).await
}

//! What was sent to receivers, and what they answered.

pub(crate) mod list;
pub(crate) mod redeliver;
pub(crate) mod row;
pub(crate) mod show;
mod waterfall;

use svc_webhooks::delivery::Status;

use crate::texts::Deliveries;

/// Every state, as people find it in a list.
const STATUSES: [Status; 4] = [Status::Pending, Status::Retrying, Status::Delivered, Status::Failed];

/// How a state is told, and in which colour.
const fn state(status: Status, t: &Deliveries) -> (&'static str, &'static str) {
    match status {
        Status::Pending => (t.pending, ""),
        Status::Retrying => (t.retrying, "warn"),
        Status::Delivered => (t.delivered, "good"),
        Status::Failed => (t.failed, "bad"),
    }
}

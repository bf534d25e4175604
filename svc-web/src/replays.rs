//! Sending past events to a receiver once more.

pub(crate) mod cancel;
pub(crate) mod list;
pub(crate) mod new;
pub(crate) mod show;

use svc_webhooks::replay::Status;

use crate::texts::Replays;

/// How a state is told, and in which colour.
const fn state(status: Status, t: &Replays) -> (&'static str, &'static str) {
    match status {
        Status::Running => (t.running, ""),
        Status::Completed => (t.completed, "good"),
        Status::Cancelled => (t.cancelled, "warn"),
    }
}

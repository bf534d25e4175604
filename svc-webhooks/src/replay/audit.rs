//! What the audit log says of a replay: it belongs to the subscription.

use std::collections::BTreeSet;

use serde::Serialize;
use svc_core::audit::{Action, Entry};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::event::EventType;
use svc_core::id::ReplayId;
use svc_core::unit::CallContext;

use super::{Replay, Source};
use crate::ports::WebhookUnit;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View<'a> {
    replay_id: ReplayId,
    source: &'static str,
    event_types: &'a BTreeSet<EventType>,
    from: Option<Timestamp>,
    until: Timestamp,
    status: &'static str,
    matched: u64,
    sent: u64,
}

impl<'a> View<'a> {
    fn of(replay: &'a Replay) -> Self {
        let selection = &replay.selection;
        Self {
            replay_id: replay.id,
            source: match selection.source {
                Source::Events => "events",
                Source::Deliveries { .. } => "deliveries",
            },
            event_types: &selection.types,
            from: selection.from,
            until: selection.until,
            status: replay.status().name(),
            matched: replay.matched,
            sent: replay.sent,
        }
    }
}

/// Writes the beginning or the cancellation of a replay into the log of its company.
pub(super) async fn log(
    unit: &dyn WebhookUnit,
    call: CallContext<'_>,
    action: Action,
    (before, after): (Option<&Replay>, &Replay),
) -> Result<(), StoreError> {
    let selection = &after.selection;
    let views = (before.map(View::of), View::of(after));
    let entry = Entry::new(
        call,
        selection.account,
        action,
        selection.subscription,
        (views.0.as_ref(), Some(&views.1)),
    );
    unit.audit().append(&[entry]).await
}

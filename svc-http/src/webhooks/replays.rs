//! Replays: jobs that send past events or ended deliveries again.

pub(super) mod cancel;
pub(super) mod deliveries;
pub(super) mod events;
pub(super) mod get;
pub(super) mod list;

use std::time::Duration;

use http::StatusCode;
use svc_core::clock::Timestamp;
use svc_core::error::Validator;
use svc_core::event::EventType;
use svc_core::id::{EventId, ReplayId, SubscriptionId};
use svc_core::unit::UnitOfWork;
use svc_core::wire::Form;
use svc_core::wire_view;
use svc_webhooks::replay::{self, Again, Ended, Replay, Selection, Source, State, Status, Why};

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::problem::Problem;

wire_view! {
    /// A replay.
    #[derive(Debug)]
    pub(crate) struct View as "Replay" {
        id: ReplayId,
        subscription_id: SubscriptionId,
        /// What is sent again.
        source: &'static str => Form::one_of(&["events", "deliveries"]),
        /// Only these types, as far as the subscription still lists them.
        event_types: Vec<EventType>,
        /// The first instant of the range; null when there is none.
        from: Option<Timestamp>,
        /// The last instant of the range: not after the replay was asked for.
        to: Timestamp,
        /// Of deliveries: how they ended.
        delivery_status: Option<Ended> => Form::ANY.json("null"),
        /// Of deliveries: only of this event.
        event_id: Option<EventId> => Form::ANY.json("null"),
        /// Of deliveries: also those whose event arrived later.
        even_if_delivered: Option<bool> => Form::ANY.json("null"),
        status: Status,
        /// Why it was cancelled.
        cancel_reason: Option<Why> => Form::ANY.json("null"),
        /// How many events or deliveries were selected when it was asked for.
        matched: u64,
        /// Deliveries that it has added to the queue so far.
        sent: u64,
        created_at: Timestamp,
        /// When the last one was added, or when it was cancelled; null while it runs.
        finished_at: Option<Timestamp> => Form::ANY.json("null"),
    }
}

wire_view! {
    /// What a replay would send.
    #[derive(Debug)]
    pub(crate) struct Preview as "ReplayPreview" {
        /// true: nothing was changed.
        dry_run: bool,
        subscription_id: SubscriptionId,
        event_types: Vec<EventType>,
        from: Option<Timestamp>,
        to: Timestamp,
        /// How many events or deliveries are selected now.
        matched: u64,
    }
}

impl View {
    fn of(replay: &Replay) -> Self {
        let selection = &replay.selection;
        let (source, ended, event_id, even_if_delivered) = match selection.source {
            Source::Events => ("events", None, None, None),
            Source::Deliveries { ended, event, even_if_arrived } => {
                ("deliveries", Some(ended), event, Some(even_if_arrived))
            }
        };
        Self {
            id: replay.id,
            subscription_id: selection.subscription,
            source,
            event_types: selection.types.iter().cloned().collect(),
            from: selection.from,
            to: last(selection),
            delivery_status: ended,
            event_id,
            even_if_delivered,
            status: replay.status(),
            cancel_reason: match replay.state {
                State::Cancelled { why, .. } => Some(why),
                State::Running { .. } | State::Completed { .. } => None,
            },
            matched: replay.matched,
            sent: replay.sent,
            created_at: selection.asked_at,
            finished_at: replay.ended_at(),
        }
    }
}

impl Preview {
    fn of(selection: &Selection, matched: u64) -> Self {
        Self {
            dry_run: true,
            subscription_id: selection.subscription,
            event_types: selection.types.iter().cloned().collect(),
            from: selection.from,
            to: last(selection),
            matched,
        }
    }
}

/// The last millisecond of the range.
fn last(selection: &Selection) -> Timestamp {
    selection.until.minus(Duration::from_millis(1))
}

/// Answers what would be sent, or starts to send it.
async fn answer(
    req: &ApiRequest,
    pending: PendingReply,
    again: Again,
    dry_run: bool,
) -> Result<Committed, Problem> {
    let (id, scope) = (req.id("id")?, req.primary_scope()?);
    let app = &req.app;
    let call = req.call_in(&scope);
    // Counting may take long, so no unit is open yet.
    let draft = replay::prepare(&*app.replays, call, id, again, req.subscribable()).await?;
    if dry_run {
        let preview = Preview::of(&draft.selection, draft.matched);
        let answer = Answer::plain(StatusCode::OK, &preview).of(draft.selection.account);
        return pending
            .finish_alone(async { Ok(app.webhooks.begin().await? as Box<dyn UnitOfWork>) }, answer)
            .await;
    }
    let unit = app.replays.begin_replay().await?;
    let started = replay::start(unit.as_ref(), call, draft).await?;
    let answer = Answer::plain(StatusCode::ACCEPTED, &View::of(&started))
        .location(&format!("/webhooks/replays/{}", started.id))
        .of(started.selection.account);
    pending.finish(unit, answer).await
}

/// An end of a range in a body.
fn bound(
    validator: &mut Validator,
    field: &str,
    text: Option<&str>,
    read: impl Fn(&str) -> Result<Timestamp, String>,
) -> Option<Timestamp> {
    text.and_then(|text| validator.take(field, "invalid_value", read(text)))
}

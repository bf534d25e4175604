//! Replays: jobs that send past events or ended deliveries again.

pub(super) mod cancel;
pub(super) mod deliveries;
pub(super) mod events;
pub(super) mod get;
pub(super) mod list;

use std::time::Duration;

use http::StatusCode;
use serde::Serialize;
use svc_core::clock::Timestamp;
use svc_core::error::Validator;
use svc_core::event::EventType;
use svc_core::id::{EventId, ReplayId, SubscriptionId};
use svc_core::unit::UnitOfWork;
use svc_webhooks::replay::{self, Again, Ended, Replay, Selection, Source, State};
use utoipa::ToSchema;

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::problem::Problem;

/// A replay.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Replay)]
pub(crate) struct View {
    #[schema(value_type = String)]
    id: ReplayId,
    #[schema(value_type = String)]
    subscription_id: SubscriptionId,
    /// What is sent again: `events` or `deliveries`.
    source: &'static str,
    /// Only these types, as far as the subscription still lists them.
    #[schema(value_type = Vec<String>)]
    event_types: Vec<EventType>,
    /// The first instant of the range; null when there is none.
    #[schema(value_type = Option<String>)]
    from: Option<Timestamp>,
    /// The last instant of the range: not after the replay was asked for.
    #[schema(value_type = String)]
    to: Timestamp,
    /// Of deliveries: `failed` or `delivered`.
    delivery_status: Option<&'static str>,
    /// Of deliveries: only of this event.
    #[schema(value_type = Option<String>)]
    event_id: Option<EventId>,
    /// Of deliveries: also those whose event arrived later.
    even_if_delivered: Option<bool>,
    /// `running`, `completed` or `cancelled`
    status: &'static str,
    /// Why it was cancelled: `asked` or `subscription_inactive`.
    cancel_reason: Option<&'static str>,
    /// How many events or deliveries were selected when it was asked for.
    matched: u64,
    /// Deliveries that it has added to the queue so far.
    sent: u64,
    #[schema(value_type = String)]
    created_at: Timestamp,
    /// When the last one was added, or when it was cancelled; null while it runs.
    #[schema(value_type = Option<String>)]
    finished_at: Option<Timestamp>,
}

/// What a replay would send.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ReplayPreview)]
pub(crate) struct Preview {
    /// true: nothing was changed.
    dry_run: bool,
    #[schema(value_type = String)]
    subscription_id: SubscriptionId,
    #[schema(value_type = Vec<String>)]
    event_types: Vec<EventType>,
    #[schema(value_type = Option<String>)]
    from: Option<Timestamp>,
    #[schema(value_type = String)]
    to: Timestamp,
    /// How many events or deliveries are selected now.
    matched: u64,
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
            event_types: selection.types.iter().copied().collect(),
            from: selection.from,
            to: last(selection),
            delivery_status: ended.map(|ended: Ended| ended.status().name()),
            event_id,
            even_if_delivered,
            status: replay.status().name(),
            cancel_reason: match replay.state {
                State::Cancelled { why, .. } => Some(why.name()),
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
            event_types: selection.types.iter().copied().collect(),
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
    let (app, principal) = (&req.app, &req.caller.principal);
    let call = req.call_in(&scope);
    // Counting may take long, so no unit is open yet.
    let draft = replay::prepare(&*app.webhooks, call, id, again, &principal.grants).await?;
    if dry_run {
        let preview = Preview::of(&draft.selection, draft.matched);
        let answer = Answer::plain(StatusCode::OK, &preview).of(draft.selection.account);
        return pending
            .finish_alone(async { Ok(app.webhooks.begin().await? as Box<dyn UnitOfWork>) }, answer)
            .await;
    }
    let unit = app.webhooks.begin().await?;
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

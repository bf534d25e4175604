//! From a request to what it selects, counted: everything but the job itself.

use std::collections::BTreeSet;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::error::Validator;
use svc_core::event::{EventCatalogue, EventType};
use svc_core::id::{EventId, SubscriptionId};
use svc_core::permission::Permission;
use svc_core::refused::Refused;
use svc_core::unit::CallContext;
use thiserror::Error;

use super::{Ended, Selection, Source};
use crate::ports::ReplayStorage;
use crate::subscription::{Inactive, Subscribable, Subscription};

/// Which past events are wanted again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventsRequest {
    /// From this instant on.
    pub from: Timestamp,
    /// Before this instant; up to now when left out.
    pub until: Option<Timestamp>,
    /// Only these of the types that the subscription lists; all of them when left out.
    pub types: Option<Vec<String>>,
}

/// Which ended deliveries are wanted again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndedRequest {
    /// How they ended.
    pub ended: Ended,
    /// Only of this type, of those that the subscription lists.
    pub kind: Option<String>,
    /// Only of this event.
    pub event: Option<EventId>,
    /// Made at this instant or later.
    pub from: Option<Timestamp>,
    /// Made before this instant; up to now when left out.
    pub until: Option<Timestamp>,
    /// Also those whose event arrived later, by another delivery.
    pub even_if_arrived: bool,
}

/// What is wanted again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Again {
    /// Past events.
    Events(EventsRequest),
    /// Ended deliveries.
    Deliveries(EndedRequest),
}

/// Why nothing is sent again.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// The read permissions of some types are not held.
    #[error("permissions are missing for some of the events")]
    MissingPermissions(Vec<Permission>),
    /// The subscription is switched off.
    #[error(transparent)]
    Inactive(#[from] Inactive),
    /// So many replays of the subscription are open as there may be.
    #[error("the subscription has {most} open replays already")]
    TooMany {
        /// How many there may be.
        most: u32,
    },
}

/// A request that passed every check, and how much it selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// What it selects.
    pub selection: Selection,
    /// How many events or deliveries that is now.
    pub matched: u64,
}

/// Checks a request and counts what it selects; changes nothing. Counting takes time that grows with what
/// it selects, so no unit of work should be open.
///
/// # Errors
/// [`ReplayError`], [`Refused::NotFound`], [`Refused::Invalid`], [`Refused::Store`].
pub async fn prepare(
    storage: &dyn ReplayStorage,
    call: CallContext<'_>,
    id: SubscriptionId,
    request: Again,
    subscribable: Subscribable<'_>,
) -> Result<Draft, Refused<ReplayError>> {
    let found = storage.subscriptions().find(call.scope, id).await?.ok_or(Refused::NotFound)?;
    let selection = select(&found, request, subscribable, call.now)?;
    found.require_active().map_err(|inactive| Refused::Own(inactive.into()))?;
    let matched = storage.replays().count(&selection).await?;
    Ok(Draft { selection, matched })
}

fn select(
    subscription: &Subscription,
    request: Again,
    subscribable: Subscribable<'_>,
    now: Timestamp,
) -> Result<Selection, Refused<ReplayError>> {
    let mut validator = Validator::new();
    let (types, from, until, source) = match request {
        Again::Events(EventsRequest { from, until, types }) => {
            let types = types.map(|names| {
                validator.require(!names.is_empty(), "eventTypes", "required", "at least one event type");
                let named = names.iter().enumerate();
                named
                    .filter_map(|(at, name)| {
                        let field = format!("eventTypes[{at}]");
                        listed(name, subscription, subscribable.catalogue, &field, &mut validator)
                    })
                    .collect()
            });
            (types, Some(from), until, Source::Events)
        }
        Again::Deliveries(EndedRequest { ended, kind, event, from, until, even_if_arrived }) => {
            let types = kind.map(|name| {
                listed(&name, subscription, subscribable.catalogue, "eventType", &mut validator)
                    .into_iter()
                    .collect()
            });
            (types, from, until, Source::Deliveries { ended, event, even_if_arrived })
        }
    };
    let mut types: BTreeSet<EventType> = types.unwrap_or_else(|| subscription.events.clone());
    // What an event needs that this service does not know of cannot be told.
    types.retain(|kind| subscribable.catalogue.find(kind.name()).is_ok());
    let missing = subscribable.missing(types.iter().map(EventType::name));
    if !missing.is_empty() {
        return Err(Refused::Own(ReplayError::MissingPermissions(missing)));
    }
    let latest = end_of_millisecond(now);
    if let Some(from) = from
        && validator.require(from <= now, "from", "in_the_future", "an instant that has passed")
    {
        let ordered = until.is_none_or(|until| from < until);
        validator.require(ordered, "from", "out_of_order", "must not be later than `to`");
    }
    validator.finish()?;
    Ok(Selection {
        account: subscription.account,
        subscription: subscription.id,
        types,
        from,
        until: until.map_or(latest, |until| until.min(latest)),
        asked_at: now,
        source,
    })
}

/// The type of this name, if the subscription lists it.
fn listed(
    name: &str,
    subscription: &Subscription,
    catalogue: &EventCatalogue,
    field: &str,
    validator: &mut Validator,
) -> Option<EventType> {
    let declared = validator.take(field, "unknown_event", catalogue.find(name))?;
    let listed = subscription.events.iter().find(|kind| kind.name() == declared.name());
    validator.require(
        listed.is_some(),
        field,
        "not_listed",
        format!("the subscription does not list {name}"),
    );
    listed.cloned()
}

/// The first instant of the millisecond after this one: ids of events are made to the millisecond.
fn end_of_millisecond(now: Timestamp) -> Timestamp {
    let whole = now.unix_micros().div_euclid(1_000).saturating_mul(1_000);
    Timestamp::from_unix_micros(whole).plus(Duration::from_millis(1))
}

//! Changing name, URL, events, headers or the active state.

use std::collections::{BTreeMap, BTreeSet};

use svc_core::audit::Action;
use svc_core::error::{ValidationErrors, Validator};
use svc_core::event::EventType;
use svc_core::permission::Permission;
use svc_core::refused::Refused;
use svc_core::unit::CallContext;

use crate::endpoint::Endpoint;
use crate::ports::HttpSender;
use crate::subscription::{
    Author, ChangeError, HeaderChanges, InFlight, OpenedSubscription, Subscribable, Subscription, headers,
    input,
};

/// What the client asks to change; `None` leaves a member as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UpdateRequest {
    /// New name.
    pub name: Option<String>,
    /// New URL.
    pub url: Option<String>,
    /// New list of events, in place of the old one.
    pub events: Option<Vec<String>>,
    /// Switches the subscription on or off.
    pub active: Option<bool>,
    /// How many attempts may be under way at a time: 1 to 256.
    pub in_flight: Option<u32>,
    /// What to change of the headers of its notifications.
    pub headers: Option<HeaderChanges>,
}

/// A change that passed every check that needs no storage.
#[derive(Debug)]
pub struct Change {
    name: Option<String>,
    endpoint: Option<Endpoint>,
    events: Option<BTreeSet<EventType>>,
    active: Option<bool>,
    in_flight: Option<InFlight>,
    headers: Option<HeaderChanges>,
    /// Every event that there is, with its permission if the caller does not hold that; for a change of the URL or of the state.
    withheld: BTreeMap<EventType, Option<Permission>>,
}

impl Change {
    /// Checks a request. Resolves the URL's name, so no unit of work may be open.
    ///
    /// # Errors
    /// [`ChangeError`] and [`Refused::Invalid`], missing permissions before everything else.
    pub async fn check(
        request: UpdateRequest,
        subscribable: Subscribable<'_>,
        sender: &dyn HttpSender,
    ) -> Result<Self, Refused<ChangeError>> {
        let UpdateRequest { name, url, events, active, in_flight, headers } = request;
        let missing = subscribable.missing(events.iter().flatten().map(String::as_str));
        if !missing.is_empty() {
            return Err(Refused::Own(ChangeError::MissingPermissions(missing)));
        }
        let mut validator = Validator::new();
        let name = name.map(|name| input::name(&name, &mut validator));
        let events = events.map(|events| input::events(&events, subscribable.catalogue, &mut validator));
        let in_flight = in_flight.and_then(|number| input::in_flight(number, &mut validator));
        if let Some(changes) = &headers {
            headers::check(changes, subscribable.names.prefix, &mut validator);
        }
        validator.finish()?;
        let all = subscribable.catalogue.all();
        let withheld = all.map(|declared| (declared.kind(), subscribable.withheld(declared)));
        let withheld = withheld.collect();
        let endpoint = match url {
            Some(url) => Some(input::endpoint(&url, sender).await.map_err(Refused::Own)?),
            None => None,
        };
        Ok(Self { name, endpoint, events, active, in_flight, headers, withheld })
    }

    /// A caller that points a subscription at another receiver, or switches it on, must hold what its events
    /// need, as if it were new. What an event needs that this service does not know of cannot be told.
    fn check_rights(&self, before: &Subscription) -> Result<(), Refused<ChangeError>> {
        if !self.moves(before) && !self.wakes(before) {
            return Ok(());
        }
        let mut missing = BTreeSet::new();
        for kind in self.events.as_ref().unwrap_or(&before.events) {
            let Some(withheld) = self.withheld.get(kind) else {
                let unknown = format!("the subscription lists {kind}, which is not known here: list others");
                return Err(ValidationErrors::one("events", "unknown_event", unknown).into());
            };
            missing.extend(withheld);
        }
        if missing.is_empty() {
            return Ok(());
        }
        Err(Refused::Own(ChangeError::MissingPermissions(missing.into_iter().collect())))
    }

    fn moves(&self, before: &Subscription) -> bool {
        self.endpoint.as_ref().is_some_and(|to| *to != before.endpoint)
    }

    fn wakes(&self, before: &Subscription) -> bool {
        self.active == Some(true) && !before.is_active()
    }

    /// Who answers for the subscription afterwards: who had to hold the permissions of its events.
    fn answering(&self, before: &Subscription, caller: Author) -> Author {
        let checked = self.events.is_some() || self.moves(before) || self.wakes(before);
        if checked { before.author.or(caller) } else { before.author }
    }

    /// The subscription with this change, at a new version; `None` when nothing differs.
    fn apply(
        self,
        before: &Subscription,
        call: CallContext<'_>,
    ) -> Result<Option<Subscription>, ValidationErrors> {
        let (after, now) = (before.clone(), call.now);
        let author = self.answering(before, Author::of(call.actor));
        let moved = self.moves(before);
        let nothing = HeaderChanges::Merge(BTreeMap::new());
        let headers = before.headers.merged(self.headers.unwrap_or(nothing), moved)?;
        let after = Subscription {
            name: self.name.unwrap_or(after.name),
            endpoint: self.endpoint.unwrap_or(after.endpoint),
            events: self.events.unwrap_or(after.events),
            in_flight: self.in_flight.unwrap_or(after.in_flight),
            headers,
            author,
            ..after
        };
        let after = match self.active {
            Some(active) => after.switched(active, now),
            None => after,
        };
        Ok((after != *before).then(|| after.touched(now)))
    }
}

/// Applies the change; one that changes nothing keeps the version and leaves no entry in the audit log.
///
/// # Errors
/// [`ChangeError`], [`Refused::Invalid`], [`Refused::Store`]; nothing was changed.
pub async fn update(
    opened: OpenedSubscription<'_>,
    change: Change,
) -> Result<Subscription, Refused<ChangeError>> {
    let OpenedSubscription { unit, call, ref before } = opened;
    change.check_rights(before)?;
    let Some(after) = change.apply(before, call)? else {
        return Ok(opened.before);
    };
    // Another receiver has a health of its own, and one that is switched on again deserves a fresh look.
    let fresh = before.endpoint != after.endpoint || (after.is_active() && !before.is_active());
    let after = opened.save(Action::SubscriptionUpdate, after).await?;
    if fresh {
        unit.subscriptions().forget_health(after.id).await?;
    }
    Ok(after)
}

//! Changing name, URL, events, headers or the active state.

use std::collections::{BTreeMap, BTreeSet};

use svc_core::audit::Action;
use svc_core::clock::Timestamp;
use svc_core::error::{StoreError, ValidationErrors, Validator};
use svc_core::event::EventType;
use svc_core::id::SubscriptionId;
use svc_core::permission::{Grants, Permission};
use svc_core::resource::Version;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::endpoint::{Endpoint, EndpointError};
use crate::ports::{HttpSender, Refusal, WebhookUnit};
use crate::subscription::{HeaderChanges, InFlight, Subscription, audit, headers, input};

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

/// Why a subscription is not changed.
#[derive(Debug, Error)]
pub enum UpdateError {
    /// There is none with this id within the scope.
    #[error("no such subscription")]
    NotFound,
    /// It is not at the version that the client expects.
    #[error("the subscription is at version {current}")]
    VersionConflict {
        /// The present version.
        current: Version,
    },
    /// The read permissions of some events are not held.
    #[error("permissions are missing for some of the events")]
    MissingPermissions(Vec<Permission>),
    /// Broken rules of the input.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
    /// The URL breaks a rule of its own.
    #[error("the webhook URL is not allowed: {0}")]
    Url(#[from] EndpointError),
    /// The URL leads to a target that must not be reached.
    #[error("the webhook URL is not allowed: {0}")]
    Refused(#[from] Refusal),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
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
    /// What the caller may do.
    held: Grants,
}

impl Change {
    /// Validator a request. Resolves the URL's name, so no unit of work may be open.
    ///
    /// # Errors
    /// [`UpdateError`], missing permissions before everything else.
    pub async fn check(
        request: UpdateRequest,
        held: &Grants,
        sender: &dyn HttpSender,
    ) -> Result<Self, UpdateError> {
        let UpdateRequest { name, url, events, active, in_flight, headers } = request;
        let missing = input::missing_permissions(events.as_deref().unwrap_or_default(), held);
        if !missing.is_empty() {
            return Err(UpdateError::MissingPermissions(missing));
        }
        let mut validator = Validator::new();
        let name = name.map(|name| input::name(&name, &mut validator));
        let events = events.map(|events| input::events(&events, &mut validator));
        let in_flight = in_flight.and_then(|number| input::in_flight(number, &mut validator));
        if let Some(changes) = &headers {
            headers::check(changes, &mut validator);
        }
        validator.finish()?;
        let endpoint = url.as_deref().map(Endpoint::parse).transpose()?;
        if let Some(endpoint) = &endpoint {
            sender.check(endpoint).await?;
        }
        Ok(Self { name, endpoint, events, active, in_flight, headers, held: held.clone() })
    }

    /// A caller that points a subscription at another receiver must hold what its events need, as if it were new.
    fn missing_permissions(&self, before: &Subscription) -> Vec<Permission> {
        let moves = self.endpoint.as_ref().is_some_and(|to| *to != before.endpoint);
        let events = self.events.as_ref().unwrap_or(&before.events);
        if moves { input::missing_for(events.iter().copied(), &self.held) } else { Vec::new() }
    }

    /// The subscription with this change, at a new version; `None` when nothing differs.
    fn apply(self, before: &Subscription, now: Timestamp) -> Result<Option<Subscription>, ValidationErrors> {
        let after = before.clone();
        let moved =
            self.endpoint.as_ref().is_some_and(|to| to.url().origin() != after.endpoint.url().origin());
        let nothing = HeaderChanges::Merge(BTreeMap::new());
        let headers = before.headers.merged(self.headers.unwrap_or(nothing), moved)?;
        let after = Subscription {
            name: self.name.unwrap_or(after.name),
            endpoint: self.endpoint.unwrap_or(after.endpoint),
            events: self.events.unwrap_or(after.events),
            in_flight: self.in_flight.unwrap_or(after.in_flight),
            headers,
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
/// [`UpdateError`]; nothing was changed.
pub async fn update(
    unit: &dyn WebhookUnit,
    call: CallContext<'_>,
    id: SubscriptionId,
    expected: Option<Version>,
    change: Change,
) -> Result<Subscription, UpdateError> {
    let before = unit.subscriptions().find(call.scope, id).await?.ok_or(UpdateError::NotFound)?;
    if expected.is_some_and(|expected| expected != before.version) {
        return Err(UpdateError::VersionConflict { current: before.version });
    }
    let missing = change.missing_permissions(&before);
    if !missing.is_empty() {
        return Err(UpdateError::MissingPermissions(missing));
    }
    let Some(after) = change.apply(&before, call.now)? else {
        return Ok(before);
    };
    unit.subscriptions().replace(before.version, &after).await?;
    // Another receiver has a health of its own, and one that is switched on again deserves a fresh look.
    if before.endpoint != after.endpoint || (after.is_active() && !before.is_active()) {
        unit.subscriptions().forget_health(id).await?;
    }
    audit::log(unit, call, Action::SubscriptionUpdate, &after, (Some(&before), Some(&after))).await?;
    Ok(after)
}

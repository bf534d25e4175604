//! Creating a subscription (specification, part 4.1).

use std::collections::{BTreeMap, BTreeSet};

use svc_core::audit::Action;
use svc_core::error::Validator;
use svc_core::event::EventType;
use svc_core::id::{AccountId, SubscriptionId, TypedId};
use svc_core::mark::Mark;
use svc_core::refused::Refused;
use svc_core::resource::Version;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::endpoint::Endpoint;
use crate::ports::{HttpSender, WebhookUnit};
use crate::subscription::{
    Author, ChangeError, CustomHeaders, HeaderSecret, InFlight, MAX_PER_ACCOUNT, SigningSecret, State,
    Subscribable, Subscription, audit, input,
};

/// What the client asks for, as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateRequest {
    /// 1 to 100 characters.
    pub name: String,
    /// https, public.
    pub url: String,
    /// Names of event types of the catalogue, at least one; repeated ones count once.
    pub events: Vec<String>,
    /// Headers for its notifications, by name; ten at most.
    pub headers: BTreeMap<String, HeaderSecret>,
    /// How many attempts may be under way at a time, 1 to 256; `None` for the standard number.
    pub in_flight: Option<u32>,
}

impl CreateRequest {
    /// Events of these types for this URL, without headers of the subscriber's own.
    #[must_use]
    pub fn new<E: Into<String>>(
        name: impl Into<String>,
        url: impl Into<String>,
        events: impl IntoIterator<Item = E>,
    ) -> Self {
        Self {
            name: name.into(),
            url: url.into(),
            events: events.into_iter().map(Into::into).collect(),
            headers: BTreeMap::new(),
            in_flight: None,
        }
    }
}

/// The account has as many subscriptions as it may have.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the account has {most} subscriptions already")]
pub struct TooManySubscriptions {
    /// How many an account may have.
    pub most: u32,
}

/// A request that passed every check that needs no storage.
#[derive(Debug)]
pub struct Draft {
    name: String,
    endpoint: Endpoint,
    events: BTreeSet<EventType>,
    headers: CustomHeaders,
    in_flight: InFlight,
    /// What its secret begins with.
    mark: Mark,
}

impl Draft {
    /// Checks a request. Resolves the URL's name, so no unit of work may be open.
    ///
    /// # Errors
    /// [`ChangeError`] and [`Refused::Invalid`], missing permissions before everything else.
    pub async fn check(
        request: CreateRequest,
        subscribable: Subscribable<'_>,
        sender: &dyn HttpSender,
    ) -> Result<Self, Refused<ChangeError>> {
        let missing = subscribable.missing(request.events.iter().map(String::as_str));
        if !missing.is_empty() {
            return Err(Refused::Own(ChangeError::MissingPermissions(missing)));
        }
        let mut validator = Validator::new();
        let name = input::name(&request.name, &mut validator);
        let events = input::events(&request.events, subscribable.catalogue, &mut validator);
        let headers = CustomHeaders::checked(request.headers, subscribable.names.prefix, &mut validator);
        let in_flight = request.in_flight.and_then(|number| input::in_flight(number, &mut validator));
        validator.finish()?;
        let endpoint = input::endpoint(&request.url, sender).await.map_err(Refused::Own)?;
        let in_flight = in_flight.unwrap_or(InFlight::STANDARD);
        Ok(Self { name, endpoint, events, headers, in_flight, mark: subscribable.names.secret })
    }
}

/// Adds the subscription, active from now on, with a new secret.
///
/// # Errors
/// [`TooManySubscriptions`], [`Refused::Store`]; nothing was added.
pub async fn create(
    unit: &dyn WebhookUnit,
    call: CallContext<'_>,
    account: AccountId,
    draft: Draft,
) -> Result<Subscription, Refused<TooManySubscriptions>> {
    let subscription = Subscription {
        id: SubscriptionId::generate(call.now, call.random),
        account,
        name: draft.name,
        endpoint: draft.endpoint,
        events: draft.events,
        secret: SigningSecret::generate_marked(draft.mark, call.random),
        headers: draft.headers,
        state: State::Active { since: call.now },
        in_flight: draft.in_flight,
        author: Author::of(call.actor),
        version: Version::FIRST,
        created_at: call.now,
        updated_at: call.now,
    };
    if !unit.subscriptions().insert(&subscription, MAX_PER_ACCOUNT).await? {
        return Err(Refused::Own(TooManySubscriptions { most: MAX_PER_ACCOUNT }));
    }
    audit::log(unit, call, Action::SubscriptionCreate, &subscription, (None, Some(&subscription))).await?;
    Ok(subscription)
}

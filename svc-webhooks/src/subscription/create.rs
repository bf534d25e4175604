//! Creating a subscription (specification, part 4.1).

use std::collections::{BTreeMap, BTreeSet};

use svc_core::audit::Action;
use svc_core::error::{StoreError, ValidationErrors, Validator};
use svc_core::event::EventType;
use svc_core::id::{AccountId, SubscriptionId, TokenId, TypedId};
use svc_core::permission::{Grants, Permission};
use svc_core::resource::Version;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::endpoint::{Endpoint, EndpointError};
use crate::ports::{HttpSender, Refusal, WebhookUnit};
use crate::subscription::{
    CustomHeaders, HeaderSecret, InFlight, MAX_PER_ACCOUNT, SigningSecret, State, Subscription, audit, input,
};

/// What the client asks for, as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateRequest {
    /// 1 to 100 characters.
    pub name: String,
    /// https, public.
    pub url: String,
    /// 1 to 44 names of event types; repeated ones count once.
    pub events: Vec<String>,
    /// Headers for its notifications, by name; ten at most.
    pub headers: BTreeMap<String, HeaderSecret>,
    /// How many attempts may be under way at a time, 1 to 256; `None` for the standard number.
    pub in_flight: Option<u32>,
}

/// Why a subscription is not created.
#[derive(Debug, Error)]
pub enum CreateError {
    /// The read permissions of some events are not held.
    #[error("permissions are missing for some of the events")]
    MissingPermissions(Vec<Permission>),
    /// Broken rules of the input, the URL's syntax among them.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
    /// The URL breaks a rule of its own.
    #[error("the webhook URL is not allowed: {0}")]
    Url(#[from] EndpointError),
    /// The URL leads to a target that must not be reached.
    #[error("the webhook URL is not allowed: {0}")]
    Refused(#[from] Refusal),
    /// The account has as many as it may have.
    #[error("the account has {most} subscriptions already")]
    TooMany {
        /// How many an account may have.
        most: u32,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A request that passed every check that needs no storage.
#[derive(Debug)]
pub struct Draft {
    name: String,
    endpoint: Endpoint,
    events: BTreeSet<EventType>,
    headers: CustomHeaders,
    in_flight: InFlight,
}

impl Draft {
    /// Validator a request. Resolves the URL's name, so no unit of work may be open.
    ///
    /// # Errors
    /// [`CreateError`], missing permissions before everything else.
    pub async fn check(
        request: CreateRequest,
        held: &Grants,
        sender: &dyn HttpSender,
    ) -> Result<Self, CreateError> {
        let missing = input::missing_permissions(&request.events, held);
        if !missing.is_empty() {
            return Err(CreateError::MissingPermissions(missing));
        }
        let mut validator = Validator::new();
        let name = input::name(&request.name, &mut validator);
        let events = input::events(&request.events, &mut validator);
        let headers = CustomHeaders::checked(request.headers, &mut validator);
        let in_flight = request.in_flight.and_then(|number| input::in_flight(number, &mut validator));
        validator.finish()?;
        let endpoint = Endpoint::parse(&request.url)?;
        sender.check(&endpoint).await?;
        Ok(Self { name, endpoint, events, headers, in_flight: in_flight.unwrap_or(InFlight::STANDARD) })
    }
}

/// Adds the subscription, active from now on, with a new secret.
///
/// # Errors
/// [`CreateError::TooMany`], [`CreateError::Store`].
pub async fn create(
    unit: &dyn WebhookUnit,
    call: CallContext<'_>,
    account: AccountId,
    token: TokenId,
    draft: Draft,
) -> Result<Subscription, CreateError> {
    let subscription = Subscription {
        id: SubscriptionId::generate(call.now, call.random),
        account,
        name: draft.name,
        endpoint: draft.endpoint,
        events: draft.events,
        secret: SigningSecret::generate(call.random),
        headers: draft.headers,
        state: State::Active { since: call.now },
        in_flight: draft.in_flight,
        created_by: token,
        version: Version::FIRST,
        created_at: call.now,
        updated_at: call.now,
    };
    if !unit.subscriptions().insert(&subscription, MAX_PER_ACCOUNT).await? {
        return Err(CreateError::TooMany { most: MAX_PER_ACCOUNT });
    }
    audit::log(unit, call, Action::SubscriptionCreate, &subscription, (None, Some(&subscription))).await?;
    Ok(subscription)
}

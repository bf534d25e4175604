//! Webhooks of a service for its tenants: what the routes of a service call.
//!
//! The use cases of [`subscription`] and [`delivery`](crate::delivery) take a unit of work, so that a service puts
//! them together with changes of its own, and what they need to know of the call. Here each is one call in a unit of
//! its own, for a service that has checked its caller and knows the tenant.

mod log;

use std::sync::Arc;

use svc_core::audit::Actor;
use svc_core::clock::Clock;
use svc_core::error::StoreError;
use svc_core::event::EventCatalogue;
use svc_core::id::{AccountId, SubscriptionId};
use svc_core::page::{Page, PageRequest};
use svc_core::permission::Grants;
use svc_core::pii::PiiAccess;
use svc_core::random::RandomSource;
use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_core::system::{OsRandom, SystemClock};
use svc_core::tenant::{Scope, Tenant};
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::delivery::AttemptConfig;
use crate::names::Names;
use crate::ports::{HttpSender, WebhookStorage};
use crate::subscription::{
    self, Change, ChangeError, CreateRequest, Draft, Subscribable, Subscription, TooManySubscriptions,
    UpdateRequest,
};

/// The webhooks of a service: its storage, its sender and its events.
pub struct Webhooks {
    storage: Arc<dyn WebhookStorage>,
    sender: Arc<dyn HttpSender>,
    catalogue: EventCatalogue,
    attempts: AttemptConfig,
    clock: Arc<dyn Clock>,
    random: Arc<dyn RandomSource>,
}

impl Webhooks {
    /// Subscriptions to the events of this catalogue, kept in this storage.
    #[must_use]
    pub fn new(
        storage: Arc<dyn WebhookStorage>,
        sender: Arc<dyn HttpSender>,
        catalogue: EventCatalogue,
    ) -> Self {
        let (clock, random) = (Arc::new(SystemClock), Arc::new(OsRandom));
        Self { storage, sender, catalogue, attempts: AttemptConfig::default(), clock, random }
    }

    /// How attempts are made, the same as the deliverer's: the names are those of headers and secrets, and a test of a
    /// receiver is an attempt.
    #[must_use]
    pub fn attempts(self, attempts: AttemptConfig) -> Self {
        Self { attempts, ..self }
    }

    /// The names of headers and secrets alone: those that the deliverer is given.
    #[must_use]
    pub fn names(mut self, names: Names) -> Self {
        self.attempts.names = names;
        self
    }

    /// Another clock than that of the system, and another source of randomness.
    #[must_use]
    pub fn clock(self, clock: Arc<dyn Clock>, random: Arc<dyn RandomSource>) -> Self {
        Self { clock, random, ..self }
    }

    /// Those of one tenant. The caller of the service must be allowed to act for it: this is where its reach is
    /// decided, and everything after sees this tenant alone.
    #[must_use]
    pub fn of(&self, tenant: impl Into<Tenant>) -> TenantWebhooks<'_> {
        let account = tenant.into().account();
        TenantWebhooks {
            webhooks: self,
            account,
            scope: granted(account),
            held: Grants::none(),
            actor: Actor::service("the service that embeds this crate"),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the service has checked its caller and names the tenant")]
fn granted(account: AccountId) -> Scope {
    Scope::granted([account])
}

/// The webhooks of one tenant.
pub struct TenantWebhooks<'a> {
    webhooks: &'a Webhooks,
    account: AccountId,
    scope: Scope,
    held: Grants,
    actor: Actor,
}

/// Why a subscription is not made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SubscribeError {
    /// It may not be as it is wanted.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// The tenant has as many as it may have.
    #[error(transparent)]
    TooMany(#[from] TooManySubscriptions),
}

impl TenantWebhooks<'_> {
    /// For a caller with these permissions: events that need others cannot be subscribed to. Without them, only
    /// events that need none can.
    #[must_use]
    pub fn holding(self, held: Grants) -> Self {
        Self { held, ..self }
    }

    /// For this caller, by whom the audit log tells of changes.
    #[must_use]
    pub fn by(self, actor: Actor) -> Self {
        Self { actor, ..self }
    }

    /// Adds a subscription, active from now on. Its secret is for the receiver, and is shown now or never.
    ///
    /// # Errors
    /// [`SubscribeError`], [`Refused::Invalid`], [`Refused::Store`]; nothing was added.
    pub async fn subscribe(&self, request: CreateRequest) -> Result<Subscription, Refused<SubscribeError>> {
        let draft = Draft::check(request, self.subscribable(), &*self.webhooks.sender).await;
        let draft = draft.map_err(|refused| refused.map(SubscribeError::from))?;
        let unit = self.webhooks.storage.begin().await?;
        let created = subscription::create(&*unit, self.call(), self.account, draft).await;
        let created = created.map_err(|refused| refused.map(SubscribeError::from))?;
        unit.commit().await?;
        Ok(created)
    }

    /// One page of the subscriptions, oldest first.
    ///
    /// # Errors
    /// When the storage failed.
    pub async fn subscriptions(&self, page: PageRequest) -> Result<Page<Subscription>, StoreError> {
        self.webhooks.storage.subscriptions().page(&self.scope, page).await
    }

    /// The subscription with this id.
    ///
    /// # Errors
    /// [`Refused::NotFound`], also for one of another tenant; [`Refused::Store`].
    pub async fn subscription(&self, id: SubscriptionId) -> Result<Subscription, Refused> {
        self.webhooks.storage.subscriptions().find(&self.scope, id).await?.ok_or(Refused::NotFound)
    }

    /// Changes a subscription.
    ///
    /// # Errors
    /// [`ChangeError`], [`Refused::Invalid`], [`Refused::NotFound`], [`Refused::Store`]; nothing was changed.
    pub async fn change(
        &self,
        id: SubscriptionId,
        request: UpdateRequest,
    ) -> Result<Subscription, Refused<ChangeError>> {
        let change = Change::check(request, self.subscribable(), &*self.webhooks.sender).await?;
        let unit = self.webhooks.storage.begin().await?;
        let opened = subscription::open(&*unit, self.call(), id, &Expected::Any).await;
        let changed = subscription::update(opened.map_err(Refused::widen)?, change).await?;
        unit.commit().await?;
        Ok(changed)
    }

    /// Gives a subscription a new secret; the previous one stops working at once.
    ///
    /// # Errors
    /// [`Refused::NotFound`], [`Refused::Store`]; nothing was changed.
    pub async fn rotate_secret(&self, id: SubscriptionId) -> Result<Subscription, Refused> {
        let unit = self.webhooks.storage.begin().await?;
        let opened = subscription::open(&*unit, self.call(), id, &Expected::Any).await?;
        let rotated = subscription::rotate_secret(opened, &self.webhooks.attempts.names).await?;
        unit.commit().await?;
        Ok(rotated)
    }

    /// Removes a subscription with its log and everything queued for it.
    ///
    /// # Errors
    /// [`Refused::NotFound`], [`Refused::Store`]; nothing was changed.
    pub async fn unsubscribe(&self, id: SubscriptionId) -> Result<(), Refused> {
        let unit = self.webhooks.storage.begin().await?;
        subscription::remove(subscription::open(&*unit, self.call(), id, &Expected::Any).await?).await?;
        unit.commit().await?;
        Ok(())
    }

    fn subscribable(&self) -> Subscribable<'_> {
        Subscribable::new(&self.webhooks.catalogue, &self.held).named(&self.webhooks.attempts.names)
    }

    fn call(&self) -> CallContext<'_> {
        CallContext {
            scope: &self.scope,
            access: PiiAccess::Masked,
            actor: &self.actor,
            now: self.webhooks.clock.now(),
            random: &*self.webhooks.random,
        }
    }
}

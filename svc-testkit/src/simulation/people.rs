//! The people of two companies, and what they ask of the servers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use svc_core::audit::Actor;
use svc_core::clock::Clock;
use svc_core::error::StoreError;
use svc_core::event::EventData;
use svc_core::event::{Event, EventDeclaration};
use svc_core::id::{AccountId, ContactId, DeliveryId, SubscriptionId, TypedId};
use svc_core::pii::PiiAccess;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use svc_webhooks::delivery::{attempt_claimed, begin_test, redeliver};
use svc_webhooks::ports::{HttpSender, InitialLease, Leased, WebhookStorage};
use svc_webhooks::subscription::{self, Change, CreateRequest, Draft, State, Subscription, UpdateRequest};

use super::network::{self, Line, RECEIVERS};
use super::server::Server;
use super::truth::{Truth, short};
use super::world::World;
use crate::catalogue::{self, subscribable};
use crate::fakes::FakeSender;
use crate::webhooks::sample::scope;
use crate::webhooks::verbs;

/// A client that calls a server, which may not answer.
pub(super) struct Caller {
    pub(super) world: World,
    pub(super) truth: Truth,
    pub(super) server: Server,
    pub(super) account: AccountId,
    /// Tells that this client still waits for an answer.
    pub(super) _asking: Arc<()>,
}

const KINDS: [&str; 3] = ["contact.create", "contact.update", "invoice.pay"];

type Done = Result<(), StoreError>;

impl Caller {
    /// Asks for something. What fails is not reported: people try again, and chance does.
    pub(super) async fn ask(self) {
        let scope = scope([self.account]);
        let _ = match self.world.below(100) {
            0..=58 => self.publish(&scope).await,
            59..=66 => self.subscribe(&scope).await,
            67..=79 => self.change(&scope).await,
            80..=83 => self.rotate(&scope).await,
            84..=86 => self.remove(&scope).await,
            87..=94 => self.redeliver(&scope).await,
            _ => self.test(&scope).await,
        };
    }

    fn call<'a>(&'a self, scope: &'a Scope) -> CallContext<'a> {
        let (access, actor, random) = (PiiAccess::Masked, &Actor::OPERATOR, self.world.random());
        CallContext { scope, access, actor, now: self.server.clock.now(), random }
    }

    async fn publish(&self, scope: &Scope) -> Done {
        let call = self.call(scope);
        let count = 1 + self.world.below(3);
        let event = |_| {
            let object = ContactId::generate(call.now, call.random);
            Event::new(&catalogue::event(self.kind()), self.account, object, call.now, call.random)
        };
        let events: Vec<_> = (0..count).map(event).collect();
        for event in &events {
            self.truth.publishes(event);
        }
        let unit = self.server.storage.begin().await?;
        unit.outbox().publish(&events).await?;
        unit.commit().await?;
        for event in &events {
            self.truth.published(event);
        }
        self.server.committed();
        Ok(())
    }

    pub(super) async fn subscribe(&self, scope: &Scope) -> Done {
        let request = CreateRequest {
            name: "Our ERP".to_owned(),
            url: network::url(self.world.below(RECEIVERS)),
            events: self.kinds(),
            headers: BTreeMap::new(),
            in_flight: None,
        };
        let held = "read".parse().expect("valid");
        let draft =
            Draft::check(request, subscribable(&held), &FakeSender::new()).await.expect("a valid request");
        let call = self.call(scope);
        let unit = self.server.storage.begin().await?;
        if subscription::create(&*unit, call, self.account, draft).await.is_ok() {
            unit.commit().await?;
        }
        Ok(())
    }

    async fn change(&self, scope: &Scope) -> Done {
        let Some(found) = self.any(scope).await? else { return Ok(()) };
        let mut request = UpdateRequest::default();
        match self.world.below(10) {
            0 | 1 => request.events = Some(self.kinds()),
            2 => request.url = Some(network::url(self.world.below(RECEIVERS))),
            3 => request.in_flight = Some(1),
            // What is off is soon on again.
            _ => request.active = Some(!found.is_active()),
        }
        let (id, active) = (found.id, request.active);
        let held = "read".parse().expect("valid");
        let change =
            Change::check(request, subscribable(&held), &FakeSender::new()).await.expect("a valid request");
        let unit = self.server.storage.begin().await?;
        if verbs::update(&*unit, self.call(scope), id, None, change).await.is_ok() {
            unit.commit().await?;
            self.truth.tell(|| format!("subscription {} is changed, active {active:?}", short(id)));
        }
        Ok(())
    }

    async fn rotate(&self, scope: &Scope) -> Done {
        let Some(found) = self.any(scope).await? else { return Ok(()) };
        let unit = self.server.storage.begin().await?;
        if verbs::rotate_secret(&*unit, self.call(scope), found.id, None).await.is_ok() {
            unit.commit().await?;
            self.truth.tell(|| format!("the secret of {} is rotated", short(found.id)));
        }
        Ok(())
    }

    async fn remove(&self, scope: &Scope) -> Done {
        let Some(found) = self.any(scope).await? else { return Ok(()) };
        let unit = self.server.storage.begin().await?;
        if verbs::remove(&*unit, self.call(scope), found.id, None).await.is_ok() {
            unit.commit().await?;
            self.truth.tell(|| format!("subscription {} is removed", short(found.id)));
        }
        Ok(())
    }

    async fn redeliver(&self, scope: &Scope) -> Done {
        let ids: Vec<DeliveryId> = self.truth.known().deliveries.keys().copied().collect();
        let Some(id) = self.one_of(&ids) else { return Ok(()) };
        let unit = self.server.storage.begin().await?;
        if let Ok(delivery) = redeliver(&*unit, self.call(scope), *id).await {
            self.truth.asks_for(&delivery);
            unit.commit().await?;
        }
        Ok(())
    }

    /// The one attempt is made by the server that was asked, which may not live to settle it.
    async fn test(&self, scope: &Scope) -> Done {
        let Some(found) = self.any(scope).await? else { return Ok(()) };
        let unit = self.server.storage.begin().await?;
        let (call, from) = (self.call(scope), self.truth.moment());
        let Ok(run) = begin_test(&*unit, call, found.id, &self.server.config).await else { return Ok(()) };
        let leased = run.0;
        self.truth.publishes(&test_event(&leased));
        self.truth.asks_for(&leased.delivery);
        let initial_lease =
            InitialLease { lease: leased.lease, until: call.now.plus(self.server.config.lease_for) };
        self.truth.tests(self.server.process, &leased, initial_lease, from);
        unit.commit().await?;
        let line = self.line(&leased);
        let sender: &dyn HttpSender = &line;
        let settlement = attempt_claimed(leased, sender, &self.server.clock, &self.server.config).await;
        self.server.storage.queue().settle(&[settlement]).await.map(|_| ())
    }

    fn line(&self, leased: &Leased) -> Line {
        Line {
            world: self.world.clone(),
            faults: self.server.storage.faults.clone(),
            truth: self.truth.clone(),
            delivery: leased.delivery.id,
            lease: leased.lease,
        }
    }

    /// Any subscription of the company; one that is off rather than one that is on.
    async fn any(&self, scope: &Scope) -> Result<Option<Subscription>, StoreError> {
        let stored = self.truth.committed.subscriptions();
        let ours = || stored.values().filter(|one| scope.contains(one.account));
        let ids: Vec<SubscriptionId> = ours().map(|one| one.id).collect();
        let off = ours().find(|one| matches!(one.state, State::Inactive)).map(|one| one.id);
        let id = off.filter(|_| self.world.once_in(2)).or_else(|| self.one_of(&ids).copied());
        match id {
            Some(id) => self.server.storage.subscriptions().find(scope, id).await,
            None => Ok(None),
        }
    }

    fn kind(&self) -> &'static str {
        self.one_of(&KINDS).copied().unwrap_or("contact.create")
    }

    fn kinds(&self) -> Vec<String> {
        let kinds: BTreeSet<_> = [self.kind(), self.kind()].into();
        kinds.into_iter().map(ToOwned::to_owned).collect()
    }

    fn one_of<'a, T>(&self, all: &'a [T]) -> Option<&'a T> {
        let chosen = self.world.below(all.len() as u64);
        usize::try_from(chosen).ok().and_then(|chosen| all.get(chosen))
    }
}

/// The event as the receiver gets it.
fn test_event(leased: &Leased) -> Event {
    let notification = &leased.notification;
    Event {
        id: notification.id,
        kind: notification.kind.clone(),
        occurred_at: leased.since,
        tenant: notification.tenant.clone(),
        object: EventDeclaration::TEST.object().into(),
        object_id: leased.delivery.subscription.to_string(),
        data: EventData::default(),
    }
}

/// How long people think before they ask for the next thing.
pub(super) fn pause(world: &World) -> Duration {
    world.between(Duration::from_millis(20), Duration::from_secs(4))
}

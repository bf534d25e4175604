//! Steps as calls of the use cases, each in a unit of its own.

mod refusal;

use std::collections::BTreeMap;
use std::time::Duration;

use svc_core::audit::Actor;
use svc_core::clock::Clock;
use svc_core::error::StoreError;
use svc_core::event::EventData;
use svc_core::event::{Event, EventDeclaration};
use svc_core::id::{ContactId, DeliveryId, SubscriptionId, TypedId};
use svc_core::permission::Grants;
use svc_core::pii::PiiAccess;
use svc_core::resource::Version;
use svc_core::tenant::{Scope, Tenant};
use svc_core::unit::CallContext;
use svc_webhooks::delivery::{begin_test, redeliver};
use svc_webhooks::ports::{Refusal, WebhookUnit};
use svc_webhooks::subscription::{
    self, Change as CheckedChange, CreateRequest, Draft, Subscription, UpdateRequest,
};

use self::refusal::refused;
use super::Player;
use crate::catalogue::{event, subscribable};
use crate::fakes::FakeSender;
use crate::webhooks::sample::scope;
use crate::webhooks::steps::history::{
    By, COMPANIES, Change, Events, Expected, Held, Name, Pick, Step, Url, Verdict,
};
use crate::webhooks::steps::model::Model;
use crate::webhooks::steps::seen::Answer;
use crate::webhooks::verbs;

type Answered = Result<Answer, StoreError>;

impl Player<'_> {
    /// What the storage answers to a step that leaves it no choice.
    pub(super) async fn take(&mut self, step: &Step, model: &Model) -> Answered {
        match *step {
            Step::Create { company, name, url, events, held } => {
                self.create(company, (name, url, events), held).await
            }
            Step::Update { subscription, by, expected, ref change, held } => {
                self.update(subscription, (by, expected, held), change).await
            }
            Step::Rotate { subscription, by, expected } => self.rotate(subscription, by, expected).await,
            Step::Remove { subscription, by, expected } => self.remove(subscription, by, expected).await,
            Step::Publish { company, kind, count, ago } => self.publish(company, kind, count, ago).await,
            Step::FanOut { worker, events, room } => self.fan_out(worker, events, room).await,
            Step::Attempt { worker, back, reply, takes } => match model.lease_of(worker, back) {
                Some(lease) => Ok(self.attempt(worker, lease, reply, takes).await),
                None => Ok(Answer::Done),
            },
            Step::Settle { worker, back, count } => self.settle(worker, back, count).await,
            Step::Release { worker, back, count } => self.release(worker, back, count).await,
            Step::Redeliver { delivery, by } => self.redeliver(delivery, by, model).await,
            Step::Test { subscription, by, worker } => self.test(subscription, by, worker, model).await,
            Step::Claim { .. } | Step::Drain { .. } | Step::Purge { .. } | Step::Round { .. } => {
                Ok(Answer::Done)
            }
        }
    }

    pub(super) async fn unit(&self) -> Result<Box<dyn WebhookUnit>, StoreError> {
        self.storage.begin().await
    }

    fn call<'a>(&'a self, scope: &'a Scope) -> CallContext<'a> {
        let (access, actor) = (PiiAccess::Masked, &Actor::OPERATOR);
        CallContext { scope, access, actor, now: self.clock.now(), random: &self.random }
    }

    async fn create(
        &mut self,
        company: usize,
        (name, url, events): (&Name, &Url, &Events),
        held: Held,
    ) -> Answered {
        let request = CreateRequest {
            name: name.written.to_owned(),
            url: url.written.to_owned(),
            events: owned(events),
            headers: BTreeMap::new(),
            in_flight: None,
        };
        let draft = match Draft::check(request, subscribable(&grants(held)), &network(Some(url))).await {
            Ok(draft) => draft,
            Err(error) => return refused(error),
        };
        let account = self.company(company);
        let (unit, scope) = (self.unit().await?, scope([account]));
        match subscription::create(&*unit, self.call(&scope), account, draft).await {
            Ok(made) => {
                unit.commit().await?;
                self.subscriptions.push((made.id, company, vec![made.secret]));
                Ok(Answer::Created(self.subscriptions.len() - 1))
            }
            Err(error) => refused(error),
        }
    }

    async fn update(
        &self,
        pick: Pick,
        (by, expected, held): (By, Expected, Held),
        change: &Change,
    ) -> Answered {
        let Change { name, url, events, active, in_flight } = change;
        let request = UpdateRequest {
            name: name.map(|name| name.written.to_owned()),
            url: url.map(|url| url.written.to_owned()),
            events: events.map(owned),
            active: *active,
            in_flight: *in_flight,
            headers: None,
        };
        let change = match CheckedChange::check(request, subscribable(&grants(held)), &network(*url)).await {
            Ok(change) => change,
            Err(error) => return refused(error),
        };
        let (id, scope) = self.subscription(pick, by);
        let expected = self.version(id, expected).await?;
        let unit = self.unit().await?;
        match verbs::update(&*unit, self.call(&scope), id, expected, change).await {
            Ok(after) => changed(unit, &after).await,
            Err(error) => refused(error),
        }
    }

    async fn rotate(&mut self, pick: Pick, by: By, expected: Expected) -> Answered {
        let (id, scope) = self.subscription(pick, by);
        let expected = self.version(id, expected).await?;
        let unit = self.unit().await?;
        match verbs::rotate_secret(&*unit, self.call(&scope), id, expected).await {
            Ok(after) => {
                let answer = changed(unit, &after).await?;
                let known = self.subscriptions.iter_mut().find(|(known, ..)| *known == id);
                known.expect("it was created here").2.push(after.secret);
                Ok(answer)
            }
            Err(error) => refused(error),
        }
    }

    async fn remove(&self, pick: Pick, by: By, expected: Expected) -> Answered {
        let (id, scope) = self.subscription(pick, by);
        let expected = self.version(id, expected).await?;
        let unit = self.unit().await?;
        match verbs::remove(&*unit, self.call(&scope), id, expected).await {
            Ok(()) => {
                unit.commit().await?;
                // The model forgets at once, and a storage bit by bit.
                while self.storage.queue().forget_removed(1).await? {}
                Ok(Answer::Removed)
            }
            Err(error) => refused(error),
        }
    }

    async fn publish(
        &mut self,
        company: Option<usize>,
        kind: &'static str,
        count: usize,
        ago: Duration,
    ) -> Answered {
        let at = self.clock.now().minus(ago);
        let tenant = company.map(|company| Tenant::from(self.company(company)));
        let event = |_| {
            let object = ContactId::generate(at, &self.random);
            let event = Event::new(&event(kind), self.company(0), object, at, &self.random);
            Event { tenant: tenant.clone(), ..event }
        };
        let events: Vec<_> = (0..count).map(event).collect();
        let unit = self.unit().await?;
        unit.outbox().publish(&events).await?;
        unit.commit().await?;
        for event in events {
            self.happened(event);
        }
        Ok(Answer::Done)
    }

    fn happened(&mut self, event: Event) {
        self.event_numbers.insert(event.id, self.events.len());
        self.events.push(event);
    }

    async fn redeliver(&mut self, pick: Pick, by: By, model: &Model) -> Answered {
        let number = pick.of(model.made);
        let id = number.and_then(|number| self.deliveries.get(&number).copied());
        let id = id.unwrap_or_else(|| DeliveryId::generate(self.clock.now(), &self.random));
        let scope = match by {
            By::Owner => scope(self.companies),
            // A caller without companies, so the log belongs to others.
            By::Stranger => scope([]),
        };
        let unit = self.unit().await?;
        match redeliver(&*unit, self.call(&scope), id).await {
            Ok(added) => {
                unit.commit().await?;
                Ok(self.added(added.id, model.made))
            }
            Err(error) => refused(error),
        }
    }

    async fn test(&mut self, pick: Pick, by: By, worker: usize, model: &Model) -> Answered {
        let (id, scope) = self.subscription(pick, by);
        let unit = self.unit().await?;
        match begin_test(&*unit, self.call(&scope), id, &self.config).await {
            Ok(run) => {
                // In the instant of its making, the outbox holds nothing newer.
                unit.commit().await?;
                let leased = run.0;
                let (notification, object) = (leased.notification.clone(), id.to_string());
                let event = Event {
                    id: notification.id,
                    kind: notification.kind,
                    occurred_at: leased.since,
                    tenant: notification.tenant,
                    object: EventDeclaration::TEST.object().into(),
                    object_id: object,
                    data: EventData::default(),
                };
                self.happened(event);
                let answer = self.added(leased.delivery.id, model.made);
                self.hands(worker).leases.push(leased);
                Ok(answer)
            }
            Err(error) => refused(error),
        }
    }

    fn added(&mut self, id: DeliveryId, number: usize) -> Answer {
        self.name_delivery(id, number);
        Answer::Added(number)
    }

    /// The id of a subscription, and the scope of the caller.
    fn subscription(&self, pick: Pick, by: By) -> (SubscriptionId, Scope) {
        let known = pick.of(self.subscriptions.len()).and_then(|number| self.subscriptions.get(number));
        let Some((id, company, _)) = known else {
            let unknown = SubscriptionId::generate(self.clock.now(), &self.random);
            return (unknown, scope(self.companies));
        };
        let caller = match by {
            By::Owner => *company,
            By::Stranger => (company + 1) % COMPANIES,
        };
        (*id, scope([self.company(caller)]))
    }

    async fn version(&self, id: SubscriptionId, expected: Expected) -> Result<Option<Version>, StoreError> {
        let found = self.storage.subscriptions().find(&scope(self.companies), id).await?;
        let version = found.map_or(Version::FIRST, |found| found.version);
        Ok(match expected {
            Expected::Any => None,
            Expected::Current => Some(version),
            Expected::Stale => Some(version.next()),
        })
    }
}

fn owned(events: &Events) -> Vec<String> {
    events.written.iter().map(|name| (*name).to_owned()).collect()
}

fn grants(held: Held) -> Grants {
    let written = match held {
        Held::Everything => "read",
        Held::Contacts => "contacts:contacts.read",
    };
    written.parse().expect("valid")
}

/// Refuses what leads to an address that is not public.
fn network(url: Option<&Url>) -> FakeSender {
    match url.map(|url| url.verdict) {
        Some(Verdict::Refused) => {
            FakeSender::new().refusing(Refusal::InternalName("hooks.internal".to_owned()))
        }
        Some(Verdict::Allowed | Verdict::Malformed) | None => FakeSender::new(),
    }
}

async fn changed(unit: Box<dyn WebhookUnit>, after: &Subscription) -> Answered {
    unit.commit().await.map(|()| Answer::Changed(after.version.as_i64()))
}

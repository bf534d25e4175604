//! Ready-made subscriptions, events and deliveries, each a little later than the one before.

use std::time::Duration;

use svc_core::audit::Actor;
use svc_core::clock::{Clock, Timestamp};
use svc_core::event::Event;
use svc_core::id::{AccountId, ContactId, SubscriptionId, TokenId, TypedId};
use svc_core::pii::PiiAccess;
use svc_core::resource::Version;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use svc_webhooks::delivery::{Attempt, Delivery};
use svc_webhooks::endpoint::Endpoint;
use svc_webhooks::ports::{Exchange, Leased, Settlement};
use svc_webhooks::replay::{Selection, Source};
use svc_webhooks::retry::RetrySchedule;
use svc_webhooks::subscription::{Author, CustomHeaders, InFlight, SigningSecret, State, Subscription};

use crate::catalogue::event;
use crate::fakes::{ManualClock, SeededRandom};

/// Makes samples from a clock and a seeded generator.
///
/// The clock moves by a millisecond with every sample, so that no two share an instant.
#[derive(Debug)]
pub struct Samples {
    clock: ManualClock,
    random: SeededRandom,
}

/// A scope over these companies, as an authenticated caller would have it.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "tests stand in for the authority that grants scopes")]
pub fn scope(companies: impl IntoIterator<Item = AccountId>) -> Scope {
    Scope::granted(companies)
}

impl Samples {
    /// Samples that repeat with the seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { clock: ManualClock::default(), random: SeededRandom::new(seed) }
    }

    /// The clock of these samples.
    #[must_use]
    pub fn clock(&self) -> &ManualClock {
        &self.clock
    }

    /// The randomness of these samples.
    #[must_use]
    pub fn random(&self) -> &SeededRandom {
        &self.random
    }

    /// The present instant.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// A call at the present instant, personal data masked.
    #[must_use]
    pub fn call<'a>(&'a self, scope: &'a Scope) -> CallContext<'a> {
        CallContext {
            scope,
            access: PiiAccess::Masked,
            actor: &Actor::OPERATOR,
            now: self.now(),
            random: &self.random,
        }
    }

    /// A new company.
    pub fn account(&self) -> AccountId {
        AccountId::generate(self.tick(), &self.random)
    }

    /// An active subscription of a company to these events.
    pub fn subscription(&self, account: AccountId, events: &[&str]) -> Subscription {
        let now = self.tick();
        Subscription {
            id: SubscriptionId::generate(now, &self.random),
            account,
            name: "Our ERP".to_owned(),
            endpoint: Endpoint::parse("https://hooks.example.com/svc?key=1").expect("a valid URL"),
            events: events.iter().map(|name| event(name).kind()).collect(),
            secret: SigningSecret::generate(&self.random),
            headers: CustomHeaders::default(),
            state: State::Active { since: now },
            in_flight: InFlight::STANDARD,
            author: Author::Token(TokenId::generate(now, &self.random)),
            version: Version::FIRST,
            created_at: now,
            updated_at: now,
        }
    }

    /// An event of a company, about a new resource.
    pub fn event(&self, account: AccountId, kind: &str) -> Event {
        let now = self.tick();
        let object = ContactId::generate(now, &self.random);
        Event::new(&event(kind), account, object, now, &self.random)
    }

    /// What a replay of all events of the subscription's company up to now selects.
    #[must_use]
    pub fn selection(&self, subscription: &Subscription) -> Selection {
        Selection {
            account: subscription.account,
            subscription: subscription.id,
            types: subscription.events.clone(),
            from: None,
            until: self.now().plus(Duration::from_millis(1)),
            asked_at: self.now(),
            source: Source::Events,
        }
    }

    /// The dispatcher's delivery of an event to a subscription, due now.
    pub fn delivery(&self, event: &Event, subscription: &Subscription) -> Delivery {
        Delivery::of(event, subscription, RetrySchedule::STANDARD.attempts(), self.tick(), &self.random)
    }

    /// The settlement of a leased delivery whose attempt went like this at the present instant.
    ///
    /// # Panics
    ///
    /// If the delivery has ended already.
    #[must_use]
    pub fn settled(&self, leased: &Leased, exchange: Exchange) -> Settlement {
        let (now, delivery) = (self.now(), leased.delivery.clone());
        let attempt = Attempt::of(delivery.attempts + 1, now, exchange);
        let outcome = attempt.outcome.clone();
        let delivery = if outcome.arrived() {
            delivery.attempt_succeeded(now, outcome)
        } else {
            delivery.attempt_failed(now, outcome, &RetrySchedule::STANDARD)
        }
        .expect("a leased delivery is open");
        Settlement { lease: leased.lease, delivery, attempt: Some(attempt), asked_until: None }
    }

    fn tick(&self) -> Timestamp {
        self.clock.advance(Duration::from_millis(1));
        self.clock.now()
    }
}

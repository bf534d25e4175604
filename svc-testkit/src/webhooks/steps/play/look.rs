//! What can be seen of the storage.

use svc_core::audit::Filter;
use svc_core::clock::Clock;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, DeliveryId, SubscriptionId};
use svc_core::page::{PageRequest, PageRules};
use svc_webhooks::delivery::{Delivery, Outcome};
use svc_webhooks::ports::{DeliveryFilter, LoggedDelivery};
use svc_webhooks::subscription::{State, Subscription};

use super::Player;
use crate::catalogue::event;
use crate::webhooks::sample::scope;
use crate::webhooks::steps::history::COMPANIES;
use crate::webhooks::steps::model::Model;
use crate::webhooks::steps::seen::{
    Picture, SeenAttempt, SeenDelivery, SeenDepth, SeenOutcome, SeenSubscription,
};

impl Player<'_> {
    /// Deliveries that fan-outs made get the numbers that the model has for them.
    pub(super) async fn picture(&mut self, model: &Model) -> Result<Picture, StoreError> {
        let (mut subscriptions, mut logs) = (Vec::new(), Vec::new());
        for company in 0..COMPANIES {
            let mut seen = Vec::new();
            for subscription in self.list(company).await? {
                let log = self.log_of(&subscription).await?;
                for logged in &log {
                    self.recognise(&logged.delivery, model);
                }
                logs.push(log.iter().map(|logged| self.seen_logged(logged)).collect());
                seen.push(self.seen_subscription(&subscription));
            }
            subscriptions.push(seen);
        }
        let depth = match self.overview {
            Some(overview) => Some(SeenDepth::of(overview.depth(self.clock.now()).await?)),
            None => None,
        };
        Ok(Picture { subscriptions, logs, depth })
    }

    /// The numbers of all deliveries that are in a log.
    pub(super) async fn logged(&self) -> Result<Vec<usize>, StoreError> {
        let mut numbers = Vec::new();
        for company in 0..COMPANIES {
            for subscription in self.list(company).await? {
                let log = self.log_of(&subscription).await?;
                numbers.extend(log.iter().map(|logged| self.seen_delivery(&logged.delivery).number));
            }
        }
        Ok(numbers)
    }

    async fn list(&self, company: usize) -> Result<Vec<Subscription>, StoreError> {
        let page = self.storage.subscriptions().page(&scope([self.company(company)]), whole()).await?;
        Ok(page.items)
    }

    async fn log_of(&self, subscription: &Subscription) -> Result<Vec<LoggedDelivery>, StoreError> {
        let (scope, filter) = (scope([subscription.account]), DeliveryFilter::default());
        let page = self.storage.deliveries().page(&scope, subscription.id, &filter, whole()).await?;
        assert_eq!(page.total, page.items.len() as u64, "a history fits on a page");
        Ok(page.items)
    }

    fn recognise(&mut self, delivery: &Delivery, model: &Model) {
        let (event, subscription) = (self.event_numbers.get(&delivery.event), delivery.subscription);
        let (Some(event), Some(subscription)) = (event, self.number_of(subscription)) else { return };
        if self.delivery_numbers.contains_key(&delivery.id) || !delivery.automatic {
            return;
        }
        if let Some(number) = model.automatic(*event, subscription)
            && !self.deliveries.contains_key(&number)
        {
            self.name_delivery(delivery.id, number);
        }
    }

    pub(super) fn name_delivery(&mut self, id: DeliveryId, number: usize) {
        self.deliveries.insert(number, id);
        self.delivery_numbers.insert(id, number);
    }

    pub(super) fn company(&self, number: usize) -> AccountId {
        *self.companies.get(number).expect("a company")
    }

    pub(super) fn number_of(&self, id: SubscriptionId) -> Option<usize> {
        self.subscriptions.iter().position(|(known, ..)| *known == id)
    }

    pub(super) fn seen_subscription(&self, one: &Subscription) -> SeenSubscription {
        let number = self.number_of(one.id).unwrap_or(usize::MAX);
        let secrets = self.subscriptions.get(number).map(|(_, _, secrets)| secrets);
        let secret = secrets.and_then(|secrets| secrets.iter().position(|known| *known == one.secret));
        SeenSubscription {
            number,
            company: self.companies.iter().position(|known| *known == one.account).unwrap_or(usize::MAX),
            name: one.name.clone(),
            url: one.endpoint.as_str().to_owned(),
            events: one.events.iter().map(|kind| event(kind.name()).name()).collect(),
            active_since: match one.state {
                State::Active { since } => Some(since),
                State::Inactive => None,
            },
            in_flight: one.in_flight.get(),
            secret: secret.unwrap_or(usize::MAX),
            version: one.version.as_i64(),
            created_at: one.created_at,
            updated_at: one.updated_at,
        }
    }

    /// An unknown delivery gets a number that no delivery has.
    pub(super) fn seen_delivery(&self, delivery: &Delivery) -> SeenDelivery {
        SeenDelivery {
            number: self.delivery_numbers.get(&delivery.id).copied().unwrap_or(usize::MAX),
            subscription: self.number_of(delivery.subscription).unwrap_or(usize::MAX),
            event: self.event_numbers.get(&delivery.event).copied().unwrap_or(usize::MAX),
            kind: event(delivery.event_type.name()).name(),
            automatic: delivery.automatic,
            status: delivery.status(),
            attempts: usize::from(delivery.attempts),
            most: usize::from(delivery.max_attempts),
            next_attempt_at: delivery.next_attempt_at(),
            last: delivery.last.as_ref().map(seen_outcome),
            created_at: delivery.created_at,
        }
    }

    fn seen_logged(&self, logged: &LoggedDelivery) -> (SeenDelivery, Vec<SeenAttempt>) {
        let attempts = logged.attempts.iter().map(|attempt| SeenAttempt {
            number: usize::from(attempt.number),
            at: attempt.at,
            outcome: seen_outcome(&attempt.outcome),
        });
        (self.seen_delivery(&logged.delivery), attempts.collect())
    }

    /// Compares what the audit log says of each subscription, oldest first, if it can be read.
    pub(super) async fn audited(&self, expected: &[(usize, Vec<&'static str>)]) -> Result<(), String> {
        let Some(log) = self.log else { return Ok(()) };
        for ((id, ..), (company, expected)) in self.subscriptions.iter().zip(expected) {
            let filter = Filter { subject: Some(id.to_string()), ..Filter::default() };
            let page = log.page(&scope([self.company(*company)]), &filter, whole()).await;
            let page = page.map_err(|error| format!("the storage failed: {error:?}"))?;
            let found: Vec<_> = page.items.iter().rev().map(|record| record.entry.action.name()).collect();
            if found != *expected {
                return Err(format!("the audit log says\n{found:?}\nand not\n{expected:?}"));
            }
        }
        Ok(())
    }
}

fn seen_outcome(outcome: &Outcome) -> SeenOutcome {
    let given_up = |error: &&String| error.starts_with("subscription_");
    SeenOutcome {
        status_code: outcome.status_code,
        failed: outcome.error.is_some(),
        reason: outcome.error.as_ref().filter(given_up).cloned(),
        took: outcome.duration,
    }
}

/// More than any history makes.
fn whole() -> PageRequest {
    let rules = PageRules { default: super::MANY, max: super::MANY };
    rules.page(None, None).expect("the first page")
}

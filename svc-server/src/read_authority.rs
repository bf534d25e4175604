//! Asks the tokens and the people of the service whether their subscriptions may still be told of events.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use svc_auth::ports::AuthStorage;
use svc_auth::token::{Sight, sight, sight_of_person};
use svc_core::clock::{Clock, Timestamp};
use svc_core::error::StoreError;
use svc_core::event::{EventCatalogue, EventDeclaration, EventType};
use svc_core::id::AccountId;
use svc_core::role::RoleGrants;
use svc_webhooks::ports::ReadAuthority;
use svc_webhooks::subscription::{Author, Subscription};

/// How long an answer of the store holds.
const HOLDS: Duration = Duration::from_secs(2);
/// So many answers are kept; with more, all are forgotten.
const MOST: usize = 10_000;

/// What those who answer for subscriptions may see now.
pub(crate) struct AuthorSights {
    storage: Arc<dyn AuthStorage>,
    events: Arc<EventCatalogue>,
    roles: RoleGrants,
    clock: Arc<dyn Clock>,
    known: Mutex<HashMap<(Author, AccountId), Known>>,
}

#[derive(Clone)]
struct Known {
    read_at: Timestamp,
    sight: Option<Arc<Sight>>,
}

impl AuthorSights {
    pub(crate) fn new(
        storage: Arc<dyn AuthStorage>,
        events: Arc<EventCatalogue>,
        roles: RoleGrants,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { storage, events, roles, clock, known: Mutex::default() }
    }

    async fn of(&self, author: Author, company: AccountId) -> Result<Option<Arc<Sight>>, StoreError> {
        let (now, key) = (self.clock.now(), (author, company));
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some(known) = known.filter(|known| now.since(known.read_at) < HOLDS) {
            return Ok(known.sight);
        }
        let found = match author {
            Author::Token(token) => sight(&*self.storage, &self.roles, token, now).await?,
            Author::Person(person) => sight_of_person(&*self.storage, person, company).await?,
            Author::Service => None,
        };
        let found = found.map(Arc::new);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key, Known { read_at: now, sight: found.clone() });
        Ok(found)
    }
}

#[async_trait]
impl ReadAuthority for AuthorSights {
    async fn may_be_told(&self, subscription: &Subscription, kind: &EventType) -> Result<bool, StoreError> {
        if subscription.author == Author::Service {
            return Ok(true);
        }
        // A type that a newer server knows needs the role and the reach alone here.
        let needed = self.events.get(kind.name()).and_then(EventDeclaration::permission);
        Ok(self
            .of(subscription.author, subscription.account)
            .await?
            .is_some_and(|sight| sight.covers(subscription.account, needed)))
    }
}

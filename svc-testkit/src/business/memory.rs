//! Business storage in memory.
//!
//! A unit works on a copy. Its commit compares each record that it changed with
//! the committed one: a record that is no longer as the unit found it makes the
//! whole commit a conflict. Dropping the unit drops the copy.

mod accounts;
mod contacts;
mod groups;
mod list;
mod people;
mod state;
mod unit;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use svc_business::ports::{
    AccountReader, BusinessStorage, BusinessUnit, ContactReader, GroupReader, PeopleReader,
};
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::idempotency::{Reply, RequestKey};

use self::state::State;
use self::unit::MemoryUnit;
use crate::business::contract::PublishedEvents;

use crate::audit::MemoryAudit;

/// Business storage in memory; clones share their data.
#[derive(Clone, Default)]
pub struct MemoryBusiness(Arc<Shared>);

#[derive(Default)]
struct Shared {
    store: Store,
    journal: Mutex<Journal>,
    audit: MemoryAudit,
}

/// What commits beside the records.
#[derive(Clone, Default)]
struct Journal {
    events: Vec<Event>,
    replies: HashMap<RequestKey, Reply>,
}

/// The records, with the ports that read and change them.
#[derive(Default)]
struct Store(Mutex<State>);

impl MemoryBusiness {
    /// Starts empty.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Every event that was committed, oldest first.
    #[must_use]
    pub fn events(&self) -> Vec<Event> {
        lock(&self.0.journal).events.clone()
    }

    /// The events that were committed since the last call.
    #[must_use]
    pub fn take_events(&self) -> Vec<Event> {
        std::mem::take(&mut lock(&self.0.journal).events)
    }

    /// The audit log that its units write to.
    #[must_use]
    pub fn audit(&self) -> &MemoryAudit {
        &self.0.audit
    }

    /// The reply that was kept for `key`.
    #[must_use]
    pub fn reply(&self, key: &RequestKey) -> Option<Reply> {
        lock(&self.0.journal).replies.get(key).cloned()
    }
}

#[async_trait]
impl BusinessStorage for MemoryBusiness {
    async fn begin(&self) -> Result<Box<dyn BusinessUnit>, StoreError> {
        Ok(Box::new(MemoryUnit::new(Arc::clone(&self.0))))
    }

    fn accounts(&self) -> &dyn AccountReader {
        &self.0.store
    }

    fn contacts(&self) -> &dyn ContactReader {
        &self.0.store
    }

    fn groups(&self) -> &dyn GroupReader {
        &self.0.store
    }

    fn people(&self) -> &dyn PeopleReader {
        &self.0.store
    }
}

#[async_trait]
impl PublishedEvents for MemoryBusiness {
    async fn bodies(&self) -> Vec<Vec<u8>> {
        self.events().iter().map(Event::body).collect()
    }
}

impl Store {
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.0)
    }
}

/// A test that panicked elsewhere does not make this data wrong.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

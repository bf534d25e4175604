//! The ports of sessions, passwords and people, and of failed attempts: each step of those is a unit of its own.

use std::sync::Arc;

use async_trait::async_trait;
use svc_auth::ports::{
    Failures, PasswordReader, PasswordResetReader, PasswordResetStore, PasswordStore, PeopleDirectory,
    SecondFactorReader, SecondFactorStore, SessionReader, SessionStorage, SessionStore, SessionUnit,
    SignInAttempts, ThrottleKey,
};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;

use crate::database::{Database, Inner};
use crate::unit::SeaUnit;

impl Database {
    /// The ports of sessions, passwords and people.
    #[must_use]
    pub fn sessions(&self) -> Arc<dyn SessionStorage> {
        Arc::clone(&self.0) as Arc<dyn SessionStorage>
    }
}

#[async_trait]
impl SessionStorage for Inner {
    async fn begin(&self) -> Result<Box<dyn SessionUnit>, StoreError> {
        Ok(Box::new(Self::begin(self)?))
    }

    fn sessions(&self) -> &dyn SessionReader {
        &self.reader
    }

    fn passwords(&self) -> &dyn PasswordReader {
        &self.reader
    }

    fn factors(&self) -> &dyn SecondFactorReader {
        &self.reader
    }

    fn resets(&self) -> &dyn PasswordResetReader {
        &self.reader
    }

    fn people(&self) -> &dyn PeopleDirectory {
        &self.reader
    }

    fn attempts(&self) -> &dyn SignInAttempts {
        self
    }
}

impl SessionUnit for SeaUnit {
    fn sessions(&self) -> &dyn SessionStore {
        &self.store
    }

    fn passwords(&self) -> &dyn PasswordStore {
        &self.store
    }

    fn factors(&self) -> &dyn SecondFactorStore {
        &self.store
    }

    fn resets(&self) -> &dyn PasswordResetStore {
        &self.store
    }

    fn people(&self) -> &dyn PeopleDirectory {
        &self.store
    }
}

#[async_trait]
impl SignInAttempts for Inner {
    async fn failures(&self, keys: &[ThrottleKey]) -> Result<Vec<Failures>, StoreError> {
        self.reader.failures(keys).await
    }

    async fn charge(
        &self,
        keys: &[ThrottleKey],
        forget_before: Timestamp,
        now: Timestamp,
    ) -> Result<Vec<Failures>, StoreError> {
        let unit = Self::begin(self)?;
        let before = unit.store.charge(keys, forget_before, now).await?;
        unit.finish().await?;
        Ok(before)
    }

    async fn give_back(&self, keys: &[ThrottleKey]) -> Result<(), StoreError> {
        let unit = Self::begin(self)?;
        unit.store.give_back(keys).await?;
        unit.finish().await
    }

    async fn clear(&self, keys: &[ThrottleKey]) -> Result<(), StoreError> {
        let unit = Self::begin(self)?;
        unit.store.clear(keys).await?;
        unit.finish().await
    }

    async fn purge(&self, before: Timestamp) -> Result<u64, StoreError> {
        let unit = Self::begin(self)?;
        let purged = unit.store.purge_failures(before).await?;
        unit.finish().await?;
        Ok(purged)
    }
}

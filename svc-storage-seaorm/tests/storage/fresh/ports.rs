//! What the contracts ask for: a fixture, or one port.

use std::ops::Deref;
use std::sync::Arc;

use async_trait::async_trait;
use svc_auth::ports::{AuthStorage, SessionStorage};
use svc_business::ports::{BusinessStorage, BusinessUnit};
use svc_core::audit::{AuditReader, ChainKeys};
use svc_core::error::StoreError;
use svc_core::idempotency::IdempotencyStore;
use svc_core::unit::UnitOfWork;
use svc_storage_seaorm::Database;
use svc_testkit::audit::AuditFixture;
use svc_testkit::auth::AuthFixture;
use svc_testkit::business::contract::PublishedEvents;
use svc_testkit::idempotency::Fixture;
use svc_testkit::session::SessionFixture;

use super::Fresh;

/// One port of a database, which goes with it.
pub(crate) struct Port<T: ?Sized> {
    port: Arc<T>,
    _fresh: Fresh,
}

impl<T: ?Sized> Port<T> {
    pub(crate) fn of(fresh: Fresh, port: impl FnOnce(&Database) -> Arc<T>) -> Self {
        Self { port: port(&fresh.database), _fresh: fresh }
    }
}

impl<T: ?Sized> Deref for Port<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.port
    }
}

#[async_trait]
impl Fixture for Fresh {
    fn store(&self) -> &dyn IdempotencyStore {
        &*self.idempotency
    }

    async fn begin(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        Ok(self.database.begin().await?)
    }
}

#[async_trait]
impl AuditFixture for Fresh {
    fn reader(&self) -> &dyn AuditReader {
        &*self.audit
    }

    fn keys(&self) -> ChainKeys {
        self.settings.keys.chain_keys()
    }

    async fn begin(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        Ok(self.database.begin().await?)
    }
}

impl AuthFixture for Fresh {
    fn storage(&self) -> &dyn AuthStorage {
        &*self.auth
    }

    fn log(&self) -> Option<&dyn AuditReader> {
        Some(&*self.audit)
    }
}

impl SessionFixture for Fresh {
    fn session_storage(&self) -> &dyn SessionStorage {
        &*self.sessions
    }
}

#[async_trait]
impl PublishedEvents for Fresh {
    async fn bodies(&self) -> Vec<Vec<u8>> {
        let waiting = self.database.webhooks().queue().waiting(1_000).await.expect("read").events;
        waiting.into_iter().map(|(_, event)| event.body()).collect()
    }
}

macro_rules! storages {
    ($(
        $(#[$about:meta])*
        $storage:ident / $unit:ident: $($storage_below:ident / $unit_below:ident)? {
            $($port:ident: $reader:path => $store:path,)+
        }
    )+) => {$(
        impl svc_business::ports::$storage for Fresh {$(
            fn $port(&self) -> &dyn $reader {
                self.business.$port()
            }
        )+}
    )+};
}
svc_business::business_areas!(storages);

#[async_trait]
impl BusinessStorage for Fresh {
    async fn begin(&self) -> Result<Box<dyn BusinessUnit>, StoreError> {
        self.business.begin().await
    }
}

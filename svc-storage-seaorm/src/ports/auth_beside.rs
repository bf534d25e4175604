//! The ports of tokens whose companies a service keeps by itself.

use std::sync::Arc;

use async_trait::async_trait;
use svc_auth::ports::{AccountDirectory, AuthStorage, AuthUnit, TokenReader, TokenStore};
use svc_core::audit::AuditLog;
use svc_core::error::StoreError;
use svc_core::idempotency::ReplyStore;
use svc_core::outbox::Outbox;
use svc_core::unit::UnitOfWork;

use crate::database::{Database, Inner};
use crate::unit::SeaUnit;

impl Database {
    /// The token ports of a service that tells by itself which companies there are, and who may act for them.
    ///
    /// What the directory tells is read beside the unit of work that asks for it.
    #[must_use]
    pub fn auth_beside(&self, directory: Arc<dyn AccountDirectory>) -> Arc<dyn AuthStorage> {
        Arc::new(Beside { inner: Arc::clone(&self.0), directory })
    }
}

struct Beside {
    inner: Arc<Inner>,
    directory: Arc<dyn AccountDirectory>,
}

#[async_trait]
impl AuthStorage for Beside {
    async fn begin(&self) -> Result<Box<dyn AuthUnit>, StoreError> {
        Ok(Box::new(UnitBeside { unit: self.inner.begin()?, directory: Arc::clone(&self.directory) }))
    }

    fn tokens(&self) -> &dyn TokenReader {
        &self.inner.reader
    }

    fn directory(&self) -> &dyn AccountDirectory {
        &*self.directory
    }
}

struct UnitBeside {
    unit: SeaUnit,
    directory: Arc<dyn AccountDirectory>,
}

#[async_trait]
impl UnitOfWork for UnitBeside {
    fn outbox(&self) -> &dyn Outbox {
        self.unit.outbox()
    }

    fn replies(&self) -> &dyn ReplyStore {
        self.unit.replies()
    }

    fn audit(&self) -> &dyn AuditLog {
        self.unit.audit()
    }

    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        self.unit.finish().await
    }
}

impl AuthUnit for UnitBeside {
    fn tokens(&self) -> &dyn TokenStore {
        &self.unit.store
    }

    fn directory(&self) -> &dyn AccountDirectory {
        &*self.directory
    }
}

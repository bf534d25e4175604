//! The storages in memory as the contract of the audit log sees them.

use async_trait::async_trait;
use svc_auth::ports::{AuthStorage, SessionStorage};
use svc_core::audit::{AuditReader, ChainKeys};
use svc_core::error::StoreError;
use svc_core::unit::UnitOfWork;
use svc_webhooks::ports::WebhookStorage;

use crate::audit::AuditFixture;
use crate::auth::MemoryAuth;
use crate::session::MemorySessions;
use crate::webhooks::MemoryWebhooks;

macro_rules! fixtures {
    ($($storage:ident: $port:ident),*) => {$(
        #[async_trait]
        impl AuditFixture for $storage {
            fn reader(&self) -> &dyn AuditReader {
                self.audit()
            }

            fn keys(&self) -> ChainKeys {
                self.audit().keys().clone()
            }

            async fn begin(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
                Ok($port::begin(self).await?)
            }
        }
    )*};
}

fixtures! {
    MemoryAuth: AuthStorage,
    MemorySessions: SessionStorage,
    MemoryWebhooks: WebhookStorage
}

//! The storage ports of each domain crate, on one database.

mod audit;
mod auth;
mod business;
mod idempotency;
mod sessions;
mod webhooks;

use std::sync::Arc;

use svc_auth::ports::{AuthStorage, BudgetStore, SessionStorage};
use svc_business::ports::BusinessStorage;
use svc_core::audit::AuditReader;
use svc_core::idempotency::IdempotencyStore;
use svc_webhooks::ports::WebhookStorage;

use crate::database::Database;

impl Database {
    /// The business ports.
    #[must_use]
    pub fn business(&self) -> Arc<dyn BusinessStorage> {
        Arc::clone(&self.0) as Arc<dyn BusinessStorage>
    }

    /// The token ports.
    #[must_use]
    pub fn auth(&self) -> Arc<dyn AuthStorage> {
        Arc::clone(&self.0) as Arc<dyn AuthStorage>
    }

    /// The ports of sessions, passwords and people.
    #[must_use]
    pub fn sessions(&self) -> Arc<dyn SessionStorage> {
        Arc::clone(&self.0) as Arc<dyn SessionStorage>
    }

    /// The webhook ports.
    #[must_use]
    pub fn webhooks(&self) -> Arc<dyn WebhookStorage> {
        Arc::clone(&self.0) as Arc<dyn WebhookStorage>
    }

    /// The port of the budgets that several processes share.
    #[must_use]
    pub fn budgets(&self) -> Arc<dyn BudgetStore> {
        Arc::clone(&self.0) as Arc<dyn BudgetStore>
    }

    /// The port that reads the audit log.
    #[must_use]
    pub fn audit(&self) -> Arc<dyn AuditReader> {
        Arc::clone(&self.0) as Arc<dyn AuditReader>
    }

    /// The port of idempotent requests.
    #[must_use]
    pub fn idempotency(&self) -> Arc<dyn IdempotencyStore> {
        Arc::clone(&self.0) as Arc<dyn IdempotencyStore>
    }
}

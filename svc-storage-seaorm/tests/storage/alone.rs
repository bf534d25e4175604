//! A database with the tables of one crate alone, for a service that has the rest elsewhere or not at all.

use std::sync::Arc;

use async_trait::async_trait;
use svc_auth::ports::{AuthStorage, StandAlone, TenantDirectory};
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_storage_seaorm::{Database, Schema, Settings};
use svc_testkit::auth::TokenFixture;
use svc_webhooks::ports::WebhookStorage;
use tempfile::TempDir;

use crate::fresh::{Port, file, fresh, keys, open};

svc_testkit::auth_storage_contract!(auth_on_sqlite, sqlite_tokens, with: [versions, audit]);
svc_testkit::auth_storage_contract!(auth_on_postgres, postgres_tokens, with: [versions, audit]);

mod webhooks_on_sqlite {
    svc_testkit::webhook_storage_contract! { make: super::sqlite_webhooks }
}

/// The tenants of a service that has each one it is asked for.
struct Everyone;

#[async_trait]
impl TenantDirectory for Everyone {
    async fn name(&self, id: AccountId) -> Result<Option<String>, StoreError> {
        Ok(Some(id.to_string()))
    }
}

struct Tokens {
    auth: Arc<dyn AuthStorage>,
    _folder: Option<TempDir>,
}

impl TokenFixture for Tokens {
    fn storage(&self) -> &dyn AuthStorage {
        &*self.auth
    }
}

async fn tokens(settings: Settings, folder: Option<TempDir>) -> Tokens {
    let database = open(&settings.schema(Schema::auth())).await;
    Tokens { auth: database.auth_beside(Arc::new(StandAlone(Everyone))), _folder: folder }
}

async fn sqlite_tokens() -> Option<Tokens> {
    let (settings, folder) = file();
    Some(tokens(settings, Some(folder)).await)
}

async fn postgres_tokens() -> Option<Tokens> {
    Some(tokens(Settings::new(svc_testkit::postgres::database()?, keys()), None).await)
}

async fn sqlite_webhooks() -> Port<dyn WebhookStorage> {
    let (settings, folder) = file();
    Port::of(fresh(settings.schema(Schema::webhooks()), Some(folder)).await, Database::webhooks)
}

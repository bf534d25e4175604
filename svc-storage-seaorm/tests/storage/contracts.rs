//! The same cases that the in-memory storages pass.

use std::sync::Arc;

use svc_auth::ports::{BudgetStore, OauthStorage};
use svc_business::ports::BusinessStorage;
use svc_storage_seaorm::Database;
use svc_testkit::business::contract::PublishedEvents;
use svc_webhooks::ports::{QueueOverview, ReplayStorage, WebhookStorage};

use crate::fresh::{Fresh, Port, postgres, sqlite};

mod webhooks_on_sqlite {
    svc_testkit::webhook_storage_contract! { make: super::sqlite_webhooks }
    svc_testkit::webhook_replay_contract! { make: super::sqlite_replays }
    svc_testkit::webhook_overview_contract! { make: super::sqlite_overview }
}

mod webhooks_on_postgres {
    svc_testkit::webhook_storage_contract! { try_make: super::postgres_webhooks }
    svc_testkit::webhook_replay_contract! { try_make: super::postgres_replays }
    svc_testkit::webhook_overview_contract! { try_make: super::postgres_overview }
}

mod budgets_on_sqlite {
    svc_testkit::budget_contract! { make: super::sqlite_budgets }
}

mod budgets_on_postgres {
    svc_testkit::budget_contract! { try_make: super::postgres_budgets }
}

mod idempotency_on_sqlite {
    svc_testkit::idempotency_contract! { make: super::sqlite_fixture }
}

mod idempotency_on_postgres {
    svc_testkit::idempotency_contract! { try_make: super::postgres_fixture }
}

mod audit_on_sqlite {
    svc_testkit::audit_contract! { make: super::sqlite_fixture }
}

mod audit_on_postgres {
    svc_testkit::audit_contract! { try_make: super::postgres_fixture }
}

mod oauth_on_sqlite {
    svc_testkit::oauth_storage_contract! { make: super::sqlite_oauth }
}

mod oauth_on_postgres {
    svc_testkit::oauth_storage_contract! { try_make: super::postgres_oauth }
}

mod sessions_on_sqlite {
    svc_testkit::session_storage_contract! { make: super::sqlite_fixture }
}

mod sessions_on_postgres {
    svc_testkit::session_storage_contract! { try_make: super::postgres_fixture }
}

mod business_on_sqlite {
    svc_testkit::business_storage_contract!(super::sqlite_business);
    svc_testkit::business_outbox_contract!(super::sqlite_outbox);
}

mod business_on_postgres {
    svc_testkit::business_storage_contract!(super::postgres_business);
    svc_testkit::business_outbox_contract!(super::postgres_outbox);
}

svc_testkit::auth_storage_contract!(auth_on_sqlite, sqlite_auth);
svc_testkit::auth_storage_contract!(auth_on_postgres, postgres);

async fn sqlite_fixture() -> Box<Fresh> {
    Box::new(sqlite().await)
}

async fn postgres_fixture() -> Option<Box<Fresh>> {
    postgres().await.map(Box::new)
}

async fn sqlite_webhooks() -> Port<dyn WebhookStorage> {
    Port::of(sqlite().await, Database::webhooks)
}

async fn postgres_webhooks() -> Option<Port<dyn WebhookStorage>> {
    Some(Port::of(postgres().await?, Database::webhooks))
}

async fn sqlite_replays() -> Port<dyn ReplayStorage> {
    Port::of(sqlite().await, Database::replays)
}

async fn postgres_replays() -> Option<Port<dyn ReplayStorage>> {
    Some(Port::of(postgres().await?, Database::replays))
}

async fn sqlite_overview() -> Port<dyn QueueOverview> {
    Port::of(sqlite().await, Database::queue_overview)
}

async fn postgres_overview() -> Option<Port<dyn QueueOverview>> {
    Some(Port::of(postgres().await?, Database::queue_overview))
}

async fn sqlite_oauth() -> Port<dyn OauthStorage> {
    Port::of(sqlite().await, Database::oauth)
}

async fn postgres_oauth() -> Option<Port<dyn OauthStorage>> {
    Some(Port::of(postgres().await?, Database::oauth))
}

async fn sqlite_budgets() -> Port<dyn BudgetStore> {
    Port::of(sqlite().await, Database::budgets)
}

async fn postgres_budgets() -> Option<Port<dyn BudgetStore>> {
    Some(Port::of(postgres().await?, Database::budgets))
}

async fn sqlite_business() -> Arc<dyn BusinessStorage> {
    Arc::new(sqlite().await)
}

async fn postgres_business() -> Option<Arc<dyn BusinessStorage>> {
    Some(Arc::new(postgres().await?))
}

type Published = (Arc<dyn BusinessStorage>, Arc<dyn PublishedEvents>);

async fn sqlite_outbox() -> Published {
    let fresh = Arc::new(sqlite().await);
    (fresh.clone(), fresh)
}

async fn postgres_outbox() -> Option<Published> {
    let fresh = Arc::new(postgres().await?);
    Some((fresh.clone(), fresh))
}

async fn sqlite_auth() -> Option<Fresh> {
    Some(sqlite().await)
}

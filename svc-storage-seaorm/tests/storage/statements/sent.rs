//! What the contracts send.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use svc_auth::ports::{BudgetStore, OauthStorage};
use svc_business::ports::BusinessStorage;
use svc_storage_seaorm::{Database, Executed, Settings};
use svc_testkit::business::contract::PublishedEvents;
use svc_testkit::postgres::Made;
use svc_webhooks::ports::{QueueOverview, ReplayStorage, WebhookStorage};

use crate::fresh::{Fresh, Port, file, fresh, keys, migrated};

/// What databases of one engine were sent: the texts of all statements.
struct Sent(Mutex<BTreeSet<String>>);

impl Sent {
    fn listen(&self, executed: Executed<'_>) {
        self.texts().insert(executed.sql.to_owned());
    }

    /// What is read and written, of all that was sent.
    fn taken(&self) -> BTreeSet<String> {
        let verbs = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WITH "];
        let ours = |sql: &String| {
            verbs.iter().any(|verb| sql.starts_with(verb))
                && sql.contains("svc_")
                && !sql.contains("svc_migrations")
                && !sql.contains("sqlite_schema")
        };
        std::mem::take(&mut *self.texts()).into_iter().filter(ours).collect()
    }

    fn texts(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

static TO_SQLITE: Sent = Sent(Mutex::new(BTreeSet::new()));
static TO_POSTGRES: Sent = Sent(Mutex::new(BTreeSet::new()));

/// The cases of every contract on databases of one engine, one after the other.
macro_rules! contracts {
    ($engine:ident, $fresh:ident) => {
        contracts! {
            $engine, $fresh:
            webhooks: webhook_storage_contract(make_webhooks),
            replays: webhook_replay_contract(make_replays),
            overview: webhook_overview_contract(make_overview),
            budgets: budget_contract(make_budgets),
            idempotency: idempotency_contract(make_fixture),
            audit: audit_contract(make_fixture),
            sessions: session_storage_contract(make_fixture),
            oauth: oauth_storage_contract(make_oauth),
            business: business_storage_contract(make_business),
            outbox: business_outbox_contract(make_outbox),
            tokens: auth_token_cases(make),
            versions: auth_version_cases(make),
            token_audit: auth_audit_cases(make),
            directory: auth_directory_cases(make),
            directory_versions: auth_directory_version_cases(make),
        }
    };
    ($engine:ident, $fresh:ident: $($name:ident: $contract:ident($make:ident),)+) => {
        mod $engine {
            $(mod $name {
                svc_testkit::$contract! { all: super::$make }
            })+

            use super::*;

            async fn make() -> Fresh {
                super::$fresh().await
            }

            async fn make_fixture() -> Box<Fresh> {
                Box::new(make().await)
            }

            async fn make_webhooks() -> Port<dyn WebhookStorage> {
                Port::of(make().await, Database::webhooks)
            }

            async fn make_oauth() -> Port<dyn OauthStorage> {
                Port::of(make().await, Database::oauth)
            }

            async fn make_replays() -> Port<dyn ReplayStorage> {
                Port::of(make().await, Database::replays)
            }

            async fn make_overview() -> Port<dyn QueueOverview> {
                Port::of(make().await, Database::queue_overview)
            }

            async fn make_budgets() -> Port<dyn BudgetStore> {
                Port::of(make().await, Database::budgets)
            }

            async fn make_business() -> Arc<dyn BusinessStorage> {
                Arc::new(make().await)
            }

            async fn make_outbox() -> (Arc<dyn BusinessStorage>, Arc<dyn PublishedEvents>) {
                let fresh = Arc::new(make().await);
                (fresh.clone(), fresh)
            }

            pub(super) async fn all() {
                $($name::all().await;)+
            }
        }
    };
}

contracts!(sqlite, listened_file);
contracts!(postgres, listened_server);

async fn listened_file() -> Fresh {
    let (settings, folder) = file();
    fresh(settings.on_statement(|executed| TO_SQLITE.listen(executed)), Some(folder)).await
}

async fn listened_server() -> Fresh {
    let made = Made::like(migrated).await.expect("it was there a moment ago");
    let settings = Settings::new(made.url(), keys()).max_connections(6);
    fresh(settings.on_statement(|executed| TO_POSTGRES.listen(executed)), None).await.with(made)
}

pub(super) async fn on_sqlite() -> BTreeSet<String> {
    sqlite::all().await;
    TO_SQLITE.taken()
}

pub(super) async fn on_postgres() -> BTreeSet<String> {
    postgres::all().await;
    TO_POSTGRES.taken()
}

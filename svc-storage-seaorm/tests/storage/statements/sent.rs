//! What the contracts send.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use svc_auth::ports::BudgetStore;
use svc_business::ports::BusinessStorage;
use svc_storage_seaorm::{Database, Executed, Settings};
use svc_testkit::business::contract::PublishedEvents;
use svc_webhooks::ports::{QueueOverview, ReplayStorage, WebhookStorage};

use crate::fresh::{Fresh, Port, file, fresh, keys};

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
    ($engine:ident, $all:ident) => {
        mod $engine {
            mod webhooks {
                svc_testkit::webhook_storage_contract! { all: super::super::$engine::make_webhooks }
            }
            mod replays {
                svc_testkit::webhook_replay_contract! { all: super::super::$engine::make_replays }
            }
            mod overview {
                svc_testkit::webhook_overview_contract! { all: super::super::$engine::make_overview }
            }
            mod budgets {
                svc_testkit::budget_contract! { all: super::super::$engine::make_budgets }
            }
            mod idempotency {
                svc_testkit::idempotency_contract! { all: super::super::$engine::make_fixture }
            }
            mod audit {
                svc_testkit::audit_contract! { all: super::super::$engine::make_fixture }
            }
            mod sessions {
                svc_testkit::session_storage_contract! { all: super::super::$engine::make_fixture }
            }
            mod business {
                svc_testkit::business_storage_contract!(all: super::super::$engine::make_business);
            }
            mod outbox {
                svc_testkit::business_outbox_contract!(all: super::super::$engine::make_outbox);
            }
            mod tokens {
                svc_testkit::auth_token_cases! { all: super::super::$engine::make }
            }
            mod versions {
                svc_testkit::auth_version_cases! { all: super::super::$engine::make }
            }
            mod token_audit {
                svc_testkit::auth_audit_cases! { all: super::super::$engine::make }
            }
            mod directory {
                svc_testkit::auth_directory_cases! { all: super::super::$engine::make }
            }
            mod directory_versions {
                svc_testkit::auth_directory_version_cases! { all: super::super::$engine::make }
            }

            use super::*;

            pub(super) async fn make() -> Fresh {
                super::$all().await
            }

            async fn make_fixture() -> Box<Fresh> {
                Box::new(make().await)
            }

            async fn make_webhooks() -> Port<dyn WebhookStorage> {
                Port::of(make().await, Database::webhooks)
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
                webhooks::all().await;
                replays::all().await;
                overview::all().await;
                budgets::all().await;
                idempotency::all().await;
                audit::all().await;
                sessions::all().await;
                business::all().await;
                outbox::all().await;
                tokens::all().await;
                versions::all().await;
                token_audit::all().await;
                directory::all().await;
                directory_versions::all().await;
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
    let url = svc_testkit::postgres::database().expect("it was there a moment ago");
    let settings = Settings::new(url, keys()).max_connections(6);
    fresh(settings.on_statement(|executed| TO_POSTGRES.listen(executed)), None).await
}

pub(super) async fn on_sqlite() -> BTreeSet<String> {
    sqlite::all().await;
    TO_SQLITE.taken()
}

pub(super) async fn on_postgres() -> BTreeSet<String> {
    postgres::all().await;
    TO_POSTGRES.taken()
}

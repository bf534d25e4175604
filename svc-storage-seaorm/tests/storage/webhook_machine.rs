//! Random histories of subscriptions and deliveries: SQLite and PostgreSQL do what the reference model says,
//! as memory does.

use std::sync::Arc;

use svc_core::audit::AuditReader;
use svc_testkit::webhooks::steps::Subject;
use svc_webhooks::ports::QueueOverview;

use crate::fresh::{self, Fresh};

mod on_sqlite {
    svc_testkit::webhook_storage_model! { make: super::sqlite, subject: super::Webhooks::subject }
}

mod on_postgres {
    svc_testkit::webhook_storage_model! { try_make: super::postgres, subject: super::Webhooks::subject }
}

/// The webhooks of a database, and what shows them.
struct Webhooks {
    storage: Arc<dyn QueueOverview>,
    log: Arc<dyn AuditReader>,
    _fresh: Fresh,
}

impl Webhooks {
    fn of(fresh: Fresh) -> Self {
        Self { storage: fresh.database.queue_overview(), log: fresh.database.audit(), _fresh: fresh }
    }

    fn subject(&self) -> Subject<'_> {
        Subject { storage: &*self.storage, overview: Some(&*self.storage), log: Some(&*self.log) }
    }
}

async fn sqlite() -> Webhooks {
    Webhooks::of(fresh::sqlite().await)
}

async fn postgres() -> Option<Webhooks> {
    fresh::postgres().await.map(Webhooks::of)
}

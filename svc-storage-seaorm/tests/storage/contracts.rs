//! The same cases that the in-memory storages pass.

use std::sync::Arc;

use svc_business::ports::BusinessStorage;

use crate::fresh::{Fresh, Keyed};

mod webhooks_on_sqlite {
    async fn make() -> crate::fresh::Fresh {
        crate::fresh::sqlite().await
    }
    svc_testkit::webhook_storage_contract! { make: make }
}

mod webhooks_on_postgres {
    svc_testkit::webhook_storage_contract! { try_make: crate::fresh::postgres }
}

mod idempotency_on_sqlite {
    svc_testkit::idempotency_contract! { make: super::sqlite_keyed }
}

mod idempotency_on_postgres {
    svc_testkit::idempotency_contract! { try_make: super::postgres_keyed }
}

mod business_on_sqlite {
    svc_testkit::business_storage_contract!(super::sqlite_business);
}

mod business_on_postgres {
    svc_testkit::business_storage_contract!(super::postgres_business);
}

svc_testkit::auth_storage_contract!(auth_on_sqlite, sqlite_auth);
svc_testkit::auth_storage_contract!(auth_on_postgres, postgres_auth);

async fn sqlite_keyed() -> Keyed {
    Keyed(crate::fresh::sqlite().await)
}

async fn postgres_keyed() -> Option<Keyed> {
    crate::fresh::postgres().await.map(Keyed)
}

async fn sqlite_business() -> Arc<dyn BusinessStorage> {
    Arc::new(crate::fresh::sqlite().await)
}

async fn postgres_business() -> Option<Arc<dyn BusinessStorage>> {
    Some(Arc::new(crate::fresh::postgres().await?))
}

async fn sqlite_auth() -> Option<Fresh> {
    Some(crate::fresh::sqlite().await)
}

async fn postgres_auth() -> Option<Fresh> {
    crate::fresh::postgres().await
}

//! Random lives of tokens on SQLite and PostgreSQL are those of the reference model.

use crate::fresh::{self, Fresh};

svc_testkit::auth_storage_model!(on_sqlite, sqlite);
svc_testkit::auth_storage_model!(on_postgres, postgres);

async fn sqlite() -> Option<Fresh> {
    Some(fresh::sqlite().await)
}

async fn postgres() -> Option<Fresh> {
    fresh::postgres().await
}

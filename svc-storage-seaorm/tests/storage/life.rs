//! The life of a database: opened, migrated, locked, closed, opened again.

use svc_core::unit::UnitOfWork;
use svc_storage_seaorm::{Database, Engine, MigrateError, Settings};
use svc_testkit::audit::noted;
use svc_testkit::webhooks::sample::{Samples, scope};
use svc_webhooks::ports::WebhookUnit;

use crate::both::on_both;
use crate::fresh::{Fresh, NOW, file, keys, open};

on_both! {
    a_schema_from_the_future_is_refused
    what_was_committed_is_there_after_closing
}

async fn a_schema_from_the_future_is_refused(fresh: &Fresh) {
    fresh.sql("INSERT INTO svc_migrations (name, applied_at) VALUES ('9999_future', 0)").await;
    let refused = fresh.database.migrate(NOW).await;
    assert!(matches!(&refused, Err(MigrateError::Newer(name)) if name == "9999_future"), "{refused:?}");
}

async fn what_was_committed_is_there_after_closing(fresh: &Fresh) {
    let samples = Samples::new(6);
    let subscription = samples.subscription(samples.account(), &["contact.create"]);
    let unit = fresh.database.begin().await.expect("a unit");
    assert!(unit.subscriptions().insert(&subscription, 20).await.expect("inserted"));
    noted(&*unit, subscription.account).await.expect("noted");
    unit.commit().await.expect("committed");
    fresh.database.close().await;
    let again = open(&fresh.settings).await;
    let found = again.webhooks().subscriptions().find(&scope([subscription.account]), subscription.id).await;
    assert_eq!(found.expect("read"), Some(subscription));
    again.close().await;
}

#[cfg(unix)]
#[tokio::test]
async fn the_file_belongs_to_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let (settings, folder) = file();
    let database = open(&settings).await;
    assert_eq!(database.engine(), Engine::Sqlite);
    let mode = std::fs::metadata(folder.path().join("data/svc.db")).expect("made").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[tokio::test]
async fn what_cannot_be_opened_is_told_in_words() {
    for (url, words) in [
        ("sqlite::memory:", "in memory"),
        ("mysql://x", "expected sqlite://"),
        ("sqlite:///dev/null/svc.db", "cannot open"),
        ("postgres://nobody:hunter2@127.0.0.1:1/none", "127.0.0.1:1"),
    ] {
        let error = Database::open(&Settings::new(url, keys())).await.expect_err("refused").to_string();
        assert!(error.contains(words), "{url}: {error}");
        assert!(!error.contains("hunter2"), "{error}");
    }
}

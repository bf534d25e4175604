//! Looking at a database that another process may have.

use svc_business::ports::AccountUnit as _;
use svc_core::unit::UnitOfWork as _;
use svc_storage_seaorm::{Database, Engine, Keys, OpenError};
use svc_testkit::business::sample::bare_account;

use crate::both::on_both;
use crate::fresh::{Fresh, NOW, everything, file};

on_both! {
    who_only_reads_sees_every_commit_of_who_writes
    nothing_can_be_changed
    a_wrong_master_key_is_told
}

async fn insert(database: &Database, number: u128) {
    let unit = database.begin().await.expect("a unit");
    unit.accounts().insert(&everything(), &bare_account(number)).await.expect("inserted");
    unit.commit().await.expect("committed");
}

async fn who_only_reads_sees_every_commit_of_who_writes(fresh: &Fresh) {
    let look = Database::open_read_only(&fresh.settings).await.expect("beside the writer");
    assert_eq!(look.engine(), fresh.database.engine());
    for number in 1..4 {
        insert(&fresh.database, number).await;
        let found = look.business().accounts().find(&everything(), bare_account(number).id).await;
        assert!(found.expect("read").is_some());
    }
    assert_eq!(look.pending_migrations().await.expect("read"), Vec::<&str>::new());
    look.close().await;
    insert(&fresh.database, 4).await;
}

async fn nothing_can_be_changed(fresh: &Fresh) {
    let look = Database::open_read_only(&fresh.settings).await.expect("opened");
    assert!(look.begin().await.is_err());
    assert!(look.webhooks().queue().purge(NOW, 1).await.is_err());
    assert!(look.migrate(NOW).await.is_err());
    look.close().await;
}

async fn a_wrong_master_key_is_told(fresh: &Fresh) {
    let other = fresh.settings.clone().keys(Keys::new(1, [8; 32]));
    let error = Database::open_read_only(&other).await.expect_err("refused");
    assert!(matches!(error, OpenError::WrongMasterKey), "{error}");
}

#[tokio::test]
async fn a_file_that_is_not_there_is_not_made() {
    let (settings, folder) = file();
    let error = Database::open_read_only(&settings).await.expect_err("refused");
    assert!(matches!(error, OpenError::File { .. }), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 0);
}

#[tokio::test]
async fn a_file_that_no_process_has_stays_as_it_is_byte_for_byte() {
    let fresh = crate::fresh::sqlite().await;
    insert(&fresh.database, 1).await;
    assert_eq!(fresh.database.engine(), Engine::Sqlite);
    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("copy.db");
    fresh.database.backup(&copy).await.expect("copied");
    let before = std::fs::read(&copy).expect("read");
    let settings = fresh.settings.clone().url(format!("sqlite://{}", copy.display()));
    let look = Database::open_read_only(&settings).await.expect("opened");
    let found = look.business().accounts().find(&everything(), bare_account(1).id).await;
    assert!(found.expect("read").is_some());
    look.close().await;
    assert!(std::fs::read(&copy).expect("read") == before, "the copy was changed by looking at it");
    assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 1, "and nothing stands beside it");
}

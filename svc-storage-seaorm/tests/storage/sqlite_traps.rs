//! What SQLite is known for.

use sea_orm::{ConnectionTrait as _, DbBackend, Statement};
use svc_business::account::{Account, AccountStatus};
use svc_business::contact::Contact;
use svc_business::party::Extension;
use svc_business::ports::{AccountUnit as _, ContactUnit as _};
use svc_core::error::StoreError;
use svc_core::unit::UnitOfWork as _;
use svc_storage_seaorm::{Database, OpenError, Settings};
use svc_testkit::audit::noted;
use svc_testkit::business::sample::{bare_account, organization};
use svc_testkit::webhooks::sample::Samples;
use svc_webhooks::ports::WebhookUnit as _;

use crate::fresh::{NOW, everything, keys, sqlite};

#[tokio::test]
async fn a_second_opening_of_the_file_is_refused() {
    let fresh = sqlite().await;
    let error = Database::open(&fresh.settings).await.expect_err("refused");
    assert!(matches!(error, OpenError::InUse { .. }), "{error}");
}

#[tokio::test]
async fn a_database_in_memory_is_refused() {
    for url in ["sqlite::memory:", "sqlite://:memory:", "sqlite://", "sqlite://x.db?mode=memory", "mysql://x"]
    {
        let error = Database::open(&Settings::new(url, keys())).await.expect_err("refused");
        assert!(matches!(error, OpenError::Url(_)), "{url}: {error}");
    }
}

/// A unit looks its company up before it has the writer.
#[tokio::test]
async fn nothing_is_added_to_a_company_that_was_closed_meanwhile() {
    let fresh = sqlite().await;
    let company = bare_account(1);
    let open = fresh.database.begin().await.expect("a unit");
    open.accounts().insert(&everything(), &company).await.expect("inserted");
    open.commit().await.expect("committed");

    let external = Extension { external_id: Some("x-1".to_owned()), ..Extension::default() };
    let plain = organization(company.id, 1, "Acme");
    let named = Contact { extension: external, ..organization(company.id, 2, "Umbra") };
    let mut waiting = Vec::new();
    for contact in [plain.clone(), named.clone()] {
        let unit = fresh.database.begin().await.expect("a unit");
        let found = unit.accounts().find(&everything(), company.id).await.expect("read");
        assert!(found.is_some_and(|found| found.status == AccountStatus::Active));
        waiting.push((unit, contact));
    }
    let closed = Account {
        status: AccountStatus::Deactivated { at: NOW },
        version: company.version.next(),
        ..company.clone()
    };
    let close = fresh.database.begin().await.expect("a unit");
    close.accounts().replace(&everything(), &company, &closed).await.expect("written");
    close.commit().await.expect("committed");

    for (unit, contact) in waiting {
        let added = async {
            unit.contacts().insert(&everything(), &contact).await?;
            unit.commit().await
        };
        assert!(matches!(added.await, Err(StoreError::Conflict)), "{:?}", contact.id);
        let found = fresh.database.business().contacts().find(&everything(), contact.id).await.expect("read");
        assert_eq!(found, None);
    }
}

#[tokio::test]
async fn damage_in_a_file_is_told() {
    let fresh = sqlite().await;
    assert_eq!(fresh.database.integrity().await.expect("read"), Vec::<String>::new());
    fresh.database.close().await;

    // A lease that ends and has no holder: the schema does not allow it.
    let raw = sea_orm::Database::connect(&fresh.settings.url).await.expect("a connection");
    raw.execute_unprepared(
        "PRAGMA ignore_check_constraints = ON; INSERT INTO svc_delivery_queue \
         (id, account_id, subscription_id, event_id, attempt, due_at, lease_until) \
         VALUES (x'01', x'02', x'03', x'04', 0, 0, 5)",
    )
    .await
    .expect("written");
    raw.close().await.expect("closed");
    let look = Database::open_read_only(&fresh.settings).await.expect("opens");
    let damage = look.integrity().await.expect("read");
    assert!(damage.iter().any(|line| line.contains("delivery_queue")), "{damage:?}");
}

#[tokio::test]
async fn what_was_committed_is_there_after_a_kill() {
    let fresh = sqlite().await;
    let unit = fresh.database.begin().await.expect("a unit");
    unit.accounts().insert(&everything(), &bare_account(1)).await.expect("written");
    unit.commit().await.expect("committed");
    let open = fresh.database.begin().await.expect("a unit");
    open.accounts().insert(&everything(), &bare_account(2)).await.expect("written");

    // What a killed process leaves: the file and its log, with one unit still open.
    let copy = tempfile::tempdir().expect("a folder");
    for name in ["svc.db", "svc.db-wal"] {
        std::fs::copy(fresh.folder().join(name), copy.path().join(name)).expect("copied");
    }
    let url = format!("sqlite://{}", copy.path().join("svc.db").display());
    let again = Database::open(&Settings::new(url, keys())).await.expect("opens");
    let accounts = again.business();
    let found = |number: u128| {
        let accounts = &accounts;
        async move {
            accounts.accounts().find(&everything(), bare_account(number).id).await.expect("read").is_some()
        }
    };
    assert!(found(1).await);
    assert!(!found(2).await);
    drop(open);
}

#[tokio::test]
async fn secrets_are_not_in_the_file() {
    let fresh = sqlite().await;
    let samples = Samples::new(1);
    let subscription = samples.subscription(samples.account(), &["contact.create"]);
    let unit = fresh.database.begin().await.expect("a unit");
    unit.subscriptions().insert(&subscription, 20).await.expect("inserted");
    noted(&*unit, subscription.account).await.expect("noted");
    unit.commit().await.expect("committed");
    let webhooks = fresh.database.webhooks();
    let found = webhooks.subscriptions().find(&everything(), subscription.id).await.expect("read");
    assert_eq!(found.as_ref(), Some(&subscription));

    let secret = subscription.secret.expose().as_bytes();
    let mut searched = 0;
    for entry in std::fs::read_dir(fresh.folder()).expect("listed").flatten() {
        let bytes = std::fs::read(entry.path()).expect("read");
        searched += bytes.len();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret), "{:?}", entry.path());
        let name = subscription.name.as_bytes();
        if entry.file_name() == "svc.db-wal" {
            assert!(bytes.windows(name.len()).any(|window| window == name), "the row itself is there");
        }
    }
    assert!(searched > 10_000, "{searched}");
}

#[tokio::test]
async fn a_backup_opens_as_a_database() {
    let fresh = sqlite().await;
    let unit = fresh.database.begin().await.expect("a unit");
    unit.accounts().insert(&everything(), &bare_account(1)).await.expect("written");
    unit.commit().await.expect("committed");
    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("copy.db");
    fresh.database.backup(&copy).await.expect("backed up");
    assert!(fresh.database.backup(&copy).await.is_err(), "an existing file is not overwritten");

    let again =
        Database::open(&Settings::new(format!("sqlite://{}", copy.display()), keys())).await.expect("opens");
    let found = again.business().accounts().find(&everything(), bare_account(1).id).await.expect("read");
    assert!(found.is_some());
}

/// Statistics of tables that have grown since make SQLite read all of them.
#[tokio::test]
async fn a_database_that_is_opened_forgets_what_was_known_of_its_tables() {
    let fresh = sqlite().await;
    fresh.database.close().await;
    let raw = fresh.raw().await;
    raw.execute_unprepared("ANALYZE").await.expect("analysed");
    raw.close().await.expect("closed");
    Database::open(&fresh.settings).await.expect("opened").close().await;
    let raw = fresh.raw().await;
    let left = Statement::from_string(DbBackend::Sqlite, "SELECT tbl FROM sqlite_stat1");
    assert!(raw.query_one_raw(left).await.expect("read").is_none(), "it has statistics");
    raw.close().await.expect("closed");
}

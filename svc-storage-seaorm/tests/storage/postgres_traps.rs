//! What PostgreSQL and its pool are known for.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use sea_orm::{ConnectionTrait as _, Statement};
use svc_business::contact::{Contact, ContactStatus};
use svc_business::ports::{AccountUnit, ContactUnit as _};
use svc_core::error::StoreError;
use svc_core::id::TypedId as _;
use svc_core::resource::Lock;
use svc_core::unit::UnitOfWork as _;
use svc_storage_seaorm::{Database, OpenError, Settings};
use svc_testkit::business::sample::{bare_account, organization};
use tokio::time::timeout;
use uuid::Uuid;

use crate::fresh::{Fresh, everything, keys, postgres};

/// A client that hangs up cancels its handler at any await. A connection that
/// was given back inside an open transaction would swallow the next writes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_begin_leaves_no_connection_inside_a_transaction() {
    let Some(fresh) = postgres().await else { return };
    let mut cancelled = 0;
    for polls in 0..400_usize {
        if !finishes_within(polls % 40, change_nothing(&fresh.database)).await {
            cancelled += 1;
        }
    }
    assert!(cancelled >= 10, "only {cancelled} were cancelled on the way");

    for number in 0..20_u128 {
        let unit = fresh.database.begin().await.expect("a unit");
        unit.accounts().insert(&everything(), &bare_account(number)).await.expect("written");
        unit.commit().await.expect("committed");
    }
    // Seen by a pool of its own: what was answered is there for every connection.
    let other = Database::open(&fresh.settings).await.expect("opens");
    for number in 0..20_u128 {
        let found =
            other.business().accounts().find(&everything(), bare_account(number).id).await.expect("read");
        assert!(found.is_some(), "write {number} was answered and is not there");
    }
}

/// The same, seen from the server: it counts who sits in a transaction and does nothing.
#[tokio::test]
async fn a_cancelled_begin_leaves_the_server_no_stray_transaction() {
    let Some(url) = svc_testkit::postgres::database() else { return };
    let one = Settings::new(&*url, keys()).max_connections(1);
    let database = Database::open(&one).await.expect("opens");
    let mut options = sea_orm::ConnectOptions::new(&*url);
    options.max_connections(1).sqlx_logging(false);
    let watcher = sea_orm::Database::connect(options).await.expect("a connection");
    let stray = "SELECT count(*) FROM pg_stat_activity \
                 WHERE datname = current_database() AND state LIKE 'idle in transaction%'";
    for polls in 0..30_usize {
        finishes_within(polls % 6, change_nothing(&database)).await;
        // A connection on its way back is rolled back before a unit has asked so often.
        let mut left = 1_i64;
        for _ in 0..500 {
            let statement = Statement::from_string(watcher.get_database_backend(), stray);
            let row = watcher.query_one_raw(statement).await.expect("a query").expect("a row");
            left = row.try_get_by_index(0).expect("a count");
            if left == 0 {
                break;
            }
        }
        assert_eq!(left, 0, "after {polls} polls");
    }
}

/// Of two units that wait for each other PostgreSQL undoes one, which may run again at once.
#[tokio::test]
async fn of_two_units_that_wait_for_each_other_one_is_undone_and_the_other_goes_on() {
    let Some(fresh) = postgres().await else { return };
    let company = bare_account(1);
    let unit = fresh.database.begin().await.expect("a unit");
    unit.accounts().insert(&everything(), &company).await.expect("inserted");
    unit.commit().await.expect("committed");

    let records = [1, 2].map(|number| (Uuid::from_u128(number), Lock::Exclusive));
    let [one, other] =
        [fresh.database.begin().await.expect("a unit"), fresh.database.begin().await.expect("a unit")];
    let scope = everything();
    let hold = async |unit: &dyn AccountUnit, record| {
        let held = unit.accounts().find_locked(&scope, company.id, Lock::Shared, &[record]).await;
        held.map(drop)
    };
    hold(one.as_ref(), records[0]).await.expect("held");
    hold(other.as_ref(), records[1]).await.expect("held");
    // The one that is undone lets go of what it held when it is dropped, as every unit that failed is.
    let cross = async |unit: Box<dyn AccountUnit>, record| hold(unit.as_ref(), record).await;
    let mut outcomes = <[_; 2]>::from(tokio::join!(cross(one, records[1]), cross(other, records[0])));
    outcomes.sort_by_key(Result::is_err);
    assert!(matches!(outcomes, [Ok(()), Err(StoreError::Undone)]), "{outcomes:?}");
}

/// PostgreSQL ends sessions when it restarts, and operators do.
#[tokio::test]
async fn a_session_that_was_ended_is_a_failure_that_passes() {
    let Some(fresh) = postgres().await else { return };
    let mut tries = 0;
    let error = loop {
        // One that is ended on its way back into the pool never gets there, and the pool does not notice.
        fresh.database.ping().await.expect("a session");
        let url = fresh.settings.url.clone();
        tokio::task::spawn_blocking(move || end_sessions(&url)).await.expect("ended");
        tries += 1;
        match fresh.database.ping().await {
            Err(error) => break error,
            Ok(()) => assert!(tries < 20, "its session has ended"),
        }
    };
    assert!(matches!(error, StoreError::Busy), "{error:?}");
    // Each session of the pool may have to find out.
    let mut failures = 0;
    loop {
        let unit = fresh.database.begin().await.expect("nothing is asked of the server yet");
        match unit.accounts().replace(&everything(), &bare_account(0), &bare_account(0)).await {
            Err(StoreError::Busy) => failures += 1,
            absent => break assert!(matches!(absent, Err(StoreError::Conflict)), "{absent:?}"),
        }
        assert!(failures < 20, "no new session was opened");
    }
}

/// Ends every session of a database.
fn end_sessions(url: &str) {
    let ended = svc_testkit::postgres::query(
        url,
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity \
         WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    assert!(ended.lines().all(|line| line == "t"), "{ended}");
}

/// Each statement leaves a row of the number of contacts, and one of fifty rows folds them.
#[tokio::test]
async fn the_rows_of_a_count_are_folded() {
    let Some(fresh) = postgres().await else { return };
    let company = bare_account(1).id;
    let unit = fresh.database.begin().await.expect("a unit");
    unit.accounts().insert(&everything(), &bare_account(1)).await.expect("written");
    let mut contact = organization(company, 1, "Empresa");
    unit.contacts().insert(&everything(), &contact).await.expect("written");
    for number in 0..1_000 {
        let status = if number % 2 == 0 { ContactStatus::Archived } else { ContactStatus::Active };
        let after = Contact { status, version: contact.version.next(), ..contact.clone() };
        unit.contacts().replace(&everything(), &contact, &after).await.expect("written");
        contact = after;
    }
    unit.commit().await.expect("committed");
    let (rows, contacts) = rows_of_a_count(&fresh, "svc_contacts").await;
    assert_eq!(contacts, 1);
    assert!(rows < 1_500, "{rows} rows after 1,000 changes that left two rows each");
}

/// An import leaves rows of many kinds with each statement: few of them are there at a time.
#[tokio::test]
async fn the_rows_of_many_kinds_are_folded_at_once() {
    let Some(fresh) = postgres().await else { return };
    let company = bare_account(1).id;
    let unit = fresh.database.begin().await.expect("a unit");
    unit.accounts().insert(&everything(), &bare_account(1)).await.expect("written");
    unit.commit().await.expect("committed");
    let raw = fresh.raw().await;
    for statement in 0..40 {
        let tags = format!(
            "INSERT INTO svc_contact_tags_counts (company_id, tag, status, number) VALUES ('{}', 'x', 0, {statement})",
            company.uuid()
        );
        raw.execute_unprepared(&tags).await.expect("written");
    }
    let unit = fresh.database.begin().await.expect("a unit");
    let tags =
        (0..50).map(|number| if number == 0 { "x".to_owned() } else { format!("tag {number}") }).collect();
    let contact = Contact { tags, ..organization(company, 1, "Empresa") };
    unit.contacts().insert(&everything(), &contact).await.expect("written");
    unit.commit().await.expect("committed");
    assert_eq!(rows_of_a_count(&fresh, "svc_contact_tags").await, (50, 780 + 50));
}

/// The rows in which the number of the records of a table is kept, and their sum.
async fn rows_of_a_count(fresh: &Fresh, table: &str) -> (i64, i64) {
    let raw = fresh.raw().await;
    let sql = format!("SELECT count(*) AS rows, CAST(sum(number) AS bigint) AS records FROM {table}_counts");
    let row = raw.query_one_raw(Statement::from_string(raw.get_database_backend(), sql)).await;
    let row = row.expect("a query").expect("a row");
    (row.try_get("", "rows").expect("a number"), row.try_get("", "records").expect("a number"))
}

/// A caller names the record that it wants to end: whatever the id is, units of other companies go on.
#[tokio::test]
async fn the_lock_of_a_record_holds_up_its_own_company_alone() {
    let Some(fresh) = postgres().await else { return };
    let unit = fresh.database.begin().await.expect("a unit");
    for number in [1, 2] {
        unit.accounts().insert(&everything(), &bare_account(number)).await.expect("written");
    }
    unit.commit().await.expect("committed");
    let (own, other) = (bare_account(1).id, bare_account(2).id);
    // An id that is the company's own on the other side, and one that might be of a record there.
    let named = [other.uuid(), organization(other, 7, "Acme").id.uuid()].map(|id| (id, Lock::Exclusive));
    let first = fresh.database.begin().await.expect("a unit");
    first.accounts().find_locked(&everything(), own, Lock::Shared, &named).await.expect("locked");

    let locked = async |patience, company, records: &[(Uuid, Lock)]| {
        let unit = fresh.database.begin().await.expect("a unit");
        let scope = everything();
        let locked = unit.accounts().find_locked(&scope, company, Lock::Shared, records);
        timeout(patience, locked).await.is_ok()
    };
    let shared = named.map(|(id, _)| (id, Lock::Shared));
    // Below the lock timeout, and long enough for a connection to be made on a machine that does much else.
    let long = Duration::from_secs(8);
    assert!(locked(long, other, &shared).await, "another company waits");
    assert!(locked(long, own, &[]).await, "what the unit does not name waits");
    let waits = !locked(Duration::from_millis(500), own, &shared).await;
    assert!(waits, "the same records of the same company do not wait");
}

/// Begins a transaction, as a unit does with its first change.
async fn change_nothing(database: &Database) {
    let Ok(unit) = database.begin().await else { return };
    let absent = unit.accounts().replace(&everything(), &bare_account(0), &bare_account(0)).await;
    assert!(!matches!(absent, Ok(()) | Err(StoreError::Taken { .. })), "{absent:?}");
}

/// Polls `future` a few times, then drops it unless it has finished.
async fn finishes_within(polls: usize, future: impl Future) -> bool {
    let mut future = pin!(future);
    for _ in 0..=polls {
        if future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready() {
            return true;
        }
        tokio::task::yield_now().await;
    }
    matches!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(_))
}

#[tokio::test]
async fn an_unreachable_server_is_named_without_its_password() {
    let url = "postgres://svc:hunter2@127.0.0.1:1/svc";
    let error = Database::open(&Settings::new(url, keys())).await.expect_err("refused");
    assert!(matches!(error, OpenError::Connect { .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("127.0.0.1:1/svc") && !text.contains("hunter2"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_may_migrate_at_once() {
    let Some(url) = svc_testkit::postgres::database() else { return };
    let settings = Settings::new(url, keys()).max_connections(3);
    let open = || async { Database::open(&settings).await.expect("opens") };
    let (one, other) = tokio::join!(open(), open());
    let now = crate::fresh::NOW;
    let (first, second) = tokio::join!(one.migrate(now), other.migrate(now));
    let (first, second) = (first.expect("migrated"), second.expect("migrated"));
    assert_eq!(one.pending_migrations().await.expect("read"), Vec::<&str>::new());
    assert!(first.is_empty() != second.is_empty(), "the schema was made once, by one of the two");
}

/// A unit that holds a lock may have to read beside its transaction before it commits. Those that wait for its lock must
/// not hold every connection meanwhile: it would wait for them, and they for it.
#[tokio::test]
async fn a_unit_with_a_lock_reads_beside_it_while_others_wait_for_the_lock() {
    let Some(fresh) = postgres().await else { return };
    let company = bare_account(1);
    let unit = fresh.database.begin().await.expect("a unit");
    unit.accounts().insert(&everything(), &company).await.expect("written");
    unit.commit().await.expect("committed");
    let one = |database: Database| async move {
        let unit = database.begin().await.expect("a unit");
        let locked = unit.accounts().find_locked(&everything(), company.id, Lock::Exclusive, &[]).await;
        assert!(locked.expect("its turn comes").is_some());
        let beside = database.business().accounts().find(&everything(), company.id).await;
        assert!(beside.expect("a connection is left").is_some());
        unit.commit().await.expect("committed");
    };
    let all: Vec<_> = (0..12).map(|_| tokio::spawn(one(fresh.database.clone()))).collect();
    for each in all {
        timeout(Duration::from_secs(8), each).await.expect("none waits until time is up").expect("it works");
    }
}

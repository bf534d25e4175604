//! Whole servers over a database, in worlds in which everything goes wrong.

use svc_storage_seaorm::{Database, Settings};
use svc_testkit::property;
use svc_testkit::simulation::{Figures, run_over};
use svc_webhooks::ports::WebhookStorage;
use tokio::runtime::Runtime;

use crate::fresh::{self, Port};

/// Worlds on each engine in the short form; `SVC_TEST_CASES` sets the long one.
const WORLDS: u32 = 1;
/// More than the loops of a world's servers hold at a time, and few enough that those of several worlds fit one server.
const CONNECTIONS: u32 = 20;

async fn sqlite() -> Port<dyn WebhookStorage> {
    Port::of(fresh::sqlite().await, Database::webhooks)
}

async fn postgres() -> Option<Port<dyn WebhookStorage>> {
    // A server that stalls keeps the connection that it reads from, while the run reads what is committed.
    let url = svc_testkit::postgres::database()?;
    let settings = Settings::new(url, fresh::keys()).max_connections(CONNECTIONS);
    Some(Port::of(fresh::fresh(settings, None).await, Database::webhooks))
}

#[test]
fn on_sqlite_nothing_is_lost_and_nothing_goes_where_it_must_not() {
    live("SQLite", sqlite);
}

/// In the long form alone: about one world in thirty ends with `Busy`, when the run waits for a connection that a stalled
/// server holds. What is lost or goes astray is none of that, and is told as a violation.
#[test]
#[expect(clippy::print_stderr, reason = "what is left out is told")]
fn on_postgres_nothing_is_lost_and_nothing_goes_where_it_must_not() {
    if std::env::var_os(property::CASES).is_none() {
        eprintln!("worlds on PostgreSQL live in the long form alone: set {}", property::CASES);
        return;
    }
    let is_there = Runtime::new().expect("a runtime").block_on(async { postgres().await.is_some() });
    if is_there {
        live("PostgreSQL", async || postgres().await.expect("it was there before"));
    }
}

#[expect(clippy::print_stderr, reason = "the figures and the seed of the run")]
fn live(engine: &str, make: impl AsyncFn() -> Port<dyn WebhookStorage>) {
    let (seeds, first) = property::seeds(WORLDS);
    let count = seeds.size_hint().0;
    let mut all = Figures::default();
    for seed in seeds {
        match run_over(seed, &make) {
            Ok(figures) => all.add(&figures),
            Err(violation) => {
                panic!("{violation}\nrepeat with {}=1 {}={seed}", property::CASES, property::SEED)
            }
        }
    }
    let Figures { steps, events, deliveries, requests, faults, .. } = all;
    assert!(events > 0 && requests > 0 && !faults.is_empty());
    eprintln!(
        "{count} worlds on {engine} from seed {first}: {steps} steps, {events} events, {deliveries} deliveries, \
         {requests} requests, 0 violations"
    );
}

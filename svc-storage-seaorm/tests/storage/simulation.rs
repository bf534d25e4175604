//! Whole servers over a database, in worlds in which everything goes wrong.

use svc_storage_seaorm::Database;
use svc_testkit::property;
use svc_testkit::simulation::{Figures, run_over};
use svc_webhooks::ports::WebhookStorage;
use tokio::runtime::Runtime;

use crate::fresh::{self, Port};

/// Worlds on each engine in the short form; `SVC_TEST_CASES` sets the long one.
const WORLDS: u32 = 1;

async fn sqlite() -> Port<dyn WebhookStorage> {
    Port::of(fresh::sqlite().await, Database::webhooks)
}

async fn postgres() -> Option<Port<dyn WebhookStorage>> {
    Some(Port::of(fresh::postgres().await?, Database::webhooks))
}

#[test]
fn on_sqlite_nothing_is_lost_and_nothing_goes_where_it_must_not() {
    live("SQLite", sqlite);
}

#[test]
fn on_postgres_nothing_is_lost_and_nothing_goes_where_it_must_not() {
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

//! Random histories of subscriptions and deliveries: SQLite and PostgreSQL do what the reference model says,
//! as memory does.

use svc_testkit::property;
use svc_testkit::webhooks::steps::{Subject, histories, play};

use crate::fresh::{self, Fresh};

/// Histories per engine in the short form; `SVC_TEST_CASES` sets the long one.
const HISTORIES: u32 = 6;

#[tokio::test]
async fn webhooks_on_sqlite_live_as_the_model_says() {
    webhooks_live_as_the_model_says("SQLite", &fresh::sqlite().await).await;
}

#[tokio::test]
async fn webhooks_on_postgres_live_as_the_model_says() {
    if let Some(fresh) = fresh::postgres().await {
        webhooks_live_as_the_model_says("PostgreSQL", &fresh).await;
    }
}

#[expect(clippy::print_stderr, reason = "the figure and the seed of the run")]
async fn webhooks_live_as_the_model_says(engine: &str, fresh: &Fresh) {
    let (histories, seed) = property::values(&histories(60), HISTORIES);
    let (storage, log) = (fresh.database.queue_overview(), fresh.database.audit());
    let subject = Subject { storage: &*storage, overview: Some(&*storage), log: Some(&*log) };
    let mut steps = 0;
    for (number, history) in (1..).zip(&histories) {
        match play(subject, number, history).await {
            Ok(played) => steps += played.steps(),
            Err(divergence) => panic!("history {number} on {engine}:\n{divergence}\n{history:?}"),
        }
    }
    eprintln!("{steps} steps on {engine} as the model says, seed {seed}");
}

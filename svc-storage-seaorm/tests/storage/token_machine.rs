//! Random lives of tokens: the same steps through memory, SQLite and PostgreSQL give the same answers, and
//! they are those of the reference model.

use svc_testkit::auth::MemoryAuth;
use svc_testkit::auth::steps::{histories, model, play};
use svc_testkit::property;

use crate::fresh::{self, Fresh};

/// Histories per engine in the short form; `SVC_TEST_CASES` sets the long one.
const HISTORIES: u32 = 8;

#[tokio::test]
async fn tokens_on_sqlite_live_as_in_memory() {
    tokens_live_as_in_memory(&fresh::sqlite().await).await;
}

#[tokio::test]
async fn tokens_on_postgres_live_as_in_memory() {
    if let Some(fresh) = fresh::postgres().await {
        tokens_live_as_in_memory(&fresh).await;
    }
}

async fn tokens_live_as_in_memory(fresh: &Fresh) {
    let (histories, _seed) = property::values(&histories(40), HISTORIES);
    let log = fresh.database.audit();
    for (number, history) in (1..).zip(&histories) {
        let memory = MemoryAuth::new();
        let in_memory = play(&memory, memory.audit(), number, history).await;
        let stored = play(fresh, &*log, number, history).await;
        for (name, other) in [("memory", in_memory), ("the model", model(history))] {
            if let Some(difference) = stored.differs_from(&other) {
                panic!("history {number} is not as in {name} {difference}\n{history:#?}");
            }
        }
    }
}

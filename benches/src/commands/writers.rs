//! What sharing commits gains on SQLite: many writers against one, each write
//! on disk before it is answered.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use svc_benches::sqlite;
use svc_business::ports::AccountUnit as _;
use svc_core::unit::UnitOfWork as _;
use svc_storage_seaorm::Database;
use svc_testkit::business::sample::{bare_account, everything};

const WRITES: u128 = 3_200;

#[tokio::main]
#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
pub(crate) async fn start() -> ExitCode {
    let folder = tempfile::tempdir().expect("a folder");
    let database = Arc::new(sqlite(folder.path()).await);
    let alone = writes_per_second(&database, 1, 0).await;
    println!("{WRITES} units of one write each");
    println!("1 writer: {alone:.0} commits a second");
    for (round, writers) in (1..).zip([8, 64]) {
        let together = writes_per_second(&database, writers, round).await;
        println!("{writers} writers: {:.2} times that", together / alone);
    }
    ExitCode::SUCCESS
}

async fn writes_per_second(database: &Arc<Database>, writers: u128, round: u128) -> f64 {
    let start = Instant::now();
    let tasks: Vec<_> = (0..writers)
        .map(|writer| {
            let database = Arc::clone(database);
            tokio::spawn(async move {
                for number in 0..WRITES / writers {
                    let unit = database.begin().await.expect("a unit");
                    let account = bare_account(1 + round * 1_000_000 + writer * 10_000 + number);
                    unit.accounts().insert(&everything(), &account).await.expect("inserted");
                    unit.commit().await.expect("committed");
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("no writer failed");
    }
    f64::from(u32::try_from(WRITES).expect("a small number")) / start.elapsed().as_secs_f64()
}

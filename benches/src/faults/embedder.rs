//! `kill -9` of a service that publishes in its own transactions: what commits is told, and nothing else.
//!
//! Shops, processes of the same command, place orders in a table of their own, publish in the same transaction,
//! take some of them back before the commit, and deliver with the worker of the library. At random moments one is
//! killed and started again: the only one on SQLite, one of two on PostgreSQL. When all is delivered, the table of
//! orders, what a shop said was committed, and what arrived are laid beside each other.

pub mod shop;

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use svc_testkit::fakes::SeededRandom;
use tokio::time::sleep;

use super::writers::below;
use super::{Engine, Manner, Receiver, Report, progress};

/// How hard it is made.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// So many kills.
    pub kills: usize,
    /// At most so long after an order since the last kill.
    pub within: Duration,
    /// Decides which process is killed when, and how the receiver answers.
    pub seed: u64,
}

/// Runs it on a database, by this program, whose arguments `embedder shop` make it a shop.
///
/// # Panics
/// When a process does not start.
pub async fn run(command: &std::path::Path, engine: Engine, url: &str, plan: Plan) -> Report {
    let manner = Manner { failing: 3, slow: 10, slowly: Duration::from_millis(30), held: None };
    let receiver = Receiver::open(manner, plan.seed).await;
    shop::subscribe(url, &receiver.url(0)).await;

    let said = Said::default();
    let mut names = 1_u32..;
    let mut start = || Shop::start(command, url, names.next().unwrap_or_default(), &said);
    let count = if engine == Engine::Sqlite { 1 } else { 2 };
    let mut shops: Vec<Shop> = (0..count).map(|_| start()).collect();
    let random = SeededRandom::new(plan.seed);
    for kill in 1..=plan.kills {
        let before = said.count();
        super::until("an order since the last kill", async || said.count() > before).await;
        let longest = u64::try_from(plan.within.as_micros()).unwrap_or(u64::MAX);
        sleep(Duration::from_micros(below(&random, longest))).await;
        let chosen = usize::try_from(below(&random, count)).unwrap_or_default();
        drop(shops.remove(chosen));
        shops.push(start());
        if kill % 50 == 0 {
            progress(&format!(
                "kill {kill} of {}: {} orders, {} arrivals",
                plan.kills,
                said.count(),
                receiver.count()
            ));
        }
    }
    for shop in &shops {
        shop.stop_writing().await;
    }
    // No shop writes any more: what is committed stays as it is, and what a dead one had leased is attempted
    // again when its lease has ended.
    let began = Instant::now();
    let mut kept = shop::orders(url).await;
    let accepted = || -> BTreeSet<String> {
        let arrivals = receiver.arrivals();
        arrivals.iter().filter(|one| one.accepted().is_some()).map(|one| one.object.clone()).collect()
    };
    while began.elapsed() < Duration::from_mins(2) && !kept.is_subset(&accepted()) {
        sleep(Duration::from_millis(200)).await;
        kept = shop::orders(url).await;
    }
    // What should not come has the time to come.
    sleep(Duration::from_secs(2)).await;
    drop(shops);

    let arrived: BTreeSet<String> = receiver.arrivals().into_iter().map(|one| one.object).collect();
    let (said, accepted) = (said.take(), accepted());
    let mut report =
        Report::new(format!("kills of a service with its own transactions on {engine:?}"), plan.seed);
    report.shown("kills", plan.kills);
    report.shown("orders committed", kept.len());
    report.shown("attempts that arrived", receiver.count());
    report.most("lost: committed, and no receiver accepted it", kept.difference(&accepted).count(), 0);
    report.most("phantom: arrived, and is not committed", arrived.difference(&kept).count(), 0);
    report.most("gone: said to be committed, and is not", said.difference(&kept).count(), 0);
    report
}

/// The orders that shops said were committed.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<BTreeSet<String>>>);

impl Said {
    fn add(&self, order: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(order);
    }

    fn count(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn take(&self) -> BTreeSet<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A running shop; killed when it is dropped.
struct Shop(Mutex<Child>);

impl Shop {
    fn start(command: &std::path::Path, url: &str, number: u32, said: &Said) -> Self {
        let mut shop = Command::new(command);
        shop.args(["embedder", "shop", "--url", url, "--number", &number.to_string()]);
        let mut child = shop.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let (lines, said) = (BufReader::new(child.stdout.take().expect("piped")), said.clone());
        // The thread ends with the process, and has read by then all that the process wrote.
        std::thread::spawn(move || lines.lines().map_while(Result::ok).for_each(|order| said.add(order)));
        Self(Mutex::new(child))
    }

    /// It places no more orders, and goes on delivering.
    async fn stop_writing(&self) {
        drop(self.0.lock().unwrap_or_else(PoisonError::into_inner).stdin.take());
        // Transactions under way end meanwhile.
        sleep(Duration::from_secs(1)).await;
    }
}

impl Drop for Shop {
    fn drop(&mut self) {
        let child = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        // SIGKILL; what has ended already needs none.
        drop(child.kill());
        drop(child.wait());
    }
}

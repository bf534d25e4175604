//! `kill -9` under load: nothing acknowledged is lost, and what repeats was under way.
//!
//! Clients create contacts, each request with a key and repeated until its end is known. A receiver with three
//! subscriptions answers mostly at once, sometimes late, sometimes with a failure. At random moments a server is
//! killed and started again: the only one on SQLite, one of two on PostgreSQL. When all is delivered, what was
//! acknowledged, what is stored and what arrived are laid beside each other. Beside them others upload files, import
//! statements, reconcile movements and sign envelopes, see `deeds`.

use std::path::Path;
use std::time::Duration;

use svc_storage_seaorm::{Database, Settings};
use svc_testkit::fakes::SeededRandom;

use super::deeds::Deeds;
use super::fleet::Fleet;
pub use super::fleet::Plan;
use super::renamer::Renamer;
use super::{
    Engine, Evidence, Fault, Manner, Pace, Receiver, Report, Site, Task, Writers, progress, settled,
    subscribe,
};

const SUBSCRIPTIONS: u16 = 3;
/// No kill comes before so many changes were acknowledged since the one before.
const LOAD: usize = 10;

/// Runs it on a new SQLite file.
pub async fn on_sqlite(server: &Path, plan: Plan) -> Report {
    let site = Site::sqlite(server);
    let url = site.url.clone();
    let mut report = run(site, Engine::Sqlite, plan, async |report: &mut Report| {
        let settings = Settings::new(url, Site::keys());
        let database = Database::open_read_only(&settings).await.expect("the file opens");
        let damage = database.integrity().await.expect("it is read");
        report.so("the file is whole (integrity_check, foreign_key_check)", damage.is_empty());
        for line in damage {
            report.shown("damage", line);
        }
        database.close().await;
    })
    .await;
    report.run = format!("kills on SQLite: {} of one server", plan.kills);
    report
}

/// Runs it on a PostgreSQL database, with two servers.
pub async fn on_postgres(server: &Path, url: &str, plan: Plan) -> Report {
    let site = Site::postgres(server, url);
    let mut report = run(site, Engine::Postgres, plan, async |_: &mut Report| ()).await;
    report.run = format!("kills on PostgreSQL: {} of two servers", plan.kills);
    report
}

async fn run(site: Site, engine: Engine, plan: Plan, examine: impl AsyncFnOnce(&mut Report)) -> Report {
    let site = Deeds::equip(site)
        .with("SVC_WEBHOOKS__RETRY_WAITS", "200ms,500ms,2s,5s,20s")
        .with("SVC_WEBHOOKS__TIMEOUT", "2s");
    let token = site.bootstrap().await;
    let manner = Manner { failing: 3, slow: 10, slowly: Duration::from_millis(60), held: None };
    let receiver = Receiver::open(manner, plan.seed).await;
    let mut fleet = Fleet::start(&site, engine).await;
    let urls = receiver.urls(SUBSCRIPTIONS);
    let subscriptions = subscribe(fleet.first().api, &token, &["contact.create"], urls).await;

    let up = fleet.up.subscribe();
    let pace = Pace { writers: plan.writers, every: None, keyed: true };
    let writers = Writers::start(&token, &Task::contacts(), pace, &up, plan.seed);
    let chosen = subscriptions.first().expect("there is one");
    let renamer = Renamer::start(&token, chosen, up.clone());
    let deeds = Deeds::start(&site, fleet.first().api, &token, up, plan).await;
    let random = SeededRandom::new(plan.seed);
    let mut faults = Vec::new();
    for kill in 1..=plan.kills {
        // On a machine that does much else the servers are to be at work first.
        let before = writers.acknowledged();
        super::until("changes since the last kill", async || writers.acknowledged() >= before + LOAD).await;
        let mut open = Default::default();
        let killed = fleet.kill_one(&plan, &random, |began| open = receiver.open_at(began)).await;
        let (name, began, ended) = killed;
        faults.push(Fault { span: (began, ended), sender: Some(name), open });
        if kill % 10 == 0 {
            let (made, arrived) = (writers.acknowledged(), receiver.count());
            progress(&format!("kill {kill} of {}: {made} changes, {arrived} arrivals", plan.kills));
        }
    }
    // What is written after the last kill arrives too.
    let before = writers.acknowledged();
    super::until("a change after the last kill", async || writers.acknowledged() > before).await;
    let (kept, audited) = (writers.stop().await, renamer.stop().await);
    progress("the clients finish what they began, and jobs of killed servers are waited for");
    let done = deeds.stop().await;
    let mut report = Report::new("kills", plan.seed);
    report.shown("kills", faults.len());
    done.judge(fleet.first().api, &token, &mut report).await;
    settled(fleet.first()).await;

    let stored = Evidence::stored(fleet.first().api, &token).await;
    let verified = site.json(&["audit", "verify"]).await;
    fleet.stop().await;
    let arrivals = receiver.arrivals();
    Evidence { kept, stored, arrivals, subscriptions: SUBSCRIPTIONS, faults, slack: 0 }.report(&mut report);
    report.shown("audited changes acknowledged", audited);
    report.least("records of the audit log", records(&verified), audited);
    report.so("the audit log verifies", verified.get("ok").is_some_and(|ok| ok == true));
    done.collect(&site, &mut report).await;
    examine(&mut report).await;
    report
}

/// How many records of the audit log fit, in all companies.
fn records(verified: &serde_json::Value) -> u64 {
    let companies = verified.get("items").and_then(serde_json::Value::as_array).into_iter().flatten();
    companies.filter_map(|company| company.get("records")?.as_u64()).sum()
}

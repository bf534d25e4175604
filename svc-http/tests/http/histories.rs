//! Random histories of sales, purchases and books over the API, on both engines: whatever is done in whatever order, what is
//! kept agrees with itself, and each change is told once (invariants I-01 to I-14, I-19, I-23 and I-24).

mod ages;
mod agreement;
mod closing;
mod purchases;
mod sales;

use std::collections::BTreeMap;
use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use svc_testkit::fakes::SeededRandom;
use svc_testkit::property::values;

use crate::billing::office::Office;
use crate::storage;
use crate::test_app::{Answer, TestApp, Want};

/// Steps of a history.
const STEPS: usize = 60;

/// A company, and what its history has made so far.
struct History {
    office: Office,
    random: SeededRandom,
    supplier: String,
    /// Sales documents, supplier documents, journal entries and fixed assets, by their ids.
    sales: Vec<String>,
    bought: Vec<String>,
    entries: Vec<String>,
    assets: Vec<String>,
    /// The day up to which the books are locked, and what they said up to then.
    locked: Option<(String, String)>,
    /// The lines of each posted entry, as they were first seen.
    posted: BTreeMap<String, Value>,
    /// Events that were told before the present step.
    told: usize,
    count: usize,
    tally: BTreeMap<(&'static str, u16), usize>,
}

#[tokio::test]
async fn what_is_kept_agrees_with_itself_after_any_history() {
    let (numbers, seed) = values(&(0..u64::MAX), 3);
    let mut tally = BTreeMap::new();
    for number in numbers {
        play(TestApp::new().await, number, &mut tally).await;
    }
    report("SQLite", &tally, &seed);
}

#[tokio::test]
async fn what_is_kept_agrees_with_itself_after_any_history_on_postgresql() {
    let (numbers, seed) = values(&(0..u64::MAX), 2);
    let mut tally = BTreeMap::new();
    for number in numbers {
        let Some(database) = storage::postgres().await else { return };
        play(TestApp::on(database).await, number, &mut tally).await;
    }
    report("PostgreSQL", &tally, &seed);
}

#[expect(clippy::print_stdout, reason = "the run tells how far it went")]
fn report(engine: &str, tally: &BTreeMap<(&'static str, u16), usize>, seed: &impl std::fmt::Display) {
    let steps: usize = tally.values().sum();
    let refused: usize = tally.iter().filter(|((_, status), _)| *status >= 400).map(|(_, count)| count).sum();
    println!(
        "histories on {engine}: {steps} steps, {refused} refused, differences 0, seed {seed}; {tally:?}"
    );
}

async fn play(app: TestApp, number: u64, tally: &mut BTreeMap<(&'static str, u16), usize>) {
    let office = Office::of(app, Want::default()).await;
    let supplier = json!({"contact": {"kind": "organization", "legalName": "Papelería Mar SL", "taxId": "A58818501",
        "address": {"line1": "Calle Menor 2", "city": "Madrid", "postalCode": "28013", "country": "ES"}}});
    let supplier = office.client.post("/suppliers", &supplier).await.ok(201).id();
    let told = office.events("").await.len();
    let mut history = History {
        office,
        random: SeededRandom::new(number),
        supplier,
        sales: Vec::new(),
        bought: Vec::new(),
        entries: Vec::new(),
        assets: Vec::new(),
        locked: None,
        posted: BTreeMap::new(),
        told,
        count: 0,
        tally: BTreeMap::new(),
    };
    for step in 1..=STEPS {
        history.step().await;
        if step % 15 == 0 {
            history.agrees().await;
        }
    }
    history.close().await;
    for (what, count) in history.tally {
        *tally.entry(what).or_default() += count;
    }
}

impl History {
    async fn step(&mut self) {
        if self.below(8) == 0 {
            self.office.app.clock.advance(Duration::from_hours(20));
        }
        match self.below(12) {
            0..=4 => self.sell().await,
            5..=7 => self.buy().await,
            8 | 9 => self.keep_books().await,
            10 => self.keep_assets().await,
            _ => self.lock().await,
        }
    }

    /// Sends a request. One that is done tells exactly these events, causes before what comes of them; one that is refused tells none, and changes nothing
    /// that is posted.
    async fn act(
        &mut self,
        what: &'static str,
        method: Method,
        path: &str,
        body: &Value,
        events: &[&str],
    ) -> Answer {
        let before = self.office.client.get(&self.office.books("/verification")).await.ok(200).text;
        let written = if body.is_null() { String::new() } else { body.to_string() };
        let answer = self.office.client.send(method, path, &[], written).await;
        let status = answer.status.as_u16();
        *self.tally.entry((what, status)).or_default() += 1;
        let told: Vec<_> = self.office.events("").await.split_off(self.told);
        self.told += told.len();
        let place = format!("{what}: {path} {body} was answered {}", answer.text);
        if answer.status.is_success() {
            assert_eq!(told, events, "{place}");
        } else {
            assert!(matches!(status, 409 | 422), "{place}");
            assert_eq!(told, Vec::<String>::new(), "{place}");
            let after = self.office.client.get(&self.office.books("/verification")).await.ok(200).text;
            assert_eq!(before, after, "{place}");
        }
        answer
    }

    async fn keep_books(&mut self) {
        const POSTED: [&str; 2] = ["journal_entry.create", "journal_entry.post"];
        const REVERSED: [&str; 3] = ["journal_entry.create", "journal_entry.post", "journal_entry.update"];
        let path = self.office.books("/journal-entries");
        if self.entries.is_empty() || self.below(2) == 0 {
            let (amount, off) = (self.cents(50_000), self.below(6) == 0);
            let (post, date) = (self.below(3) > 0, self.day());
            let credit = if off { "0.01".to_owned() } else { amount.clone() };
            let body = json!({"date": date, "description": "Rent", "post": post, "lines": [
                {"accountCode": "6210000", "debit": amount}, {"accountCode": "5720000", "credit": credit}]});
            let answer = self
                .act("entry", Method::POST, &path, &body, if post { &POSTED } else { &POSTED[..1] })
                .await;
            self.entries.extend(answer.status.is_success().then(|| answer.id()));
            return;
        }
        let one = format!("{path}/{}", self.pick(&self.entries));
        match self.below(3) {
            0 => drop(self.act("post", Method::POST, &format!("{one}/post"), &json!({}), &POSTED[1..]).await),
            1 => drop(
                self.act("reverse", Method::POST, &format!("{one}/reverse"), &json!({}), &REVERSED).await,
            ),
            _ => {
                let answer = self
                    .act("delete entry", Method::DELETE, &one, &json!({}), &["journal_entry.delete"])
                    .await;
                if answer.status.is_success() {
                    self.entries.retain(|id| !one.ends_with(id.as_str()));
                }
            }
        }
    }

    async fn keep_assets(&mut self) {
        let path = self.office.books("/fixed-assets");
        if self.assets.len() < 3 {
            let body = json!({"name": "Van", "assetClass": "vehicles", "acquisitionDate": "2025-01-01",
                "cost": self.cents(900_000), "residualValue": "1.00", "frequency": "monthly", "activate": true});
            let answer = self.act("asset", Method::POST, &path, &body, &["fixed_asset.create"]).await;
            self.assets.extend(answer.status.is_success().then(|| answer.id()));
            return;
        }
        if self.below(2) == 0 {
            let body = json!({"through": self.day(), "post": true});
            let run = self.office.client.post(&format!("{path}/depreciation-runs"), &body).await;
            assert!(run.status.is_success() || run.status == 409, "{}", run.text);
            // How much it writes is looked at in the plans.
            self.told = self.office.events("").await.len();
            *self.tally.entry(("depreciate", run.status.as_u16())).or_default() += 1;
            return;
        }
        let one = format!("{path}/{}", self.pick(&self.assets));
        let body = json!({"name": format!("Van {}", self.next())});
        self.act("rename asset", Method::PATCH, &one, &body, &["fixed_asset.update"]).await;
    }

    /// Locks the books up to some day, or opens them; what is locked stays as it is.
    async fn lock(&mut self) {
        let day = (self.below(2) == 0).then(|| self.day());
        let path = self.office.books("");
        self.office.client.patch(&path, &[], &json!({ "lockDate": day })).await.ok(200);
        self.locked = match day {
            Some(day) => Some((day.clone(), self.said(&day).await)),
            None => None,
        };
    }

    /// What the books say up to a day.
    async fn said(&self, day: &str) -> String {
        let path = format!("/reports/trial-balance?from=2025-01-01&to={day}");
        self.office.client.get(&self.office.books(&path)).await.ok(200).text
    }

    fn below(&self, bound: usize) -> usize {
        usize::try_from(self.random.next_u64() % bound as u64).unwrap()
    }

    fn pick(&self, from: &[String]) -> String {
        from[self.below(from.len())].clone()
    }

    /// An amount from a cent up.
    fn cents(&self, bound: usize) -> String {
        let cents = 1 + self.below(bound);
        format!("{}.{:02}", cents / 100, cents % 100)
    }

    /// A day of the two months before the clock began.
    fn day(&self) -> String {
        format!("2025-{:02}-{:02}", 1 + self.below(2), 1 + self.below(28))
    }

    fn next(&mut self) -> usize {
        self.count += 1;
        self.count
    }
}

//! Statements that overlap, in any order and any split, on both engines (invariant I-16).

use std::collections::BTreeMap;

use serde_json::json;
use svc_testkit::fakes::SeededRandom;
use svc_testkit::property::values;

use super::statement::{IBAN, N43};
use super::{ACCOUNTS, send};
use crate::billing::office::Office;
use crate::storage;
use crate::test_app::{TestApp, Want};

/// What the account really did: so few texts and amounts that many movements of a day are equal.
const TEXTS: [&str; 3] = ["CAFE", "RECIBO LUZ", "TRANSFERENCIA ABETO"];
const CENTS: [i64; 4] = [-180, -8_010, 121_000, 180];
const DAYS: usize = 20;

type Movement = (String, i64, &'static str);

#[tokio::test]
async fn overlapping_statements_bring_each_movement_once() {
    let (numbers, seed) = values(&(0..u64::MAX), 4);
    let mut told = Tally::default();
    for number in numbers {
        play(TestApp::new().await, number, &mut told).await;
    }
    told.report("SQLite", &seed);
}

#[tokio::test]
async fn overlapping_statements_bring_each_movement_once_on_postgresql() {
    let (numbers, seed) = values(&(0..u64::MAX), 2);
    let mut told = Tally::default();
    for number in numbers {
        let Some(database) = storage::postgres().await else { return };
        play(TestApp::on(database).await, number, &mut told).await;
    }
    told.report("PostgreSQL", &seed);
}

#[derive(Default)]
struct Tally {
    statements: usize,
    lines: usize,
    movements: usize,
}

impl Tally {
    #[expect(clippy::print_stdout, reason = "the run tells how far it went")]
    fn report(&self, engine: &str, seed: &impl std::fmt::Display) {
        let Self { statements, lines, movements } = self;
        println!(
            "overlapping statements on {engine}: {statements} with {lines} lines about {movements} movements, \
             differences 0, seed {seed}"
        );
    }
}

async fn play(app: TestApp, number: u64, tally: &mut Tally) {
    let Office { app, client, .. } = Office::of(app, Want::default()).await;
    let bank = json!({"name": "Cuenta principal", "type": "bank", "iban": IBAN});
    let account = client.post(ACCOUNTS, &bank).await.ok(201).id();
    let random = SeededRandom::new(number);
    let below = |bound: usize| usize::try_from(random.next_u64() % bound as u64).unwrap();
    let days: Vec<Vec<Movement>> = (1..=DAYS)
        .map(|day| {
            let day = format!("2501{day:02}");
            (0..below(6)).map(|_| (day.clone(), CENTS[below(CENTS.len())], TEXTS[below(3)])).collect()
        })
        .collect();
    let mut created = 0;
    let mut covered = [false; DAYS];
    while covered.contains(&false) {
        let from = below(DAYS);
        let to = (from + below(7)).min(DAYS - 1);
        covered[from..=to].fill(true);
        let lines: Vec<_> = days[from..=to].iter().flatten().collect();
        let opening = days[..from].iter().flatten().map(|(_, cents, _)| *cents).sum();
        let (first, last) = (format!("2501{:02}", from + 1), format!("2501{:02}", to + 1));
        let statement = N43 { opening, from: &first, to: &last };
        let movements: Vec<_> =
            lines.iter().map(|(day, cents, text)| (day.as_str(), *cents, *text)).collect();
        let import = send(&app, &client, &account, statement.with(&movements)).await;
        assert!(import.status.is_success(), "{}", import.text);
        // One that came before tells what it brought then.
        if import.status == 201 {
            created += import.json["created"].as_u64().unwrap();
        }
        tally.statements += 1;
        tally.lines += lines.len();
    }
    let wanted = counted(days.iter().flatten().cloned());
    let list = client.get(&format!("{}?limit=200", super::MOVEMENTS)).await.ok(200).json;
    let items = list["items"].as_array().unwrap();
    let text = |item: &serde_json::Value, member: &str| item[member].as_str().unwrap().to_owned();
    let kept = counted(items.iter().map(|item| {
        let day = text(item, "bookingDate").replace('-', "");
        let cents = text(item, "amount").replace('.', "").parse().unwrap();
        let text = TEXTS.into_iter().find(|known| item["description"] == *known).unwrap();
        (day[2..].to_owned(), cents, text)
    }));
    assert_eq!(kept, wanted, "seed {number}");
    assert_eq!(list["total"], created);
    tally.movements += items.len();
}

fn counted(movements: impl Iterator<Item = Movement>) -> BTreeMap<Movement, usize> {
    let mut counts = BTreeMap::new();
    for movement in movements {
        *counts.entry(movement).or_default() += 1;
    }
    counts
}

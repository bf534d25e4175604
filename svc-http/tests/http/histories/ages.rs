//! What is open with contacts, computed anew from all the entries: what was paid settles what was due first.

use std::collections::BTreeMap;

use serde_json::Value;
use time::format_description::well_known::Iso8601;
use time::{Date, macros::date};

use super::History;
use super::agreement::{cents, list};

/// Where the buckets of the reports end.
const ENDS: [i64; 2] = [30, 60];

impl History {
    pub(super) async fn ages_agree(&self, entries: &BTreeMap<String, Value>) {
        for as_of in [date!(2025 - 02 - 15), date!(2025 - 06 - 30), date!(2025 - 12 - 31)] {
            for (name, groups, sign) in
                [("receivables", ["43"].as_slice(), 1), ("payables", ["40", "41"].as_slice(), -1)]
            {
                let path = format!("/reports/aged-{name}?asOf={as_of}&buckets=30,60");
                let report = self.get(&self.office.books(&path)).await;
                let told: BTreeMap<_, _> = list(&report, "contacts")
                    .iter()
                    .map(|of| (of["contactId"].to_string(), ages(of)))
                    .collect();
                assert_eq!(told, wanted(entries, as_of, groups, sign), "{name} of {as_of}");
            }
        }
    }
}

/// What is not due, and what is in each bucket.
fn ages(of: &Value) -> Vec<i64> {
    std::iter::once(&of["notDue"]).chain(list(of, "overdue")).map(cents).collect()
}

fn day(text: &Value) -> Date {
    Date::parse(text.as_str().unwrap(), &Iso8601::DATE).unwrap()
}

/// Whether an entry closes a year or opens the next one, or undoes one that does.
fn ends_a_year(entries: &BTreeMap<String, Value>, entry: &Value) -> bool {
    let undone = entry["reversesId"].as_str().map(|id| &entries[id]);
    let kind = undone.unwrap_or(entry)["kind"].as_str();
    matches!(kind, Some("regularisation" | "closing" | "opening"))
}

fn wanted(
    entries: &BTreeMap<String, Value>,
    as_of: Date,
    groups: &[&str],
    sign: i64,
) -> BTreeMap<String, Vec<i64>> {
    let mut contacts = BTreeMap::<_, Vec<(Date, i64)>>::new();
    let counts = |entry: &&Value| entry["status"] != "draft" && day(&entry["date"]) <= as_of;
    for entry in entries.values().filter(counts).filter(|entry| !ends_a_year(entries, entry)) {
        for line in list(entry, "lines") {
            let code = line["accountCode"].as_str().unwrap();
            if groups.iter().any(|group| code.starts_with(group)) {
                let due = if line["dueDate"].is_null() { &entry["date"] } else { &line["dueDate"] };
                let amount = sign * (cents(&line["debit"]) - cents(&line["credit"]));
                contacts.entry(line["contactId"].to_string()).or_default().push((day(due), amount));
            }
        }
    }
    let mut ages = BTreeMap::new();
    for (contact, mut moves) in contacts {
        moves.sort_unstable();
        let mut paid: i64 = moves.iter().map(|(_, amount)| (-amount).max(0)).sum();
        let mut open = vec![0; ENDS.len() + 2];
        let mut add = |due: Date, amount: i64| {
            let late = (as_of - due).whole_days();
            let bucket = if late > 0 { 1 + ENDS.iter().filter(|end| late > **end).count() } else { 0 };
            open[bucket] += amount;
        };
        let mut is_open = false;
        for (due, charged) in moves.iter().filter(|(_, amount)| *amount > 0) {
            let settled = paid.min(*charged);
            paid -= settled;
            is_open |= settled < *charged;
            add(*due, charged - settled);
        }
        if let Some((due, _)) = moves.iter().rfind(|(_, amount)| *amount < 0) {
            add(*due, -paid);
        }
        if is_open || paid > 0 {
            ages.insert(contact, open);
        }
    }
    ages
}

//! Invoices, quotes and drafts, and what is paid of them.

use serde_json::{Value, json};
use time::Date;

use super::chance::Chance;
use super::line::line;
use super::payment::{Habit, settle};
use super::tally::Tally;
use super::words::SOLD;
use super::year::Year;
use crate::commands::demo::api::Api;
use crate::commands::demo::story::id;
use crate::failure::Failure;

const SEED: u64 = 2;

const PAID: Habit = Habit {
    methods: &["transfer", "transfer", "direct_debit", "card"],
    days: 50,
    due: 85,
    early: 20,
    part: 7,
    count: |counts, whole| if whole { counts.invoices_paid += 1 } else { counts.invoices_part_paid += 1 },
};

/// What a document is to become.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Invoice,
    Quote,
    Draft,
}

/// Writes so many documents in the order of their days, so that numbers follow days.
pub(super) async fn write(
    api: &Api,
    customers: &[String],
    year: &Year,
    count: u32,
    tally: &Tally,
) -> Result<(), Failure> {
    let mut chance = Chance::of(SEED);
    let mut payment = None;
    for index in 0..count {
        let fate = Fate::of(index);
        let day = year.day(index, count);
        let body = document(&mut chance, customers, year, fate, day);
        let (written, ()) =
            tokio::try_join!(api.post("/billing", &body), settle(api, payment.take(), tally))?;
        tally.add(|counts| {
            counts.documents += 1;
            match fate {
                Fate::Invoice => counts.invoices += 1,
                Fate::Quote => counts.quotes += 1,
                Fate::Draft => counts.drafts += 1,
            }
        });
        if fate == Fate::Invoice {
            let path = format!("/billing/{}", id(&written)?);
            payment = PAID.payment(&mut chance, year, (&path, &written), day)?;
        }
    }
    settle(api, payment, tally).await
}

impl Fate {
    fn of(index: u32) -> Self {
        match index % 20 {
            7 => Self::Quote,
            13 => Self::Draft,
            _ => Self::Invoice,
        }
    }
}

fn document(chance: &mut Chance, customers: &[String], year: &Year, fate: Fate, day: Date) -> Value {
    let kind = match fate {
        Fate::Quote => "quote",
        Fate::Invoice | Fate::Draft => "invoice",
    };
    let lines: Vec<_> = (0..chance.within(1, 5)).map(|_| line(chance, &SOLD)).collect();
    let mut document = json!({"docType": kind, "contactId": chance.favourite(customers), "issueDate": day.to_string(),
        "lines": lines, "issue": fate != Fate::Draft});
    let mut add = |name: &str, value: Value| {
        document.as_object_mut().and_then(|all| all.insert(name.to_owned(), value))
    };
    if chance.holds(15) {
        add("discount", json!({"type": "percent", "value": "5"}));
    }
    if fate == Fate::Quote {
        // One that no longer holds would expire, and tell of it, when the day of the company comes.
        add("dueDate", json!(year.in_a_month().to_string()));
    }
    document
}

//! Invoices, quotes and drafts, and what is paid of them.

use serde_json::{Value, json};
use time::Date;

use super::chance::Chance;
use super::tally::Tally;
use super::words::{Item, SOLD};
use super::year::Year;
use crate::commands::demo::api::Api;
use crate::commands::demo::calendar::date;
use crate::commands::demo::story::{id, text};
use crate::failure::Failure;

const SEED: u64 = 2;

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
    for index in 0..count {
        let fate = match index % 20 {
            7 => Fate::Quote,
            13 => Fate::Draft,
            _ => Fate::Invoice,
        };
        let day = year.day(index, count);
        let written = api.post("/billing", &document(&mut chance, customers, fate, day)).await?;
        tally.add(|counts| {
            counts.documents += 1;
            match fate {
                Fate::Invoice => counts.invoices += 1,
                Fate::Quote => counts.quotes += 1,
                Fate::Draft => counts.drafts += 1,
            }
        });
        if fate == Fate::Invoice {
            pay(api, &mut chance, year, &written, day, tally).await?;
        }
    }
    Ok(())
}

fn document(chance: &mut Chance, customers: &[String], fate: Fate, day: Date) -> Value {
    let kind = match fate {
        Fate::Quote => "quote",
        Fate::Invoice | Fate::Draft => "invoice",
    };
    let lines: Vec<_> = (0..chance.within(1, 5)).map(|_| line(chance)).collect();
    let mut document = json!({"docType": kind, "contactId": chance.favourite(customers), "issueDate": day.to_string(),
        "lines": lines, "issue": fate != Fate::Draft});
    if chance.holds(15)
        && let Some(document) = document.as_object_mut()
    {
        document.insert("discount".to_owned(), json!({"type": "percent", "value": "5"}));
    }
    document
}

fn line(chance: &mut Chance) -> Value {
    let Item { description, unit, kind, price, most } = chance.one(&SOLD);
    let cents = chance.within(price.0, price.1);
    json!({"description": description, "unit": unit, "itemType": kind, "unitPrice": amount(cents.into()),
        "quantity": chance.within(1, *most).to_string()})
}

/// Most invoices that are due are paid, some in part; of the others some are paid at once.
async fn pay(
    api: &Api,
    chance: &mut Chance,
    year: &Year,
    issued: &Value,
    day: Date,
    tally: &Tally,
) -> Result<(), Failure> {
    let due_date = date(&text(issued, "/dueDate")?)?;
    let (share, days) = (chance.below(100), i64::from(chance.below(50)));
    let method = *chance.one(&["transfer", "transfer", "direct_debit", "card"]);
    let most = if year.is_past(due_date, 1) { 85 } else { 20 };
    let whole = share < most;
    if share >= most + 7 {
        return Ok(());
    }
    let due = text(issued, "/totals/due")?;
    let paid = if whole { due } else { half(&due) };
    let payment = json!({"amount": paid, "date": year.after(day, days).to_string(), "method": method});
    api.post(&format!("/billing/{}/payments", id(issued)?), &payment).await?;
    tally.add(|counts| if whole { counts.invoices_paid += 1 } else { counts.invoices_part_paid += 1 });
    Ok(())
}

/// Cents as a decimal string.
pub(super) fn amount(cents: u64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

/// Half of an amount, to the cent, not nothing.
pub(super) fn half(of: &str) -> String {
    let cents: String = of.chars().filter(char::is_ascii_digit).collect();
    amount(cents.parse::<u64>().unwrap_or_default().div_ceil(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_an_amount_is_rounded_up_to_the_cent() {
        assert_eq!(["0.01", "1210.00", "3.33"].map(half), ["0.01", "605.00", "1.67"]);
    }
}

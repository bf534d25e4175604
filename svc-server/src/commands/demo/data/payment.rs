//! Payments: most documents that are due are paid, some in part.
//!
//! A document is paid while the next one is written: the two do not wait for each other.

use serde_json::{Value, json};
use time::Date;

use super::chance::Chance;
use super::line::amount;
use super::tally::{Counts, Tally};
use super::year::Year;
use crate::commands::demo::api::Api;
use crate::commands::demo::calendar::date;
use crate::commands::demo::story::text;
use crate::failure::Failure;

/// What is going to be paid of a document.
pub(super) struct Payment {
    path: String,
    body: Value,
    /// Whether all of it is.
    whole: bool,
    count: fn(&mut Counts, bool),
}

/// How documents of a kind are paid.
#[derive(Clone, Copy)]
pub(super) struct Habit {
    pub(super) methods: &'static [&'static str],
    /// Days from the issue to the payment, at most.
    pub(super) days: u32,
    /// Of a hundred that are due, so many are paid.
    pub(super) due: u32,
    /// Of a hundred that are not.
    pub(super) early: u32,
    /// Of a hundred, so many more are paid in part.
    pub(super) part: u32,
    /// Counts a payment, of the whole or not.
    pub(super) count: fn(&mut Counts, bool),
}

impl Habit {
    /// What of the document at `path`, of that day, is paid; `None` when nothing is.
    pub(super) fn payment(
        self,
        chance: &mut Chance,
        year: &Year,
        (path, document): (&str, &Value),
        day: Date,
    ) -> Result<Option<Payment>, Failure> {
        let is_due = date(&text(document, "/dueDate")?)? < year.today;
        let (share, days) = (chance.below(100), chance.below(self.days));
        let method = *chance.one(self.methods);
        let most = if is_due { self.due } else { self.early };
        if share >= most + self.part {
            return Ok(None);
        }
        let whole = share < most;
        let due = text(document, "/totals/due")?;
        let paid = if whole { due } else { half(&due) };
        let paid_on = year.after(day, days.into()).to_string();
        let body = json!({"amount": paid, "date": paid_on, "method": method});
        Ok(Some(Payment { path: format!("{path}/payments"), body, whole, count: self.count }))
    }
}

/// Pays, if there is something to pay.
pub(super) async fn settle(api: &Api, payment: Option<Payment>, tally: &Tally) -> Result<(), Failure> {
    let Some(Payment { path, body, whole, count }) = payment else { return Ok(()) };
    api.post(&path, &body).await?;
    tally.add(|counts| count(counts, whole));
    Ok(())
}

/// Half of an amount, to the cent, not nothing.
fn half(of: &str) -> String {
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

//! The days of the present fiscal year, up to today.

use serde_json::Value;
use time::{Date, Duration};

use crate::commands::demo::api::Api;
use crate::commands::demo::calendar::{date, month_of};
use crate::commands::demo::story::text;
use crate::failure::Failure;

/// The present fiscal year of the company.
pub(super) struct Year {
    first: Date,
    /// By the company's calendar.
    pub(super) today: Date,
}

impl Year {
    pub(super) async fn present(api: &Api) -> Result<Self, Failure> {
        // A report that is not told a day is of today.
        let sheet = api.get(&api.books("/reports/balance-sheet")).await?;
        let today = date(&text(&sheet, "/asOf")?)?;
        let years = api.get(&api.books("/fiscal-years")).await?;
        let years = years.get("items").and_then(Value::as_array);
        let starts = years.into_iter().flatten().map(|year| date(&text(year, "/startDate")?));
        let starts = starts.collect::<Result<Vec<_>, Failure>>()?;
        let first = starts.into_iter().filter(|start| *start <= today).max();
        let missing = || Failure::new("demo_call_failed", "the books have no fiscal year of today");
        Ok(Self { first: first.ok_or_else(missing)?, today })
    }

    /// The day of number `index` of `count` that are spread over the year so far, in order.
    pub(super) fn day(&self, index: u32, count: u32) -> Date {
        let days = (self.today - self.first).whole_days().saturating_add(1);
        let past = days.saturating_mul(i64::from(index)) / i64::from(count.max(1));
        self.after(self.first, past)
    }

    /// So many days later, but not after today.
    pub(super) fn after(&self, day: Date, days: i64) -> Date {
        day.checked_add(Duration::days(days)).unwrap_or(self.today).min(self.today)
    }

    /// Thirty days from today.
    pub(super) fn in_a_month(&self) -> Date {
        self.today.saturating_add(Duration::days(30))
    }

    /// The last day of the present month.
    pub(super) fn month_end(&self) -> Date {
        month_of(self.today).1
    }
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    #[test]
    fn days_are_in_order_from_the_first_to_today() {
        let year = Year { first: date!(2025 - 01 - 01), today: date!(2025 - 03 - 31) };
        let days: Vec<_> = (0..90).map(|index| year.day(index, 90)).collect();
        assert_eq!((days[0], days[89]), (year.first, year.today));
        assert!(days.is_sorted());
        assert_eq!(year.after(date!(2025 - 03 - 20), 30), year.today);
        assert_eq!(year.month_end(), date!(2025 - 03 - 31));
    }

    #[test]
    fn on_its_first_day_a_year_has_that_day_alone() {
        let year = Year { first: date!(2025 - 01 - 01), today: date!(2025 - 01 - 01) };
        assert_eq!([year.day(0, 2), year.day(1, 2)], [year.today; 2]);
    }
}

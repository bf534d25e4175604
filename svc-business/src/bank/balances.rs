//! What there was day by day.

use svc_core::money::{Amount, MoneyError};
use time::Date;

/// The balance at the end of each day from the first to the last one, of which the last balance is known, and how much
/// each day changed; days that are not named changed nothing.
///
/// # Errors
/// [`MoneyError`] when a balance is beyond the range of amounts, or the currencies differ.
pub fn daily_balances(
    (first, last): (Date, Date),
    closing: Amount,
    moved: &[(Date, Amount)],
) -> Result<Vec<(Date, Amount)>, MoneyError> {
    let within = || moved.iter().filter(|(day, _)| (first..=last).contains(day));
    let changed = Amount::sum(within().map(|(_, amount)| *amount), closing.currency())?;
    let mut balance = closing.minus(changed)?;
    let mut days = Vec::new();
    let mut next = Some(first);
    while let Some(day) = next.filter(|day| *day <= last) {
        for (_, amount) in within().filter(|(moved, _)| *moved == day) {
            balance = balance.plus(*amount)?;
        }
        days.push((day, balance));
        next = day.next_day();
    }
    Ok(days)
}

#[cfg(test)]
mod tests {
    use svc_core::money::Currency;
    use time::macros::date;

    use super::*;

    fn euros(minor: i64) -> Amount {
        Amount::from_minor(minor, Currency::EUR).expect("in range")
    }

    #[test]
    fn each_day_has_what_the_days_before_it_left() {
        let moved = [
            (date!(2025 - 01 - 30), euros(999)),
            (date!(2025 - 02 - 01), euros(-50)),
            (date!(2025 - 01 - 31), euros(100)),
            (date!(2025 - 02 - 01), euros(20)),
        ];
        let span = (date!(2025 - 01 - 31), date!(2025 - 02 - 02));
        let days = daily_balances(span, euros(500), &moved).expect("in range");
        let expected = [
            (date!(2025 - 01 - 31), euros(530)),
            (date!(2025 - 02 - 01), euros(500)),
            (date!(2025 - 02 - 02), euros(500)),
        ];
        assert_eq!(days, expected);
        let dollars = Amount::from_minor(1, Currency::from_numeric(840).expect("dollars")).expect("in range");
        assert!(daily_balances(span, dollars, &moved).is_err());
    }
}

//! The entry that settles the VAT of a period.

use svc_core::error::StoreError;
use svc_core::money::{Amount, Currency, MoneyError};
use svc_core::refused::Refused;

use super::{Figures, ReturnRefused, TaxReturn};
use crate::books::account::AccountCode;
use crate::books::book::Book;
use crate::books::default_accounts::Purpose;
use crate::books::entry::{Entry, EntryKind, Movement, Source};
use crate::books::journal::entry_of;
use crate::ports::DynBooksUnit;
use crate::record::Home;

/// The entry on the last day of the period: what was charged (boxes 27 and 77) against what is deducted (45) and what is offset
/// (78), and the difference as VAT that is owed, or due. Of a return that corrects another one whose VAT is `settled`, what
/// they differ by. `None` where all of that is zero.
///
/// # Errors
/// [`ReturnRefused::NoAccount`] when the books name no account for one of them.
pub(super) fn entry(
    home: &Home<'_, DynBooksUnit>,
    book: &Book,
    of: &TaxReturn,
    figures: &Figures,
    settled: Option<&Figures>,
) -> Result<Option<Entry>, Refused<ReturnRefused>> {
    let moved = further(figures, settled).map_err(StoreError::from)?;
    let account =
        |purpose| book.default_accounts.need(purpose).map_err(|missing| Refused::Own(missing.into()));
    let lines =
        moved.into_iter().filter_map(|(purpose, amount)| Some((purpose, Movement::of_balance(amount)?)));
    let lines = lines.map(|(purpose, movement)| Ok((account(purpose)?, None, movement)));
    let lines: Vec<(AccountCode, _, _)> = lines.collect::<Result<_, Refused<ReturnRefused>>>()?;
    if lines.is_empty() {
        return Ok(None);
    }
    let (year, period) = (of.period.year(), of.period.period());
    let text = format!("Liquidación de IVA, {period} de {year}");
    let entry = entry_of(home, EntryKind::Tax, of.period.to(), text, lines);
    Ok(Some(Entry { source: Some(source(of)), ..entry }))
}

/// What the settlement of a return is found by: a return that is submitted again has another one.
fn source(of: &TaxReturn) -> Source {
    let role = format!("settlement-{}", of.submissions.saturating_add(1));
    Source::new("tax_return", &of.id.to_string(), &role).expect("an id and a role are plain")
}

/// What each account moves beyond what was settled.
fn further(figures: &Figures, settled: Option<&Figures>) -> Result<[(Purpose, Amount); 4], MoneyError> {
    let mut all = moved(figures)?;
    let Some(settled) = settled else { return Ok(all) };
    for ((_, amount), (_, before)) in all.iter_mut().zip(moved(settled)?) {
        *amount = amount.minus(before)?;
    }
    Ok(all)
}

/// What each account moves: debits above zero.
fn moved(figures: &Figures) -> Result<[(Purpose, Amount); 4], MoneyError> {
    let amount = |code| figures.amount(code).unwrap_or(Amount::zero(Currency::EUR));
    let charged = amount("27").plus(amount("77"))?;
    let (deducted, offset) = (amount("45"), amount("78"));
    let owed = charged.minus(deducted)?.minus(offset)?;
    let nothing = Amount::zero(Currency::EUR);
    let (payable, receivable) = if owed.minor() > 0 { (owed, nothing) } else { (nothing, owed.negated()) };
    Ok([
        (Purpose::OutputVat, charged),
        (Purpose::InputVat, deducted.negated()),
        (Purpose::VatPayable, payable.negated()),
        (Purpose::VatReceivable, receivable.minus(offset)?),
    ])
}

#[cfg(test)]
mod tests {
    use svc_tax_forms::{BoxValue, Origin, ResultKind, TaxResult};

    use super::*;
    use crate::tax::returns::ReturnBox;

    fn eur(cents: i64) -> Amount {
        Amount::from_minor(cents, Currency::EUR).expect("in range")
    }

    fn figures(boxes: &[(&str, i64)]) -> Figures {
        let of_box = |(code, cents): &(&str, i64)| ReturnBox {
            code: (*code).to_owned(),
            value: BoxValue::Amount(eur(*cents)),
            origin: Origin::Computed,
        };
        Figures {
            at: svc_core::clock::Timestamp::from_unix_micros(0),
            books: 0,
            boxes: boxes.iter().map(of_box).collect(),
            result: TaxResult { kind: ResultKind::Zero, amount: eur(0) },
            warnings: Vec::new(),
            parties: 0,
        }
    }

    fn cents(boxes: &[(&str, i64)]) -> [i64; 4] {
        moved(&figures(boxes)).expect("in range").map(|(_, amount)| amount.minor())
    }

    #[test]
    fn what_is_owed_is_what_was_charged_without_what_is_deducted_and_offset() {
        assert_eq!(cents(&[("27", 1_000), ("45", 400)]), [1_000, -400, -600, 0]);
        assert_eq!(cents(&[("27", 1_000), ("77", 50), ("45", 400), ("78", 100)]), [1_050, -400, -550, -100]);
    }

    #[test]
    fn what_is_due_stays_as_a_claim() {
        assert_eq!(cents(&[("27", 100), ("45", 400)]), [100, -400, 0, 300]);
        assert_eq!(cents(&[]), [0, 0, 0, 0]);
    }

    #[test]
    fn a_correction_settles_what_it_changes() {
        let first = figures(&[("27", 100_000), ("45", 40_000)]);
        let second = figures(&[("27", 100_000), ("45", 38_750), ("70", 60_000)]);
        let cents = |after: &Figures, before: &Figures| {
            further(after, Some(before)).expect("in range").map(|(_, amount)| amount.minor())
        };
        assert_eq!(cents(&second, &first), [0, 1_250, -1_250, 0]);
        assert_eq!(cents(&first, &first), [0, 0, 0, 0]);
        // What was owed is due now: the claim comes in the place of the debt.
        let due = figures(&[("27", 100_000), ("45", 140_000)]);
        assert_eq!(cents(&due, &first), [0, -100_000, 60_000, 40_000]);
    }

    #[test]
    fn every_settlement_balances() {
        for boxes in [[("27", 5), ("45", -7), ("78", 3)], [("27", -5), ("45", 7), ("78", 0)]] {
            assert_eq!(cents(&boxes).iter().sum::<i64>(), 0);
        }
    }
}

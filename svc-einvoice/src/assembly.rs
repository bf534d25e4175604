//! What the readers of EN 16931 in its two forms, UBL and CII, have in common.

use rust_decimal::Decimal;
use svc_core::money::{Amount, MoneyError};

use crate::model::{
    BaseCurrency, Correction, CorrectionMethod, Invoice, Kind, Line, Party, Preceding, TaxCategory, TaxRate,
};
use crate::notes::{self, Note};
use crate::xml::Place;
use crate::{ReadError, ubl};

/// The most lines of a document that are read, and the most taxes, discounts and charges.
///
/// Some steps compare each with each, so without bounds a file of a stranger could keep a processor busy.
const MOST_LINES: usize = 20_000;
const MOST_PARTS: usize = 200;

/// Refuses a document with more lines than any invoice has.
pub(crate) fn bounded_lines(lines: &[Place<'_>]) -> Result<(), ReadError> {
    if lines.len() > MOST_LINES { Err(ReadError::Limit("20,000 lines")) } else { Ok(()) }
}

/// Refuses a document with more taxes, discounts or charges than any invoice has.
pub(crate) fn bounded_parts(count: usize) -> Result<(), ReadError> {
    if count > MOST_PARTS { Err(ReadError::Limit("200 taxes, discounts or charges")) } else { Ok(()) }
}

/// Types of documents whose positive amounts are a credit (BT-3; code list UNTDID 1001).
const CREDITS: [&str; 11] = ["81", "83", "261", "262", "296", "308", "381", "396", "420", "458", "532"];

pub(crate) fn is_credit(type_code: &str) -> bool {
    CREDITS.contains(&type_code)
}

/// The kind that a type code tells; the notes may tell more.
pub(crate) fn kind(type_code: &str, corrects: Vec<Preceding>) -> Kind {
    let corrective =
        |method| Kind::Corrective(Correction { method, reason: None, text: String::new(), corrects });
    match type_code {
        "325" => Kind::Proforma,
        "384" => corrective(CorrectionMethod::Substitution),
        code if is_credit(code) => corrective(CorrectionMethod::Differences),
        _ => Kind::Invoice,
    }
}

/// Takes over what the notes tell, and keeps the others.
pub(crate) fn take_notes(invoice: &mut Invoice, texts: Vec<String>) {
    for text in texts {
        match notes::understood(&text, invoice.currency) {
            Note::Simplified if invoice.kind == Kind::Invoice => invoice.kind = Kind::Simplified,
            Note::Corrective { method, reason, text } => {
                if let Kind::Corrective(correction) = &mut invoice.kind {
                    *correction = Correction { method, reason, text, corrects: correction.corrects.clone() };
                }
            }
            Note::Withheld(withholding) => invoice.withholdings.push(withholding),
            Note::Exchange { rate, currency } => {
                let unknown = BaseCurrency { currency, rate, tax: Amount::zero(currency) };
                invoice.base.get_or_insert(unknown).rate = rate;
            }
            Note::Simplified => invoice.notes.push(text),
            Note::Text(text) => invoice.notes.push(text),
        }
    }
}

/// The rate of a line whose percentage is of the tax and its surcharge together.
pub(crate) fn split_rate(category: TaxCategory, both: Decimal, surcharge_rate: Decimal) -> TaxRate {
    let rate = both.checked_sub(surcharge_rate).filter(|rate| !rate.is_sign_negative());
    rate.map_or(TaxRate::of(category, both), |rate| TaxRate { category, rate, surcharge_rate })
}

/// Splits taxes and adjustments as the lines of their rate are.
pub(crate) fn split_surcharges(invoice: &mut Invoice) -> Result<(), MoneyError> {
    let known: Vec<TaxRate> = invoice.lines.iter().map(|line| line.tax).collect();
    let split = |tax: TaxRate| {
        let same = |known: &&TaxRate| {
            known.category == tax.category && known.rate.checked_add(known.surcharge_rate) == Some(tax.rate)
        };
        known.iter().find(same).copied().unwrap_or(tax)
    };
    for adjustment in invoice.discounts.iter_mut().chain(&mut invoice.charges) {
        adjustment.tax = split(adjustment.tax);
    }
    for tax in &mut invoice.taxes {
        tax.tax = split(tax.tax);
        let exact = tax.base.decimal().checked_mul(tax.tax.surcharge_rate);
        let percent =
            exact.and_then(|exact| exact.checked_div(Decimal::ONE_HUNDRED)).ok_or(MoneyError::Range)?;
        tax.surcharge = Amount::round(percent, invoice.currency)?;
        tax.quota = tax.quota.minus(tax.surcharge)?;
    }
    Ok(())
}

/// Turns the signs of a credit, whose file has positive amounts.
pub(crate) fn turn_signs(invoice: &mut Invoice) {
    let turn = |amount: &mut Amount| *amount = amount.negated();
    for Line { quantity, discount, charge, net, .. } in &mut invoice.lines {
        *quantity = -*quantity;
        [discount, charge, net].into_iter().for_each(turn);
    }
    invoice.discounts.iter_mut().chain(&mut invoice.charges).for_each(|one| turn(&mut one.amount));
    for tax in &mut invoice.taxes {
        [&mut tax.base, &mut tax.quota, &mut tax.surcharge].into_iter().for_each(turn);
    }
    if let Some(base) = &mut invoice.base {
        turn(&mut base.tax);
    }
    let totals = &mut invoice.totals;
    let sums =
        [&mut totals.lines, &mut totals.discount, &mut totals.charge, &mut totals.taxable, &mut totals.tax];
    sums.into_iter().for_each(turn);
    let rest = [&mut totals.total, &mut totals.rounding, &mut totals.paid, &mut totals.due];
    rest.into_iter().for_each(turn);
}

/// What is withheld is a part of what the file says is paid (BT-113), and both make what is payable.
pub(crate) fn settle(invoice: &mut Invoice) -> Result<(), MoneyError> {
    let withheld = Amount::sum(invoice.withholdings.iter().map(|one| one.amount), invoice.currency)?;
    let totals = &mut invoice.totals;
    totals.withholding = withheld;
    totals.paid = totals.paid.minus(withheld)?;
    totals.payable = totals.due.plus(totals.paid)?;
    Ok(())
}

/// A sum of the file that cannot be counted.
pub(crate) fn beyond(place: &Place<'_>) -> impl Fn(MoneyError) -> ReadError {
    let element = place.path.clone();
    move |_| ReadError::Value { element: element.clone(), expected: "amounts that can be counted" }
}

/// Whether a Spanish VAT number is that of a natural person: it begins with a digit, or with K, L, M, X, Y or Z.
pub(crate) fn is_person(party: &Party) -> bool {
    let number = party.vat_number.as_deref().or(party.registration.as_deref()).unwrap_or_default();
    let number = number.strip_prefix("ES").unwrap_or(number);
    let first = number.chars().next().unwrap_or_default();
    party.address.country == "ES" && (first.is_ascii_digit() || "KLMXYZ".contains(first))
}

/// The percentages that the attributes of an item tell: of the surcharge, and of what is withheld.
pub(crate) fn item_attributes(
    places: &[Place<'_>],
    name: &str,
    value: &str,
) -> Result<(Decimal, Decimal), ReadError> {
    let (mut surcharge, mut withholding) = (Decimal::ZERO, Decimal::ZERO);
    for place in places {
        match place.text(name).as_deref() {
            Some(ubl::SURCHARGE) => surcharge = place.decimal(value)?.unwrap_or_default(),
            Some(ubl::WITHHOLDING) => withholding = place.decimal(value)?.unwrap_or_default(),
            _ => {}
        }
    }
    Ok((surcharge, withholding))
}

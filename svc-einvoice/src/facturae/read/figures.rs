//! Taxes, discounts and sums.

use std::mem::take;

use svc_core::money::{Amount, Currency, MoneyError};

use super::lines::rate;
use crate::assembly::{beyond, bounded_parts};
use crate::error::ReadError;
use crate::facturae::codes;
use crate::model::{Adjustment, Invoice, Tax, TaxRate, Totals, Withholding};
use crate::xml::Place;

pub(super) fn read(place: &Place<'_>, invoice: &mut Invoice) -> Result<(), ReadError> {
    let currency = invoice.currency;
    invoice.totals = sums(place, currency)?;
    taxes(place, invoice)?;
    for tax in place.all_in("TaxesWithheld", "Tax") {
        invoice.withholdings.push(Withholding {
            rate: tax.needed_decimal("TaxRate", "")?,
            base: tax.amount_or_zero("TaxableBase/TotalAmount", currency)?,
            amount: tax.amount_or_zero("TaxAmount/TotalAmount", currency)?,
        });
    }
    adjustments(place, invoice)
}

/// Taxes name a type and a rate alone, so those of zero percent are told apart by what their lines come to.
fn taxes(place: &Place<'_>, invoice: &mut Invoice) -> Result<(), ReadError> {
    let currency = invoice.currency;
    let mut known = take(&mut invoice.taxes);
    let stated = place.all_in("TaxesOutputs", "Tax");
    bounded_parts(stated.len())?;
    for tax in stated {
        let base = tax.needed_amount("TaxableBase/TotalAmount", "BT-116", currency)?;
        let stated = rate(&tax, None)?;
        let fits = |one: &TaxRate| {
            codes::tax_type(one.category) == codes::tax_type(stated.category)
                && (one.rate, one.surcharge_rate) == (stated.rate, stated.surcharge_rate)
        };
        let candidates = known.iter().enumerate().filter(|(_, one)| fits(&one.tax));
        let mut nearest = None;
        for (at, one) in candidates {
            let away =
                lines_of(invoice, one.tax).and_then(|lines| lines.minus(base)).map_err(beyond(&tax))?;
            let away = away.minor().unsigned_abs();
            if nearest.is_none_or(|(_, least)| away < least) {
                nearest = Some((at, away));
            }
        }
        let (rate, exemption) = match nearest {
            Some((at, _)) => {
                let found = known.remove(at);
                (found.tax, found.exemption)
            }
            None => (stated, None),
        };
        invoice.taxes.push(Tax {
            tax: rate,
            base,
            quota: tax.amount_or_zero("TaxAmount/TotalAmount", currency)?,
            surcharge: tax.amount_or_zero("EquivalenceSurchargeAmount/TotalAmount", currency)?,
            exemption,
        });
    }
    if invoice.taxes.is_empty() {
        place.lacks("TaxesOutputs/Tax", "BG-23");
    }
    Ok(())
}

/// A discount of the document does not say which base it lessens: it is the one that lacks just this much.
fn adjustments(place: &Place<'_>, invoice: &mut Invoice) -> Result<(), ReadError> {
    let currency = invoice.currency;
    let mut open = Vec::new();
    for tax in &invoice.taxes {
        let lacking =
            lines_of(invoice, tax.tax).and_then(|lines| lines.minus(tax.base)).map_err(beyond(place))?;
        open.push((tax.tax, lacking));
    }
    for (list, element, adds) in
        [("GeneralDiscounts", "Discount", false), ("GeneralSurcharges", "Charge", true)]
    {
        let totals = place.at("InvoiceTotals").map(|totals| totals.all_in(list, element)).unwrap_or_default();
        for part in totals {
            let amount = part.amount_or_zero(&format!("{element}Amount"), currency)?;
            let lessens = if adds { amount.negated() } else { amount };
            let at = open.iter().position(|(_, lacking)| *lacking == lessens);
            let exact = at.map(|at| open.remove(at).0);
            let Some(tax) = exact.or_else(|| invoice.taxes.first().map(|tax| tax.tax)) else { continue };
            let list = if adds { &mut invoice.charges } else { &mut invoice.discounts };
            list.push(Adjustment {
                reason: part.text(&format!("{element}Reason")).unwrap_or_default(),
                percent: part.decimal(&format!("{element}Rate"))?,
                amount,
                tax,
            });
        }
    }
    Ok(())
}

fn lines_of(invoice: &Invoice, tax: TaxRate) -> Result<Amount, MoneyError> {
    Amount::sum(invoice.lines.iter().filter(|line| line.tax == tax).map(|line| line.net), invoice.currency)
}

fn sums(place: &Place<'_>, currency: Currency) -> Result<Totals, ReadError> {
    let Some(place) = place.at("InvoiceTotals") else {
        place.lacks("InvoiceTotals", "BG-22");
        return Ok(Totals::zero(currency));
    };
    let taxable = place.needed_amount("TotalGrossAmountBeforeTaxes", "BT-109", currency)?;
    let tax = place.needed_amount("TotalTaxOutputs", "BT-110", currency)?;
    let paid = place.amount_or_zero("TotalPaymentsOnAccount", currency)?;
    let due = place.needed_amount("TotalExecutableAmount", "BT-115", currency)?;
    Ok(Totals {
        lines: place.needed_amount("TotalGrossAmount", "BT-106", currency)?,
        discount: place.amount_or_zero("TotalGeneralDiscounts", currency)?,
        charge: place.amount_or_zero("TotalGeneralSurcharges", currency)?,
        taxable,
        tax,
        total: taxable.plus(tax).map_err(beyond(&place))?,
        withholding: place.amount_or_zero("TotalTaxesWithheld", currency)?,
        rounding: Amount::zero(currency),
        payable: due.plus(paid).map_err(beyond(&place))?,
        paid,
        due,
    })
}

//! The form in which documents are exchanged.

use std::collections::BTreeSet;

use rust_decimal::{Decimal, RoundingStrategy};
use svc_core::money::{Amount, Currency, MoneyError};

use crate::model::{Invoice, Line, Tax, TaxCategory, TaxRate};

/// Digits of a unit price that was computed: as many as Facturae takes.
const PRICE_DIGITS: u32 = 8;

/// The document as EN 16931 and Facturae have it; what is in that form already stays as it is.
///
/// - *Prices are without tax.* Where they include it, the net of a line becomes its part of the tax base, and the
///   price follows from that. The discounts of the line and of the document become one discount of the line. A
///   base and a total never change, so the sums still hold.
/// - *Prices are not negative* (BR-27): the quantity takes the sign.
/// - *One tax for each rate*: two that differ in their exemption reasons alone become one with both.
/// - *Nothing else stands beside what is not subject* (BR-O-11): in a mixed document that is exempt at zero
///   percent with the same reason, which gives the same figures.
///
/// # Errors
/// [`MoneyError`] when an amount cannot be counted, or a line that includes tax does not say what it is without.
pub fn exchange_form(invoice: &Invoice) -> Result<Invoice, MoneyError> {
    let mut invoice = invoice.clone();
    if invoice.prices_include_tax {
        take_tax_out(&mut invoice)?;
    }
    for line in invoice.lines.iter_mut().filter(|line| line.unit_price.is_sign_negative()) {
        line.unit_price = -line.unit_price;
        line.quantity = -line.quantity;
    }
    part_from_not_subject(&mut invoice);
    invoice.taxes = merged(invoice.taxes, invoice.currency)?;
    Ok(invoice)
}

fn take_tax_out(invoice: &mut Invoice) -> Result<(), MoneyError> {
    let currency = invoice.currency;
    let discounted: BTreeSet<TaxRate> = invoice.discounts.iter().map(|discount| discount.tax).collect();
    for line in &mut invoice.lines {
        let net = line.net_without_tax.take().ok_or(MoneyError::Format)?;
        let reduced = line.discount.minor() != 0 || discounted.contains(&line.tax);
        let shown = if reduced { reduced_price(line, net)? } else { None };
        let (price, discount) = match shown {
            Some(shown) => shown,
            None => (price_of(net.decimal(), line)?, Amount::zero(currency)),
        };
        line.unit_price = price;
        line.discount = discount;
        line.discount_percent = None;
        line.charge = Amount::zero(currency);
        line.net = net;
    }
    invoice.prices_include_tax = false;
    invoice.discounts.clear();
    invoice.charges.clear();
    invoice.totals.lines = Amount::sum(invoice.lines.iter().map(|line| line.net), currency)?;
    invoice.totals.discount = Amount::zero(currency);
    invoice.totals.charge = Amount::zero(currency);
    Ok(())
}

/// The price without tax, and what is taken off it; `None` when rounding would make a surcharge of that.
fn reduced_price(line: &Line, net: Amount) -> Result<Option<(Decimal, Amount)>, MoneyError> {
    let hundred = Decimal::ONE_HUNDRED;
    let whole = hundred.checked_add(line.tax.rate).and_then(|sum| sum.checked_add(line.tax.surcharge_rate));
    let whole = whole.ok_or(MoneyError::Range)?;
    let price = line.unit_price.checked_mul(hundred).and_then(|part| part.checked_div(whole));
    let price = rounded(price.ok_or(MoneyError::Range)?);
    let gross = price.checked_mul(line.quantity).ok_or(MoneyError::Range)?;
    let discount = Amount::round(gross, net.currency())?.minus(net)?;
    let lessens =
        discount.minor() == 0 || discount.decimal().is_sign_negative() == net.decimal().is_sign_negative();
    Ok(lessens.then_some((price, discount)))
}

fn price_of(net: Decimal, line: &Line) -> Result<Decimal, MoneyError> {
    let units = line.quantity.checked_div(line.price_quantity).filter(|units| !units.is_zero());
    let price = units.and_then(|units| net.checked_div(units));
    price.map(rounded).ok_or(MoneyError::Range)
}

fn rounded(price: Decimal) -> Decimal {
    price.round_dp_with_strategy(PRICE_DIGITS, RoundingStrategy::MidpointAwayFromZero).normalize()
}

fn part_from_not_subject(invoice: &mut Invoice) {
    let outside = |tax: &TaxRate| tax.category == TaxCategory::NotSubject;
    let mixed = invoice.taxes.iter().any(|tax| outside(&tax.tax))
        && !invoice.taxes.iter().all(|tax| outside(&tax.tax));
    if !mixed {
        return;
    }
    let lines = invoice.lines.iter_mut().map(|line| &mut line.tax);
    let adjustments = invoice.discounts.iter_mut().chain(&mut invoice.charges).map(|part| &mut part.tax);
    for tax in lines.chain(adjustments).filter(|tax| outside(tax)) {
        tax.category = TaxCategory::Exempt;
    }
    for tax in invoice.taxes.iter_mut().filter(|tax| outside(&tax.tax)) {
        tax.tax.category = TaxCategory::Exempt;
        if let Some(exemption) = &mut tax.exemption {
            exemption.code.clear();
        }
    }
}

fn merged(taxes: Vec<Tax>, currency: Currency) -> Result<Vec<Tax>, MoneyError> {
    let mut merged: Vec<Tax> = Vec::with_capacity(taxes.len());
    for tax in taxes {
        let Some(same) = merged.iter_mut().find(|known| known.tax == tax.tax) else {
            merged.push(tax);
            continue;
        };
        same.base = Amount::sum([same.base, tax.base], currency)?;
        same.quota = Amount::sum([same.quota, tax.quota], currency)?;
        same.surcharge = Amount::sum([same.surcharge, tax.surcharge], currency)?;
        match (&mut same.exemption, tax.exemption) {
            (Some(known), Some(other)) if *known != other => {
                known.code.clear();
                known.reason = format!("{}; {}", known.reason, other.reason);
            }
            (known @ None, other) => *known = other,
            (Some(_), _) => {}
        }
    }
    Ok(merged)
}

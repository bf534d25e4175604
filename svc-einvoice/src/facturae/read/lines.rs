//! The lines.

use rust_decimal::Decimal;
use svc_core::money::{Amount, Currency};

use crate::assembly::{beyond, bounded_lines, bounded_parts};
use crate::error::ReadError;
use crate::facturae::codes;
use crate::model::{Exemption, Invoice, Line, Tax, TaxCategory, TaxRate};
use crate::xml::Place;

/// Reads the lines, and gives the document a tax without figures for each rate that they have.
pub(super) fn read(place: &Place<'_>, invoice: &mut Invoice) -> Result<(), ReadError> {
    let currency = invoice.currency;
    let lines = place.all_in("Items", "InvoiceLine");
    if lines.is_empty() {
        place.lacks("Items/InvoiceLine", "BG-25");
    }
    bounded_lines(&lines)?;
    for place in &lines {
        let (line, exemption) = line(place, currency)?;
        if !invoice.taxes.iter().any(|tax| tax.tax == line.tax) {
            let zero = Amount::zero(currency);
            invoice.taxes.push(Tax { tax: line.tax, base: zero, quota: zero, surcharge: zero, exemption });
        }
        bounded_parts(invoice.taxes.len())?;
        invoice.lines.push(line);
    }
    Ok(())
}

fn line(place: &Place<'_>, currency: Currency) -> Result<(Line, Option<Exemption>), ReadError> {
    let (discount, percent) = parts(place, "DiscountsAndRebates", "Discount", currency)?;
    let (charge, _) = parts(place, "Charges", "Charge", currency)?;
    let (category, exemption) = exemption(place);
    let tax = if let Some(tax) = place.at("TaxesOutputs/Tax") {
        rate(&tax, category)?
    } else {
        place.lacks("TaxesOutputs/Tax", "BT-151");
        TaxRate::of(category.unwrap_or(TaxCategory::Standard), Decimal::ZERO)
    };
    let unit = place.text("UnitOfMeasure").unwrap_or_else(|| "01".to_owned());
    let line = Line {
        description: place.needed("ItemDescription", "BT-153"),
        quantity: place.needed_decimal("Quantity", "BT-129")?,
        unit: codes::unit_from(&unit).to_owned(),
        unit_price: place.needed_decimal("UnitPriceWithoutTax", "BT-146")?,
        price_quantity: Decimal::ONE,
        discount_percent: percent,
        discount,
        charge,
        net: place.needed_amount("GrossAmount", "BT-131", currency)?,
        net_without_tax: None,
        tax,
        withholding_rate: place.decimal("TaxesWithheld/Tax/TaxRate")?.unwrap_or_default(),
    };
    Ok((line, exemption))
}

/// The sum of discounts or charges, and the percentage when there is one of them.
fn parts(
    place: &Place<'_>,
    list: &str,
    element: &'static str,
    currency: Currency,
) -> Result<(Amount, Option<Decimal>), ReadError> {
    let (amount, rate) = (format!("{element}Amount"), format!("{element}Rate"));
    let parts = place.all_in(list, element);
    let mut sum = Amount::zero(currency);
    for part in &parts {
        sum = sum.plus(part.amount_or_zero(&amount, currency)?).map_err(beyond(part))?;
    }
    let percent = if let [part] = parts.as_slice() { part.decimal(&rate)? } else { None };
    Ok((sum, percent))
}

/// What no tax is charged for, and why.
fn exemption(place: &Place<'_>) -> (Option<TaxCategory>, Option<Exemption>) {
    let event = place.text("SpecialTaxableEvent/SpecialTaxableEventCode");
    let reverse = place.text("AdditionalLineItemInformation").filter(|text| text.starts_with("VATEX-EU-AE"));
    if event.is_none() && reverse.is_none() {
        return (None, None);
    }
    let text =
        reverse.or_else(|| place.text("SpecialTaxableEvent/SpecialTaxableEventReason")).unwrap_or_default();
    let (code, reason) = match text.split_once(' ') {
        Some((code, reason)) if code.starts_with("VATEX-") => (code.to_owned(), reason.to_owned()),
        None if text.starts_with("VATEX-") => (text, String::new()),
        _ => (String::new(), text),
    };
    let named =
        TaxCategory::ALL.into_iter().find(|category| category.exemption_code() == Some(code.as_str()));
    let by_event = if event.as_deref() == Some("02") { TaxCategory::NotSubject } else { TaxCategory::Exempt };
    (Some(named.unwrap_or(by_event)), Some(Exemption { code, reason }))
}

/// The rate of a tax; one of zero percent is what the line says that it is.
pub(super) fn rate(place: &Place<'_>, special: Option<TaxCategory>) -> Result<TaxRate, ReadError> {
    let rate = place.needed_decimal("TaxRate", "BT-152")?;
    let category = match place.needed("TaxTypeCode", "BT-151").as_str() {
        "01" | "" if rate.is_zero() => special.unwrap_or(TaxCategory::Zero),
        "01" | "" => TaxCategory::Standard,
        "02" => TaxCategory::Ipsi,
        "03" => TaxCategory::Igic,
        _ => {
            let element = format!("{}/TaxTypeCode", place.path);
            return Err(ReadError::Value { element, expected: "IVA, IPSI or IGIC: 01, 02 or 03" });
        }
    };
    let surcharge_rate = place.decimal("EquivalenceSurcharge")?.unwrap_or_default();
    Ok(TaxRate { category, rate, surcharge_rate })
}

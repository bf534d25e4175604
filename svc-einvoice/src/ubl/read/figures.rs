//! Lines, discounts, taxes and sums.

use rust_decimal::Decimal;
use svc_core::money::{Amount, Currency};

use crate::assembly::{beyond, bounded_lines, bounded_parts, item_attributes, split_rate};
use crate::error::ReadError;
use crate::model::{Adjustment, Exemption, Invoice, Line, Tax, TaxCategory, TaxRate, Totals, Withholding};
use crate::xml::Place;

pub(super) fn read(root: &Place<'_>, invoice: &mut Invoice, line_name: &str) -> Result<(), ReadError> {
    let currency = invoice.currency;
    let lines = root.all(line_name);
    if lines.is_empty() {
        root.lacks(line_name, "BG-25");
    }
    bounded_lines(&lines)?;
    for place in &lines {
        invoice.lines.push(line(place, currency)?);
    }
    let adjustments = root.all("AllowanceCharge");
    bounded_parts(adjustments.len())?;
    for place in adjustments {
        let list = if adds(&place) { &mut invoice.charges } else { &mut invoice.discounts };
        list.push(Adjustment {
            reason: place.text("AllowanceChargeReason").unwrap_or_default(),
            percent: place.decimal("MultiplierFactorNumeric")?,
            amount: place.needed_amount("Amount", "BT-92", currency)?,
            tax: rate(&place, "TaxCategory", "BT-95")?.0,
        });
    }
    let totals = root.all("TaxTotal");
    let own = |place: &&Place<'_>| {
        place.at("TaxAmount").is_none_or(|amount| {
            amount.node.attribute("currencyID").is_none_or(|code| code == currency.code())
        })
    };
    let total = totals.iter().find(own);
    if let Some(total) = total {
        let parts = total.all("TaxSubtotal");
        bounded_parts(parts.len())?;
        for place in parts {
            invoice.taxes.push(tax(&place, currency)?);
        }
    } else {
        root.lacks("TaxTotal", "BG-23");
    }
    for place in root.all_in("WithholdingTaxTotal", "TaxSubtotal") {
        invoice.withholdings.push(Withholding {
            rate: place.decimal("TaxCategory/Percent")?.unwrap_or_default(),
            base: place.amount_or_zero("TaxableAmount", currency)?,
            amount: place.amount_or_zero("TaxAmount", currency)?,
        });
    }
    let tax =
        total.map_or(Ok(Amount::zero(currency)), |total| total.amount_or_zero("TaxAmount", currency))?;
    invoice.totals = sums(root, currency, tax)?;
    Ok(())
}

fn line(place: &Place<'_>, currency: Currency) -> Result<Line, ReadError> {
    let quantity = place.at("InvoicedQuantity").or_else(|| place.at("CreditedQuantity"));
    let unit = quantity.as_ref().and_then(|quantity| quantity.node.attribute("unitCode"));
    let name = if quantity.as_ref().is_some_and(|one| one.node.name == "CreditedQuantity") {
        "CreditedQuantity"
    } else {
        "InvoicedQuantity"
    };
    let (mut discount, mut charge) = (Amount::zero(currency), Amount::zero(currency));
    let mut percents = Vec::new();
    for part in place.all("AllowanceCharge") {
        let amount = part.needed_amount("Amount", "BT-136", currency)?;
        let sum = if adds(&part) { &mut charge } else { &mut discount };
        *sum = sum.plus(amount).map_err(beyond(&part))?;
        if !adds(&part) {
            percents.push(part.decimal("MultiplierFactorNumeric")?);
        }
    }
    let attributes = place.at("Item").map(|item| item.all("AdditionalItemProperty")).unwrap_or_default();
    let (surcharge_rate, withholding_rate) = item_attributes(&attributes, "Name", "Value")?;
    let tax = match place.at("Item") {
        Some(item) => rate(&item, "ClassifiedTaxCategory", "BT-151")?.0,
        None => TaxRate::of(TaxCategory::Standard, Decimal::ZERO),
    };
    Ok(Line {
        description: description(place),
        quantity: place.needed_decimal(name, "BT-129")?,
        unit: unit.unwrap_or_default().to_owned(),
        unit_price: place.needed_decimal("Price/PriceAmount", "BT-146")?,
        price_quantity: place
            .decimal("Price/BaseQuantity")?
            .filter(|one| !one.is_zero())
            .unwrap_or(Decimal::ONE),
        discount_percent: if let [percent] = percents.as_slice() { *percent } else { None },
        discount,
        charge,
        net: place.needed_amount("LineExtensionAmount", "BT-131", currency)?,
        net_without_tax: None,
        tax: split_rate(tax.category, tax.rate, surcharge_rate),
        withholding_rate,
    })
}

/// The name of the item, and below it what more is said of it.
fn description(place: &Place<'_>) -> String {
    let name = place.needed("Item/Name", "BT-153");
    match place.text("Item/Description") {
        Some(more) if more != name => format!("{name}\n{more}").trim().to_owned(),
        _ => name,
    }
}

fn adds(place: &Place<'_>) -> bool {
    matches!(place.text("ChargeIndicator").as_deref(), Some("true" | "1"))
}

fn tax(place: &Place<'_>, currency: Currency) -> Result<Tax, ReadError> {
    let (tax, exemption) = rate(place, "TaxCategory", "BT-118")?;
    Ok(Tax {
        tax,
        base: place.needed_amount("TaxableAmount", "BT-116", currency)?,
        quota: place.needed_amount("TaxAmount", "BT-117", currency)?,
        surcharge: Amount::zero(currency),
        exemption,
    })
}

/// The category of a tax, the percentage, and why none is charged.
fn rate(
    place: &Place<'_>,
    name: &str,
    term: &'static str,
) -> Result<(TaxRate, Option<Exemption>), ReadError> {
    let code = place.needed(&format!("{name}/ID"), term);
    let category = if code.is_empty() { Some(TaxCategory::Standard) } else { TaxCategory::from_code(&code) };
    let wrong =
        || place.at(name).as_ref().unwrap_or(place).wrong("a category of tax: S, Z, E, O, AE, K, G, L or M");
    let category = category.ok_or_else(wrong)?;
    let rate = place.decimal(&format!("{name}/Percent"))?.unwrap_or_default();
    let code = place.text(&format!("{name}/TaxExemptionReasonCode")).unwrap_or_default();
    let reason = place.text(&format!("{name}/TaxExemptionReason")).unwrap_or_default();
    let told = !code.is_empty() || !reason.is_empty();
    Ok((TaxRate::of(category, rate), told.then_some(Exemption { code, reason })))
}

fn sums(root: &Place<'_>, currency: Currency, tax: Amount) -> Result<Totals, ReadError> {
    let Some(place) = root.at("LegalMonetaryTotal") else {
        root.lacks("LegalMonetaryTotal", "BG-22");
        return Ok(Totals { tax, ..Totals::zero(currency) });
    };
    Ok(Totals {
        lines: place.needed_amount("LineExtensionAmount", "BT-106", currency)?,
        discount: place.amount_or_zero("AllowanceTotalAmount", currency)?,
        charge: place.amount_or_zero("ChargeTotalAmount", currency)?,
        taxable: place.needed_amount("TaxExclusiveAmount", "BT-109", currency)?,
        tax,
        total: place.needed_amount("TaxInclusiveAmount", "BT-112", currency)?,
        withholding: Amount::zero(currency),
        rounding: place.amount_or_zero("PayableRoundingAmount", currency)?,
        payable: Amount::zero(currency),
        paid: place.amount_or_zero("PrepaidAmount", currency)?,
        due: place.needed_amount("PayableAmount", "BT-115", currency)?,
    })
}

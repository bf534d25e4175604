//! Lines, discounts, taxes and sums.

use rust_decimal::Decimal;
use svc_core::money::{Amount, Currency};

use super::{SETTLEMENT, TRANSACTION};
use crate::assembly::{beyond, bounded_lines, bounded_parts, item_attributes, split_rate};
use crate::error::ReadError;
use crate::model::{Adjustment, Exemption, Invoice, Line, Tax, TaxCategory, TaxRate, Totals};
use crate::xml::Place;

const SUMS: &str = "SpecifiedTradeSettlementHeaderMonetarySummation";

pub(super) fn read(root: &Place<'_>, invoice: &mut Invoice) -> Result<(), ReadError> {
    let currency = invoice.currency;
    let lines = root.all_in(TRANSACTION, "IncludedSupplyChainTradeLineItem");
    if lines.is_empty() {
        root.lacks("SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem", "BG-25");
    }
    bounded_lines(&lines)?;
    for place in &lines {
        invoice.lines.push(line(place, currency)?);
    }
    let Some(settlement) = root.at(SETTLEMENT) else { return Ok(()) };
    let adjustments = settlement.all("SpecifiedTradeAllowanceCharge");
    bounded_parts(adjustments.len())?;
    for place in adjustments {
        let list = if adds(&place) { &mut invoice.charges } else { &mut invoice.discounts };
        list.push(Adjustment {
            reason: place.text("Reason").unwrap_or_default(),
            percent: place.decimal("CalculationPercent")?,
            amount: place.needed_amount("ActualAmount", "BT-92", currency)?,
            tax: rate(&place, "CategoryTradeTax", "BT-95")?,
        });
    }
    let taxes = settlement.all("ApplicableTradeTax");
    if taxes.is_empty() {
        settlement.lacks("ApplicableTradeTax", "BG-23");
    }
    bounded_parts(taxes.len())?;
    for place in &taxes {
        let code = place.text("ExemptionReasonCode").unwrap_or_default();
        let reason = place.text("ExemptionReason").unwrap_or_default();
        let told = !code.is_empty() || !reason.is_empty();
        invoice.taxes.push(Tax {
            tax: own_rate(place, "BT-118")?,
            base: place.needed_amount("BasisAmount", "BT-116", currency)?,
            quota: place.needed_amount("CalculatedAmount", "BT-117", currency)?,
            surcharge: Amount::zero(currency),
            exemption: told.then_some(Exemption { code, reason }),
        });
    }
    invoice.totals = sums(&settlement, currency)?;
    Ok(())
}

fn line(place: &Place<'_>, currency: Currency) -> Result<Line, ReadError> {
    let settlement = "SpecifiedLineTradeSettlement";
    let (mut discount, mut charge) = (Amount::zero(currency), Amount::zero(currency));
    let mut percents = Vec::new();
    for part in place.all_in(settlement, "SpecifiedTradeAllowanceCharge") {
        let amount = part.needed_amount("ActualAmount", "BT-136", currency)?;
        let sum = if adds(&part) { &mut charge } else { &mut discount };
        *sum = sum.plus(amount).map_err(beyond(&part))?;
        if !adds(&part) {
            percents.push(part.decimal("CalculationPercent")?);
        }
    }
    let attributes = place.all_in("SpecifiedTradeProduct", "ApplicableProductCharacteristic");
    let (surcharge_rate, withholding_rate) = item_attributes(&attributes, "Description", "Value")?;
    let tax = rate(place, &format!("{settlement}/ApplicableTradeTax"), "BT-151")?;
    let name = place.needed("SpecifiedTradeProduct/Name", "BT-153");
    let description = match place.text("SpecifiedTradeProduct/Description") {
        Some(more) if more != name => format!("{name}\n{more}").trim().to_owned(),
        _ => name,
    };
    let quantity = "SpecifiedLineTradeDelivery/BilledQuantity";
    let unit = place.at(quantity).and_then(|quantity| quantity.node.attribute("unitCode").map(str::to_owned));
    let price = "SpecifiedLineTradeAgreement/NetPriceProductTradePrice";
    let sum = format!("{settlement}/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount");
    let basis = place.decimal(&format!("{price}/BasisQuantity"))?.filter(|one| !one.is_zero());
    Ok(Line {
        description,
        quantity: place.needed_decimal(quantity, "BT-129")?,
        unit: unit.unwrap_or_default(),
        unit_price: place.needed_decimal(&format!("{price}/ChargeAmount"), "BT-146")?,
        price_quantity: basis.unwrap_or(Decimal::ONE),
        discount_percent: if let [percent] = percents.as_slice() { *percent } else { None },
        discount,
        charge,
        net: place.needed_amount(&sum, "BT-131", currency)?,
        net_without_tax: None,
        tax: split_rate(tax.category, tax.rate, surcharge_rate),
        withholding_rate,
    })
}

fn adds(place: &Place<'_>) -> bool {
    matches!(place.text("ChargeIndicator/Indicator").as_deref(), Some("true" | "1"))
}

fn rate(place: &Place<'_>, path: &str, term: &'static str) -> Result<TaxRate, ReadError> {
    if let Some(tax) = place.at(path) {
        own_rate(&tax, term)
    } else {
        place.lacks(path, term);
        Ok(TaxRate::of(TaxCategory::Standard, Decimal::ZERO))
    }
}

fn own_rate(place: &Place<'_>, term: &'static str) -> Result<TaxRate, ReadError> {
    let code = place.needed("CategoryCode", term);
    let category = if code.is_empty() { Some(TaxCategory::Standard) } else { TaxCategory::from_code(&code) };
    let category = category.ok_or_else(|| place.wrong("a category of tax: S, Z, E, O, AE, K, G, L or M"))?;
    Ok(TaxRate::of(category, place.decimal("RateApplicablePercent")?.unwrap_or_default()))
}

fn sums(place: &Place<'_>, currency: Currency) -> Result<Totals, ReadError> {
    let Some(sums) = place.at(SUMS) else {
        place.lacks(SUMS, "BG-22");
        return Ok(Totals::zero(currency));
    };
    let taxes = sums.all("TaxTotalAmount");
    let own = |sum: &&Place<'_>| sum.node.attribute("currencyID").is_none_or(|code| code == currency.code());
    let tax = match taxes.iter().find(own) {
        Some(sum) => sum.own_amount(currency)?,
        None => Amount::zero(currency),
    };
    let total = sums.needed_amount("GrandTotalAmount", "BT-112", currency)?;
    Ok(Totals {
        // Profiles without lines have no sum of them.
        lines: sums.amount_or_zero("LineTotalAmount", currency)?,
        discount: sums.amount_or_zero("AllowanceTotalAmount", currency)?,
        charge: sums.amount_or_zero("ChargeTotalAmount", currency)?,
        taxable: sums.needed_amount("TaxBasisTotalAmount", "BT-109", currency)?,
        tax,
        total,
        withholding: Amount::zero(currency),
        rounding: sums.amount_or_zero("RoundingAmount", currency)?,
        payable: Amount::zero(currency),
        paid: sums.amount_or_zero("TotalPrepaidAmount", currency)?,
        due: sums.needed_amount("DuePayableAmount", "BT-115", currency)?,
    })
}

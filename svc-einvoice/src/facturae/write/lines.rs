//! The lines.

use rust_decimal::{Decimal, RoundingStrategy};
use svc_core::money::{Amount, MoneyError};

use super::figures::part;
use super::{LONG, Sheet, cut};
use crate::error::WriteError;
use crate::facturae::codes;
use crate::model::{Exemption, Line, TaxCategory};
use crate::xml::XmlWriter;

/// Digits after the point of a price.
const PRICE_DIGITS: u32 = 8;

impl Sheet<'_> {
    pub(super) fn lines(&self, xml: &mut XmlWriter) -> Result<(), WriteError> {
        xml.open("Items");
        for line in &self.invoice.lines {
            self.line(xml, line)?;
        }
        xml.close("Items");
        Ok(())
    }

    fn line(&self, xml: &mut XmlWriter, line: &Line) -> Result<(), WriteError> {
        let gross = line.net.plus(line.discount)?.minus(line.charge)?;
        let price = line.unit_price.checked_div(line.price_quantity).ok_or(MoneyError::Range)?;
        let price = price.round_dp_with_strategy(PRICE_DIGITS, RoundingStrategy::MidpointAwayFromZero);
        xml.open("InvoiceLine");
        xml.leaf("ItemDescription", cut(&line.description, LONG));
        xml.leaf("Quantity", &line.quantity.normalize().to_string());
        xml.leaf("UnitOfMeasure", codes::unit(&line.unit));
        xml.leaf("UnitPriceWithoutTax", &price.normalize().to_string());
        xml.leaf("TotalCost", &gross.to_string());
        if line.discount.minor() != 0 {
            xml.open("DiscountsAndRebates");
            part(xml, "Discount", "Descuento", line.discount_percent, line.discount);
            xml.close("DiscountsAndRebates");
        }
        if line.charge.minor() != 0 {
            xml.open("Charges");
            part(xml, "Charge", "Recargo", None, line.charge);
            xml.close("Charges");
        }
        xml.leaf("GrossAmount", &line.net.to_string());
        if !line.withholding_rate.is_zero() {
            xml.open("TaxesWithheld");
            self.withheld(xml, line.withholding_rate, line.net, percent(line.net, line.withholding_rate)?)?;
            xml.close("TaxesWithheld");
        }
        xml.open("TaxesOutputs");
        let tax = &line.tax;
        self.tax(xml, tax, line.net, percent(line.net, tax.rate)?, percent(line.net, tax.surcharge_rate)?)?;
        xml.close("TaxesOutputs");
        self.exemption(xml, line);
        xml.close("InvoiceLine");
        Ok(())
    }

    fn exemption(&self, xml: &mut XmlWriter, line: &Line) {
        let category = line.tax.category;
        if !category.needs_reason() {
            return;
        }
        let tax = self.invoice.taxes.iter().find(|tax| tax.tax == line.tax);
        let exemption = tax.and_then(|tax| tax.exemption.clone()).unwrap_or_default();
        let reason = told(&exemption, category);
        if let Some(event) = codes::event(category) {
            xml.open("SpecialTaxableEvent");
            xml.leaf("SpecialTaxableEventCode", event);
            xml.leaf("SpecialTaxableEventReason", cut(&reason, LONG));
            xml.close("SpecialTaxableEvent");
        } else {
            xml.leaf("AdditionalLineItemInformation", cut(&reason, LONG));
        }
    }
}

/// The code and the words.
fn told(exemption: &Exemption, category: TaxCategory) -> String {
    let code = Some(exemption.code.as_str()).filter(|code| !code.is_empty()).or(category.exemption_code());
    format!("{} {}", code.unwrap_or_default(), exemption.reason).trim().to_owned()
}

fn percent(of: Amount, rate: Decimal) -> Result<Amount, MoneyError> {
    let exact = of.decimal().checked_mul(rate).and_then(|part| part.checked_div(Decimal::ONE_HUNDRED));
    Amount::round(exact.ok_or(MoneyError::Range)?, of.currency())
}

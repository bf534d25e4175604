//! The lines.

use rust_decimal::Decimal;
use svc_core::money::Amount;

use super::Sheet;
use super::figures::{rate, turned};
use super::parties::vat_scheme;
use crate::error::WriteError;
use crate::model::Line;
use crate::ubl::{SURCHARGE, WITHHOLDING};
use crate::xml::XmlWriter;

impl Sheet<'_> {
    pub(super) fn lines(&self, xml: &mut XmlWriter) -> Result<(), WriteError> {
        for (line, at) in self.invoice.lines.iter().zip(1_usize..) {
            self.line(xml, line, at)?;
        }
        Ok(())
    }

    fn line(&self, xml: &mut XmlWriter, line: &Line, at: usize) -> Result<(), WriteError> {
        let (name, quantity) = if self.is_credit {
            ("cac:CreditNoteLine", "cbc:CreditedQuantity")
        } else {
            ("cac:InvoiceLine", "cbc:InvoicedQuantity")
        };
        if line.description.is_empty() {
            return Err(WriteError::Missing { term: "BT-153", what: "the description of a line" });
        }
        let unit = if line.unit.is_empty() { "C62" } else { &line.unit };
        xml.open(name);
        xml.leaf("cbc:ID", &at.to_string());
        xml.leaf_with(quantity, &[("unitCode", unit)], &turned(line.quantity, self.is_credit));
        self.amount(xml, "cbc:LineExtensionAmount", line.net);
        let gross = line.net.plus(line.discount)?.minus(line.charge)?;
        self.part(xml, false, line.discount, line.discount_percent.map(|percent| (percent, gross)));
        self.part(xml, true, line.charge, None);
        xml.open("cac:Item");
        xml.leaf("cbc:Name", &line.description);
        xml.open("cac:ClassifiedTaxCategory");
        rate(xml, &line.tax)?;
        vat_scheme(xml);
        xml.close("cac:ClassifiedTaxCategory");
        property(xml, SURCHARGE, line.tax.surcharge_rate);
        property(xml, WITHHOLDING, line.withholding_rate);
        xml.close("cac:Item");
        xml.open("cac:Price");
        let price = line.unit_price.normalize().to_string();
        xml.leaf_with("cbc:PriceAmount", &[("currencyID", self.currency)], &price);
        if line.price_quantity != Decimal::ONE {
            let quantity = line.price_quantity.normalize().to_string();
            xml.leaf_with("cbc:BaseQuantity", &[("unitCode", unit)], &quantity);
        }
        xml.close("cac:Price");
        xml.close(name);
        Ok(())
    }

    /// What is taken off a line or put on top of it.
    fn part(&self, xml: &mut XmlWriter, adds: bool, amount: Amount, of: Option<(Decimal, Amount)>) {
        if amount.minor() == 0 && of.is_none() {
            return;
        }
        xml.open("cac:AllowanceCharge");
        xml.leaf("cbc:ChargeIndicator", if adds { "true" } else { "false" });
        xml.leaf("cbc:AllowanceChargeReasonCode", if adds { "ADR" } else { "95" });
        if let Some((percent, _)) = of {
            xml.leaf("cbc:MultiplierFactorNumeric", &percent.normalize().to_string());
        }
        self.amount(xml, "cbc:Amount", amount);
        if let Some((_, gross)) = of {
            self.amount(xml, "cbc:BaseAmount", gross);
        }
        xml.close("cac:AllowanceCharge");
    }
}

/// An attribute of the item (BG-32), unless it is zero.
fn property(xml: &mut XmlWriter, name: &str, value: Decimal) {
    if !value.is_zero() {
        xml.open("cac:AdditionalItemProperty");
        xml.leaf("cbc:Name", name);
        xml.leaf("cbc:Value", &value.normalize().to_string());
        xml.close("cac:AdditionalItemProperty");
    }
}

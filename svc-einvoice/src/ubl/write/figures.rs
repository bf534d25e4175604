//! Discounts and charges of the document, taxes and sums.

use rust_decimal::Decimal;
use svc_core::money::{Amount, MoneyError};

use super::Sheet;
use super::parties::vat_scheme;
use crate::error::WriteError;
use crate::model::{Adjustment, TaxCategory, TaxRate};
use crate::xml::XmlWriter;

/// Codes of the reasons: a discount (BT-98, UNCL 5189), another service (BT-105, UNCL 7161).
const DISCOUNT: &str = "95";
const CHARGE: &str = "ADR";

impl Sheet<'_> {
    pub(super) fn adjustments(&self, xml: &mut XmlWriter) -> Result<(), WriteError> {
        for discount in &self.invoice.discounts {
            self.adjustment(xml, false, discount)?;
        }
        for charge in &self.invoice.charges {
            self.adjustment(xml, true, charge)?;
        }
        Ok(())
    }

    fn adjustment(&self, xml: &mut XmlWriter, adds: bool, adjustment: &Adjustment) -> Result<(), WriteError> {
        xml.open("cac:AllowanceCharge");
        xml.leaf("cbc:ChargeIndicator", if adds { "true" } else { "false" });
        xml.leaf("cbc:AllowanceChargeReasonCode", if adds { CHARGE } else { DISCOUNT });
        xml.optional("cbc:AllowanceChargeReason", Some(&adjustment.reason));
        if let Some(percent) = adjustment.percent {
            xml.leaf("cbc:MultiplierFactorNumeric", &percent.normalize().to_string());
        }
        self.amount(xml, "cbc:Amount", adjustment.amount);
        if adjustment.percent.is_some() {
            let lines = self.invoice.lines.iter().filter(|line| line.tax == adjustment.tax);
            self.amount(
                xml,
                "cbc:BaseAmount",
                Amount::sum(lines.map(|line| line.net), self.invoice.currency)?,
            );
        }
        xml.open("cac:TaxCategory");
        rate(xml, &adjustment.tax)?;
        vat_scheme(xml);
        xml.close("cac:TaxCategory");
        xml.close("cac:AllowanceCharge");
        Ok(())
    }

    pub(super) fn taxes(&self, xml: &mut XmlWriter) -> Result<(), WriteError> {
        xml.open("cac:TaxTotal");
        self.amount(xml, "cbc:TaxAmount", self.invoice.totals.tax);
        for tax in &self.invoice.taxes {
            xml.open("cac:TaxSubtotal");
            self.amount(xml, "cbc:TaxableAmount", tax.base);
            self.amount(xml, "cbc:TaxAmount", tax.quota.plus(tax.surcharge)?);
            xml.open("cac:TaxCategory");
            rate(xml, &tax.tax)?;
            if tax.tax.category.needs_reason() {
                let exemption = tax.exemption.clone().unwrap_or_default();
                let code = Some(exemption.code.as_str()).filter(|code| !code.is_empty());
                let code = code.or_else(|| tax.tax.category.exemption_code());
                xml.optional("cbc:TaxExemptionReasonCode", code);
                xml.optional("cbc:TaxExemptionReason", Some(&exemption.reason));
            }
            vat_scheme(xml);
            xml.close("cac:TaxCategory");
            xml.close("cac:TaxSubtotal");
        }
        xml.close("cac:TaxTotal");
        if let Some(base) = self.invoice.base {
            xml.open("cac:TaxTotal");
            self.amount(xml, "cbc:TaxAmount", base.tax);
            xml.close("cac:TaxTotal");
        }
        Ok(())
    }

    pub(super) fn totals(&self, xml: &mut XmlWriter) -> Result<(), MoneyError> {
        let totals = &self.invoice.totals;
        let paid = totals.paid.plus(totals.withholding)?;
        let optional = [
            ("cbc:AllowanceTotalAmount", totals.discount),
            ("cbc:ChargeTotalAmount", totals.charge),
            ("cbc:PrepaidAmount", paid),
            ("cbc:PayableRoundingAmount", totals.rounding),
        ];
        xml.open("cac:LegalMonetaryTotal");
        self.amount(xml, "cbc:LineExtensionAmount", totals.lines);
        self.amount(xml, "cbc:TaxExclusiveAmount", totals.taxable);
        self.amount(xml, "cbc:TaxInclusiveAmount", totals.total);
        for (name, amount) in optional.into_iter().filter(|(_, amount)| amount.minor() != 0) {
            self.amount(xml, name, amount);
        }
        self.amount(xml, "cbc:PayableAmount", totals.due);
        xml.close("cac:LegalMonetaryTotal");
        Ok(())
    }
}

/// Category and rate. What is not subject has no rate (BR-O-05).
pub(super) fn rate(xml: &mut XmlWriter, tax: &TaxRate) -> Result<(), MoneyError> {
    xml.leaf("cbc:ID", tax.category.code());
    if tax.category != TaxCategory::NotSubject {
        let both = tax.rate.checked_add(tax.surcharge_rate).ok_or(MoneyError::Range)?;
        xml.leaf("cbc:Percent", &both.normalize().to_string());
    }
    Ok(())
}

/// A decimal with the sign that it has in the file.
pub(super) fn turned(value: Decimal, is_credit: bool) -> String {
    let value = if is_credit && !value.is_zero() { -value } else { value };
    value.normalize().to_string()
}

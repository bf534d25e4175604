//! Taxes, sums and payment.

use rust_decimal::Decimal;
use svc_core::money::Amount;

use super::{LONG, Sheet, cut};
use crate::error::WriteError;
use crate::facturae::codes;
use crate::model::{Adjustment, TaxRate};
use crate::xml::XmlWriter;

/// Text of a discount or charge without a reason.
const UNNAMED: &str = "-";

impl Sheet<'_> {
    pub(super) fn taxes(&self, xml: &mut XmlWriter) -> Result<(), WriteError> {
        xml.open("TaxesOutputs");
        for tax in &self.invoice.taxes {
            self.tax(xml, &tax.tax, tax.base, tax.quota, tax.surcharge)?;
        }
        xml.close("TaxesOutputs");
        if !self.invoice.withholdings.is_empty() {
            xml.open("TaxesWithheld");
            for one in &self.invoice.withholdings {
                self.withheld(xml, one.rate, one.base, one.amount)?;
            }
            xml.close("TaxesWithheld");
        }
        Ok(())
    }

    pub(super) fn tax(
        &self,
        xml: &mut XmlWriter,
        tax: &TaxRate,
        base: Amount,
        quota: Amount,
        surcharge: Amount,
    ) -> Result<(), WriteError> {
        xml.open("Tax");
        xml.leaf("TaxTypeCode", codes::tax_type(tax.category));
        xml.leaf("TaxRate", &tax.rate.normalize().to_string());
        self.amount(xml, "TaxableBase", base)?;
        self.amount(xml, "TaxAmount", quota)?;
        if !tax.surcharge_rate.is_zero() {
            xml.leaf("EquivalenceSurcharge", &two_digits(tax.surcharge_rate));
            self.amount(xml, "EquivalenceSurchargeAmount", surcharge)?;
        }
        xml.close("Tax");
        Ok(())
    }

    /// IRPF, tax type 04.
    pub(super) fn withheld(
        &self,
        xml: &mut XmlWriter,
        rate: Decimal,
        base: Amount,
        amount: Amount,
    ) -> Result<(), WriteError> {
        xml.open("Tax");
        xml.leaf("TaxTypeCode", "04");
        xml.leaf("TaxRate", &rate.normalize().to_string());
        self.amount(xml, "TaxableBase", base)?;
        self.amount(xml, "TaxAmount", amount)?;
        xml.close("Tax");
        Ok(())
    }

    pub(super) fn totals(&self, xml: &mut XmlWriter) -> Result<(), WriteError> {
        let totals = &self.invoice.totals;
        let leaf = |xml: &mut XmlWriter, name: &str, amount: Amount| xml.leaf(name, &amount.to_string());
        xml.open("InvoiceTotals");
        leaf(xml, "TotalGrossAmount", totals.lines);
        adjustments(xml, "GeneralDiscounts", "Discount", &self.invoice.discounts);
        adjustments(xml, "GeneralSurcharges", "Charge", &self.invoice.charges);
        leaf(xml, "TotalGeneralDiscounts", totals.discount);
        leaf(xml, "TotalGeneralSurcharges", totals.charge);
        leaf(xml, "TotalGrossAmountBeforeTaxes", totals.taxable);
        leaf(xml, "TotalTaxOutputs", totals.tax);
        leaf(xml, "TotalTaxesWithheld", totals.withholding);
        leaf(xml, "InvoiceTotal", totals.total.minus(totals.withholding)?);
        if totals.paid.minor() != 0 {
            xml.open("PaymentsOnAccount");
            xml.open("PaymentOnAccount");
            xml.leaf("PaymentOnAccountDate", &self.issued.to_string());
            leaf(xml, "PaymentOnAccountAmount", totals.paid);
            xml.close("PaymentOnAccount");
            xml.close("PaymentsOnAccount");
        }
        leaf(xml, "TotalOutstandingAmount", totals.due);
        if totals.paid.minor() != 0 {
            leaf(xml, "TotalPaymentsOnAccount", totals.paid);
        }
        leaf(xml, "TotalExecutableAmount", totals.due);
        xml.close("InvoiceTotals");
        Ok(())
    }

    /// One instalment; without a due date it is due when it is issued.
    pub(super) fn payment(&self, xml: &mut XmlWriter) {
        let payment = &self.invoice.payment;
        let Some(method) = payment.method else { return };
        xml.open("PaymentDetails");
        xml.open("Installment");
        xml.leaf("InstallmentDueDate", &payment.due_date.unwrap_or(self.issued).to_string());
        xml.leaf("InstallmentAmount", &two_digits(self.invoice.totals.due.decimal()));
        xml.leaf("PaymentMeans", codes::means(method));
        if let Some(iban) = payment.iban.as_deref().filter(|iban| (5..=34).contains(&iban.len())) {
            xml.open("AccountToBeCredited");
            xml.leaf("IBAN", iban);
            xml.optional("BIC", payment.bic.as_deref().filter(|bic| bic.len() == 11));
            xml.close("AccountToBeCredited");
        }
        let remittance = payment.remittance.as_deref();
        xml.optional("PaymentReconciliationReference", remittance.map(|text| cut(text, 60)));
        xml.optional("CollectionAdditionalInformation", payment.terms.as_deref().map(|text| cut(text, LONG)));
        xml.close("Installment");
        xml.close("PaymentDetails");
    }
}

fn adjustments(xml: &mut XmlWriter, list: &str, element: &str, adjustments: &[Adjustment]) {
    if adjustments.is_empty() {
        return;
    }
    xml.open(list);
    for one in adjustments {
        part(xml, element, &one.reason, one.percent, one.amount);
    }
    xml.close(list);
}

/// A discount or charge.
pub(super) fn part(
    xml: &mut XmlWriter,
    element: &str,
    reason: &str,
    percent: Option<Decimal>,
    amount: Amount,
) {
    let reason = if reason.is_empty() { UNNAMED } else { reason };
    xml.open(element);
    xml.leaf(&format!("{element}Reason"), cut(reason, LONG));
    let percent = percent.map(|percent| percent.normalize().to_string());
    xml.optional(&format!("{element}Rate"), percent.as_deref());
    xml.leaf(&format!("{element}Amount"), &amount.to_string());
    xml.close(element);
}

fn two_digits(value: Decimal) -> String {
    format!("{value:.2}")
}

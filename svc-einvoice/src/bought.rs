//! Purchases as they are read: the invoice that a supplier sent, as `svc_business::purchases` takes it over.

use rust_decimal::Decimal;
use svc_business::contact::PaymentMethod as Method;
use svc_business::purchases::import::{
    ImportedAdjustment, ImportedInvoice, ImportedKind, ImportedLine, ImportedRate, ImportedSeller,
    ImportedTax,
};
use svc_business::trade::TaxCategory as Category;
use svc_core::error::Validator;

use crate::model::{
    Adjustment, CorrectionMethod, Invoice, Kind, Line, Party, PaymentMethod, Tax, TaxCategory, TaxRate,
};

/// The invoice to take over.
///
/// # Errors
/// What no document of purchases can be, by where it stands: `kind` (`invalid_value`: an offer) and `lines[0].tax` and
/// the like (`out_of_range`: no rate from 0 to 100 with at most four decimals).
pub fn imported_invoice(invoice: &Invoice) -> Result<ImportedInvoice, svc_core::error::ValidationErrors> {
    let mut validator = Validator::new();
    let kind = kind(&invoice.kind);
    validator.require(kind.is_some(), "kind", "invalid_value", "a proforma invoice or a quote is no invoice");
    let lines = invoice.lines.iter().enumerate();
    let lines: Vec<_> = lines.filter_map(|(at, one)| line(&mut validator, at, one)).collect();
    let discounts = adjustments(&mut validator, "discounts", &invoice.discounts);
    let charges = adjustments(&mut validator, "charges", &invoice.charges);
    let taxes = invoice.taxes.iter().enumerate();
    let taxes = taxes.filter_map(|(at, one)| tax(&mut validator, at, one)).collect();
    validator.finish()?;
    let delivered = invoice.delivery.as_ref().and_then(|delivery| delivery.date);
    Ok(ImportedInvoice {
        kind: kind.unwrap_or(ImportedKind::Invoice),
        number: invoice.number.clone(),
        issue_date: invoice.issue_date,
        operation_date: invoice.operation_date.or(delivered),
        due_date: invoice.payment.due_date,
        currency: invoice.currency,
        seller: seller(&invoice.seller),
        prices_include_tax: invoice.prices_include_tax,
        lines,
        discounts,
        charges,
        taxes,
        total: invoice.totals.total,
        payable: invoice.totals.payable,
        payment_method: invoice.payment.method.map(method),
        iban: invoice.payment.iban.clone(),
        notes: invoice.notes.clone(),
    })
}

fn kind(kind: &Kind) -> Option<ImportedKind> {
    match kind {
        Kind::Corrective(correction) if correction.method == CorrectionMethod::Substitution => {
            let numbers = correction.corrects.iter().map(|one| one.number.clone()).collect();
            Some(ImportedKind::Replacing { numbers })
        }
        Kind::Invoice | Kind::Corrective(_) => Some(ImportedKind::Invoice),
        Kind::Simplified => Some(ImportedKind::Simplified),
        Kind::Proforma | Kind::Quote => None,
    }
}

fn seller(party: &Party) -> ImportedSeller {
    let address = &party.address;
    ImportedSeller {
        name: party.name.clone(),
        trade_name: party.trade_name.clone(),
        is_person: party.is_person,
        tax_id: party.tax_id().map(str::to_owned),
        line1: address.street.clone(),
        line2: address.extra.clone(),
        postal_code: address.postcode.clone(),
        city: address.city.clone(),
        province: address.province.clone(),
        country: Some(address.country.clone()).filter(|country| !country.is_empty()),
        email: party.email.clone(),
        phone: party.phone.clone(),
    }
}

fn line(validator: &mut Validator, at: usize, line: &Line) -> Option<ImportedLine> {
    let tax = rate(validator, &format!("lines[{at}].tax"), line.tax)?;
    Some(ImportedLine {
        description: line.description.clone(),
        quantity: line.quantity,
        unit: line.unit.clone(),
        // A price that has no exact half, third and so on leaves the line as one piece.
        unit_price: line.unit_price.checked_div(line.price_quantity).unwrap_or(line.unit_price),
        discount_percent: line.discount_percent,
        net: line.net,
        tax,
        withholding_rate: line.withholding_rate,
    })
}

fn adjustments(validator: &mut Validator, list: &str, parts: &[Adjustment]) -> Vec<ImportedAdjustment> {
    let parts = parts.iter().enumerate().filter_map(|(at, part)| {
        let tax = rate(validator, &format!("{list}[{at}].tax"), part.tax)?;
        Some(ImportedAdjustment { reason: part.reason.clone(), amount: part.amount, tax })
    });
    parts.collect()
}

fn tax(validator: &mut Validator, at: usize, tax: &Tax) -> Option<ImportedTax> {
    let named = rate(validator, &format!("taxes[{at}]"), tax.tax)?;
    Some(ImportedTax { tax: named, base: tax.base, quota: tax.quota })
}

fn rate(validator: &mut Validator, field: &str, named: TaxRate) -> Option<ImportedRate> {
    let category = match named.category {
        TaxCategory::Standard => Category::Standard,
        TaxCategory::Zero => Category::Zero,
        TaxCategory::Exempt => Category::Exempt,
        TaxCategory::NotSubject => Category::NotSubject,
        TaxCategory::ReverseCharge => Category::ReverseCharge,
        TaxCategory::IntraCommunity => Category::IntraCommunity,
        TaxCategory::Export => Category::Export,
        TaxCategory::Igic => Category::Igic,
        TaxCategory::Ipsi => Category::Ipsi,
    };
    let rate = validator.take(field, "out_of_range", percent(named.rate).parse())?;
    Some(ImportedRate { category, rate })
}

fn percent(rate: Decimal) -> String {
    rate.normalize().to_string()
}

const fn method(method: PaymentMethod) -> Method {
    match method {
        PaymentMethod::Transfer => Method::Transfer,
        PaymentMethod::DirectDebit => Method::DirectDebit,
        PaymentMethod::Card => Method::Card,
        PaymentMethod::Cash => Method::Cash,
        PaymentMethod::Cheque | PaymentMethod::Offset | PaymentMethod::Other => Method::Other,
    }
}

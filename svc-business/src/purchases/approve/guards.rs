//! What a document must be to be approved.

use svc_core::error::{ValidationErrors, Validator};
use time::{Date, Duration};

use super::ApproveSetting;
use crate::purchases::document::{DocType, SettlementError, SupplierDocument};

/// Years in which tax can be deducted after it fell due (Ley 37/1992 art. 99.tres and 100).
const YEARS_TO_DEDUCT: i32 = 4;

/// Judges everything but the due date.
pub(super) fn judge(
    validator: &mut Validator,
    document: &SupplierDocument,
    setting: &ApproveSetting<'_>,
    date: Date,
) {
    match (document.supplier, setting.supplier) {
        (None, _) => validator.fail("supplierId", "required", "say who supplied it"),
        (Some(id), Some((supplier, contact))) if supplier.id == id && supplier.contact == contact.id => {}
        (Some(_), _) => validator.fail("supplierId", "unknown_reference", "the company has no such supplier"),
    }
    let message = "give the number that the supplier gave it";
    validator.require(document.number.is_some(), "number", "required", message);
    let some = !document.content.lines().is_empty();
    validator.require(some, "lines", "required", "must have at least one line");
    accounting_date(validator, document, setting.today, date);
    amounts(validator, document);
}

fn accounting_date(validator: &mut Validator, document: &SupplierDocument, today: Date, date: Date) {
    let mut require = |holds, message: String| {
        validator.require(holds, "accountingDate", "out_of_range", message);
    };
    require(date <= today, "must not be in the future".to_owned());
    let issued = document.issue_date;
    require(date >= issued, format!("must not be before the day of issue, {issued}"));
    if !document.doc_type.is_registered() {
        return;
    }
    let accrued = document.tax_date();
    require(date >= accrued || accrued <= issued, format!("must not be before the tax falls due, {accrued}"));
    let last = last_day(accrued);
    let message = "tax can be deducted until four years after it fell due";
    require(last.is_none_or(|last| date <= last), message.to_owned());
}

/// The last day on which tax can be deducted that fell due on this one.
fn last_day(accrued: Date) -> Option<Date> {
    let year = accrued.year().checked_add(YEARS_TO_DEDUCT)?;
    accrued.replace_year(year).ok().or_else(|| accrued.checked_add(Duration::days(1_461)))
}

fn amounts(validator: &mut Validator, document: &SupplierDocument) {
    let total = document.content.totals().total;
    let (fits, code, message) = match document.doc_type {
        DocType::CreditNote => {
            (total.minor() <= 0, "total_positive", "a credit note takes back: its total is below zero")
        }
        DocType::Invoice | DocType::SimplifiedInvoice | DocType::Expense | DocType::ImportVat => {
            (total.minor() >= 0, "total_negative", "only a credit note has a total below zero")
        }
    };
    validator.require(fits, "lines", code, message);
    if document.fx_rate().is_none() {
        let message = format!("say how many {} one unit is", document.base_currency);
        return validator.fail("fxRate", "required", message);
    }
    let converted = document.in_base(total).and_then(|_| document.in_base(document.payable()));
    validator.take("fxRate", "out_of_range", converted);
}

pub(super) fn no_supplier() -> ValidationErrors {
    ValidationErrors::one("supplierId", "required", "say who supplied it")
}

pub(super) fn no_rate() -> ValidationErrors {
    ValidationErrors::one("fxRate", "required", "the rate of exchange is not known")
}

pub(super) fn beyond_range(error: SettlementError) -> ValidationErrors {
    ValidationErrors::one("lines", "out_of_range", error.to_string())
}

//! What a document must be to be issued.

use svc_core::error::{ValidationErrors, Validator};
use svc_core::money::{Amount, Currency};
use time::Date;

use super::IssueSetting;
use crate::sales::document::{Content, DocType, Kind, Method, ReasonCode, SalesDocument, SettlementError};

/// The lines with the taxes of the day on which they fall due; `None` after findings.
pub(super) fn content(validator: &mut Validator, document: &SalesDocument, date: Date) -> Option<Content> {
    let some = !document.content.lines().is_empty();
    validator.require(some, "lines", "required", "must have at least one line");
    let content = match document.content.retaxed(document.operation_date.unwrap_or(date)) {
        Ok(content) => content,
        Err(invalid) => {
            invalid.0.into_iter().for_each(|error| validator.fail(error.field, error.code, error.message));
            return None;
        }
    };
    for (at, line) in content.lines().iter().enumerate().filter(|_| document.is_fiscal()) {
        let told = line.tax.exemptions.is_empty() || line.exemption.is_some();
        let field = format!("lines[{at}].exemptionCode");
        let message = format!("the tax {} wants a reason why it is not charged", line.tax.code);
        validator.require(told, &field, "required", message);
    }
    Some(content)
}

/// Judges everything but the lines.
pub(super) fn judge(
    validator: &mut Validator,
    document: &SalesDocument,
    content: &Content,
    setting: &IssueSetting<'_>,
    date: Date,
) {
    validator.require(date <= setting.today, "issueDate", "out_of_range", "must not be in the future");
    setting.series.judge_issue(validator, document.doc_type(), date);
    setting.issuer.judge(validator, document.is_fiscal());
    if needs_customer(&document.kind) {
        match &setting.customer {
            Some(customer) => customer.judge(validator),
            None => validator.fail("contactId", "customer_incomplete", "the document names no customer"),
        }
    }
    amounts(validator, document, content, setting);
}

fn amounts(
    validator: &mut Validator,
    document: &SalesDocument,
    content: &Content,
    setting: &IssueSetting<'_>,
) {
    let (total, payable) = (content.totals().total, content.totals().payable);
    let by_differences = document.kind.rectification().is_some_and(|one| one.method == Method::Differences);
    let message = "only a rectifying document by differences has a total below zero";
    validator.require(total.minor() >= 0 || by_differences, "lines", "total_negative", message);
    if document.fx_rate().is_none() {
        let message = format!("say how many {} one unit is", document.base_currency);
        return validator.fail("fxRate", "required", message);
    }
    let converted = document.in_base(total).and_then(|total| document.in_base(payable).map(|_| total));
    let Some(converted) = validator.take("fxRate", "out_of_range", converted) else { return };
    let limit = setting.simplified_limit.amount();
    // The limit is in euros: it says nothing where neither the document nor the books are.
    let euros = [total, converted].into_iter().find(|total| total.currency() == Currency::EUR);
    let holds = euros.is_none_or(|euros: Amount| euros.minor() <= limit.minor());
    let message = format!("a simplified invoice has a total of at most {limit} EUR");
    let simplified = document.doc_type() == DocType::SimplifiedInvoice;
    validator.require(holds || !simplified, "docType", "simplified_limit_exceeded", message);
}

/// A simplified invoice need not name its customer, nor need what rectifies one; a proforma and a quote are none.
const fn needs_customer(kind: &Kind) -> bool {
    match kind {
        Kind::Invoice => true,
        Kind::Rectifying { rectification } => !matches!(rectification.reason_code, ReasonCode::R5),
        Kind::SimplifiedInvoice | Kind::Proforma | Kind::Quote { .. } => false,
    }
}

pub(super) fn rate_missing() -> ValidationErrors {
    ValidationErrors::one("fxRate", "required", "the rate of exchange is not known")
}

pub(super) fn beyond_range(error: SettlementError) -> ValidationErrors {
    ValidationErrors::one("lines", "out_of_range", error.to_string())
}

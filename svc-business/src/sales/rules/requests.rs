//! The bodies of verbs from a client's input.

use svc_core::error::{ValidationErrors, Validator};
use svc_core::id::SalesDocumentId;
use svc_core::money::Amount;
use time::Date;

use super::lines::{LineDefaults, read_lines};
use crate::books::entry::FxRate;
use crate::contact::PaymentMethod;
use crate::party::{Email, calendar_date, line, paragraph};
use crate::sales::document::{Ids, SalesDocument};
use crate::sales::input::{IssueRequest, PaymentRequest, RectifyRequest, SendRequest};
use crate::sales::issue::IssueTerms;
use crate::sales::pay::{NewPayment, OffsetTerms};
use crate::sales::rectify::{Rectify, RectifyLines};

/// Recipients of a mail, and of its copies.
const MOST_RECIPIENTS: usize = 20;

/// What a client pays with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SomePayment {
    /// Money.
    Money(NewPayment),
    /// Another document.
    Offset(NewOffset),
}

/// A payment by another document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewOffset {
    /// The other document.
    pub document: SalesDocumentId,
    /// Amount, date and reference.
    pub terms: OffsetTerms,
}

/// A mail that is about to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sending {
    /// Recipients: 1 to 20.
    pub to: Vec<Email>,
    /// Recipients of copies: at most 20.
    pub cc: Vec<Email>,
    /// At most 200 characters.
    pub subject: Option<String>,
    /// At most 10,000 characters.
    pub message: Option<String>,
    /// Whether the PDF goes with it.
    pub attach_pdf: bool,
    /// Whether the electronic invoice goes with it.
    pub attach_xml: bool,
}

/// How a document is issued; the series is looked up by the use case.
///
/// # Errors
/// `invalid_date` on `issueDate`.
pub fn read_issue(request: &IssueRequest) -> Result<IssueTerms, ValidationErrors> {
    let mut validator = Validator::new();
    let issue_date = request.issue_date.as_deref();
    let issue_date = issue_date.and_then(|text| calendar_date(&mut validator, "issueDate", text));
    validator.finish()?;
    Ok(IssueTerms { issue_date, accept_late_tax: request.accept_late_tax })
}

/// A payment of this document.
///
/// # Errors
/// `invalid_amount` on `amount`, `invalid_date` on `date`, `invalid_rate` and `out_of_range` on `fxRate`, `required` and
/// `not_allowed` on `offsetDocumentId`, `not_allowed` on what an offset does not have.
pub fn read_payment(
    document: &SalesDocument,
    request: &PaymentRequest,
) -> Result<SomePayment, ValidationErrors> {
    let mut validator = Validator::new();
    let currency = document.content.currency();
    let amount = validator.take("amount", "invalid_amount", Amount::parse(&request.amount, currency));
    let date = calendar_date(&mut validator, "date", &request.date);
    let reference = request.reference.as_deref();
    let reference = reference.and_then(|text| line(&mut validator, "reference", text, 200));
    let fx_rate = request.fx_rate.as_deref();
    let fx_rate = fx_rate.and_then(|text| validator.take("fxRate", "invalid_rate", text.parse()));
    let same = currency == document.base_currency;
    let one = !same || fx_rate.is_none_or(|rate| rate == FxRate::ONE);
    validator.require(one, "fxRate", "out_of_range", format!("is 1 between {currency} and itself"));
    let by = means(&mut validator, request);
    validator.finish()?;
    let (amount, date, by) = (amount.expect(PASSED), date.expect(PASSED), by.expect(PASSED));
    Ok(match by {
        By::Document(document) => {
            SomePayment::Offset(NewOffset { document, terms: OffsetTerms { amount, date, reference } })
        }
        By::Money(method) => SomePayment::Money(NewPayment {
            amount,
            date,
            method,
            bank_account: request.bank_account,
            movement: request.movement,
            fx_rate,
            reference,
        }),
    })
}

/// Each member that is missing has left a finding.
const PASSED: &str = "nothing was found";

enum By {
    Money(PaymentMethod),
    Document(SalesDocumentId),
}

fn means(validator: &mut Validator, request: &PaymentRequest) -> Option<By> {
    let field = "offsetDocumentId";
    let Some(method) = request.method.money() else {
        for (field, given) in [
            ("bankAccountId", request.bank_account.is_some()),
            ("movementId", request.movement.is_some()),
            ("fxRate", request.fx_rate.is_some()),
        ] {
            validator.require(!given, field, "not_allowed", "an offset moves no money");
        }
        let document = request.offset_document;
        validator.require(document.is_some(), field, "required", "name the other document");
        return document.map(By::Document);
    };
    let none = request.offset_document.is_none();
    let message = "only the method offset names another document";
    validator.require(none, field, "not_allowed", message).then_some(By::Money(method))
}

/// How this document is put right; its lines are taxed as on its own day.
///
/// # Errors
/// Broken rules of `reason` and `lines`, and `required` or `not_allowed` on `lines` unless either they or `full` are
/// there.
pub fn read_rectify(
    original: &SalesDocument,
    request: &RectifyRequest,
    defaults: &LineDefaults,
    today: Date,
    ids: &Ids<'_>,
) -> Result<Rectify, ValidationErrors> {
    let mut validator = Validator::new();
    let reason = line(&mut validator, "reason", &request.reason, 500);
    let lines = if let Some(lines) = &request.lines {
        let message = "either lines or full: true, not both";
        validator.require(!request.full, "lines", "not_allowed", message);
        let tax_date = original.tax_date().unwrap_or(today);
        read_lines(&mut validator, lines, &[], defaults, tax_date, ids).map(RectifyLines::Lines)
    } else {
        let message = "give lines, or full: true for all of them";
        validator.require(request.full, "lines", "required", message).then_some(RectifyLines::Full)
    };
    validator.finish()?;
    Ok(Rectify {
        method: request.method,
        reason_code: request.reason_code,
        reason: reason.expect(PASSED),
        lines: lines.expect(PASSED),
    })
}

/// The mail that a document is sent with.
///
/// # Errors
/// `required` and `too_many` on `to` and `cc`, `invalid_email` on `to[0]` and `cc[0]`, and broken rules of `subject` and
/// `message`.
pub fn read_send(request: &SendRequest) -> Result<Sending, ValidationErrors> {
    let mut validator = Validator::new();
    validator.require(!request.to.is_empty(), "to", "required", "must name one recipient at least");
    let to = addresses(&mut validator, "to", &request.to);
    let cc = addresses(&mut validator, "cc", &request.cc);
    let subject = request.subject.as_deref();
    let subject = subject.and_then(|text| line(&mut validator, "subject", text, 200));
    let message = request.message.as_deref();
    let message = message.and_then(|text| paragraph(&mut validator, "message", text));
    validator.finish()?;
    let attach_pdf = request.attach_pdf.unwrap_or(true);
    Ok(Sending { to, cc, subject, message, attach_pdf, attach_xml: request.attach_xml })
}

fn addresses(validator: &mut Validator, field: &str, texts: &[String]) -> Vec<Email> {
    let message = format!("must name at most {MOST_RECIPIENTS} recipients");
    if !validator.require(texts.len() <= MOST_RECIPIENTS, field, "too_many", message) {
        return Vec::new();
    }
    let texts = texts.iter().enumerate();
    texts
        .filter_map(|(at, text)| validator.take(&format!("{field}[{at}]"), "invalid_email", text.parse()))
        .collect()
}

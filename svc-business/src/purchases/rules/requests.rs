//! The bodies of verbs from a client's input.

use svc_core::error::{ValidationErrors, Validator};
use svc_core::id::SupplierDocumentId;
use svc_core::money::Amount;

use crate::books::entry::FxRate;
use crate::contact::PaymentMethod;
use crate::party::{calendar_date, line};
use crate::purchases::approve::ApproveTerms;
use crate::purchases::document::SupplierDocument;
use crate::purchases::input::{ApproveRequest, PaymentRequest};
use crate::purchases::pay::{NewPayment, OffsetTerms};

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
    pub document: SupplierDocumentId,
    /// Amount, date and reference.
    pub terms: OffsetTerms,
}

/// How a document is approved.
///
/// # Errors
/// `invalid_date` on `accountingDate`.
pub fn read_approve(request: &ApproveRequest) -> Result<ApproveTerms, ValidationErrors> {
    let mut validator = Validator::new();
    let date = request.accounting_date.as_deref();
    let accounting_date = date.and_then(|text| calendar_date(&mut validator, "accountingDate", text));
    validator.finish()?;
    Ok(ApproveTerms { accounting_date, accept_late_tax: request.accept_late_tax })
}

/// A payment of this document.
///
/// # Errors
/// `invalid_amount` on `amount`, `invalid_date` on `date`, `invalid_rate` and `out_of_range` on `fxRate`, `required` and
/// `not_allowed` on `offsetDocumentId`, `not_allowed` on what an offset does not have.
pub fn read_payment(
    document: &SupplierDocument,
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
    Document(SupplierDocumentId),
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

//! What may still change of an approved document.

use svc_core::error::Validator;
use svc_core::patch::Patch;
use thiserror::Error;
use time::Date;

use crate::party::{ExtensionInput, calendar_date, extension, paragraphs, tags};
use crate::purchases::document::{Action, Approval, SupplierDocument, WrongState};
use crate::purchases::input::SupplierDocumentInput;

/// Why an approved document is not changed; each is a conflict.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum AmendRefused {
    /// It is not approved: one that was received may change in more, and one that was rejected or voided in nothing.
    #[error(transparent)]
    State(#[from] WrongState),
    /// The member was fixed when the document was approved: `document_approved`.
    #[error("{field} was fixed when the document was approved")]
    Fixed {
        /// The first such member, by its wire name.
        field: &'static str,
    },
}

/// An approved document with the input applied: `dueDate`, `notes`, `tags` and `metadata`; findings go to
/// `validator`.
///
/// # Errors
/// [`AmendRefused`] when the input has any other member.
pub fn amend(
    validator: &mut Validator,
    base: &SupplierDocument,
    input: &SupplierDocumentInput,
) -> Result<SupplierDocument, AmendRefused> {
    let approval = base.approved(Action::Update)?.clone();
    if let Some(field) = fixed(input) {
        return Err(AmendRefused::Fixed { field });
    }
    let mut after = base.clone();
    let due_date = due_date(validator, &input.due_date, base, &approval);
    paragraphs(validator, "notes", input.notes.clone(), &mut after.notes);
    tags(validator, "tags", input.tags.clone(), &mut after.tags);
    let own = ExtensionInput { external_id: Patch::Absent, metadata: input.metadata.clone() };
    extension(validator, own, &mut after.extension);
    Ok(after.with_approval(Approval { due_date, ..approval }))
}

/// The first member that may not change.
fn fixed(input: &SupplierDocumentInput) -> Option<&'static str> {
    let members = [
        ("docType", !input.doc_type.is_absent()),
        ("supplierId", !input.supplier.is_absent()),
        ("number", !input.number.is_absent()),
        ("issueDate", !input.issue_date.is_absent()),
        ("receivedDate", !input.received_date.is_absent()),
        ("operationDate", !input.operation_date.is_absent()),
        ("accountingDate", !input.accounting_date.is_absent()),
        ("currency", !input.currency.is_absent()),
        ("fxRate", !input.fx_rate.is_absent()),
        ("pricesIncludeTax", !input.prices_include_tax.is_absent()),
        ("lines", !input.lines.is_absent()),
        ("discount", !input.discount.is_absent()),
        ("taxAdjustments", !input.tax_adjustments.is_absent()),
        ("paymentMethod", !input.payment_method.is_absent()),
        ("iban", !input.iban.is_absent()),
        ("externalId", !input.external_id.is_absent()),
        ("allowDuplicate", input.allow_duplicate),
    ];
    members.into_iter().find(|(_, written)| *written).map(|(field, _)| field)
}

fn due_date(
    validator: &mut Validator,
    patch: &Patch<String>,
    base: &SupplierDocument,
    approval: &Approval,
) -> Date {
    let wanted = match patch {
        Patch::Absent => None,
        Patch::Null => {
            validator.fail("dueDate", "required", "an approved document has one");
            None
        }
        Patch::Value(text) => calendar_date(validator, "dueDate", text),
    };
    let due = wanted.unwrap_or(approval.due_date);
    let message = format!("must not be before the day of issue, {}", base.issue_date);
    validator.require(due >= base.issue_date, "dueDate", "out_of_range", message);
    due
}

//! What may still change of an issued document.

use svc_core::error::Validator;
use svc_core::patch::Patch;
use thiserror::Error;

use crate::party::{ExtensionInput, calendar_date, extension, optional_line, paragraphs, tags};
use crate::sales::document::{Action, Issue, SalesDocument, WrongState};
use crate::sales::input::SalesDocumentInput;

/// Why an issued document is not changed; each is a conflict.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum AmendRefused {
    /// It is a draft, of which more may change, or was voided: `not_issued` or `invoice_voided`.
    #[error(transparent)]
    State(#[from] WrongState),
    /// The member was fixed when the document was issued: `invoice_issued`.
    #[error("{field} was fixed when the document was issued")]
    Fixed {
        /// The first such member, by its wire name.
        field: &'static str,
    },
}

/// An issued document with the input applied: `dueDate`, `reference`, `internalNotes`, `tags` and `metadata`;
/// findings go to `validator`.
///
/// # Errors
/// [`AmendRefused`] when the input has any other member.
pub fn amend(
    validator: &mut Validator,
    base: &SalesDocument,
    input: &SalesDocumentInput,
) -> Result<SalesDocument, AmendRefused> {
    let issue = base.issued(Action::Update)?.clone();
    if let Some(field) = fixed(input) {
        return Err(AmendRefused::Fixed { field });
    }
    let mut after = base.clone();
    let due_date = due_date(validator, &input.due_date, &issue);
    paragraphs(validator, "internalNotes", input.internal_notes.clone(), &mut after.internal_notes);
    optional_line(validator, "reference", input.reference.clone(), &mut after.reference, 200);
    tags(validator, "tags", input.tags.clone(), &mut after.tags);
    let own = ExtensionInput { external_id: Patch::Absent, metadata: input.metadata.clone() };
    extension(validator, own, &mut after.extension);
    Ok(after.with_issue(Issue { due_date, ..issue }))
}

/// The first member that may not change.
fn fixed(input: &SalesDocumentInput) -> Option<&'static str> {
    let members = [
        ("docType", !input.doc_type.is_absent()),
        ("seriesId", !input.series.is_absent()),
        ("issueDate", !input.issue_date.is_absent()),
        ("operationDate", !input.operation_date.is_absent()),
        ("contactId", !input.contact.is_absent()),
        ("currency", !input.currency.is_absent()),
        ("fxRate", !input.fx_rate.is_absent()),
        ("pricesIncludeTax", !input.prices_include_tax.is_absent()),
        ("lines", !input.lines.is_absent()),
        ("discount", !input.discount.is_absent()),
        ("notes", !input.notes.is_absent()),
        ("paymentMethod", !input.payment_method.is_absent()),
        ("iban", !input.iban.is_absent()),
        ("rectifies", !input.rectifies.is_absent()),
        ("externalId", !input.external_id.is_absent()),
        ("issue", input.issue),
    ];
    members.into_iter().find(|(_, written)| *written).map(|(field, _)| field)
}

fn due_date(validator: &mut Validator, patch: &Patch<String>, issue: &Issue) -> time::Date {
    let wanted = match patch {
        Patch::Absent => None,
        Patch::Null => {
            validator.fail("dueDate", "required", "an issued document has one");
            None
        }
        Patch::Value(text) => calendar_date(validator, "dueDate", text),
    };
    let due = wanted.unwrap_or(issue.due_date);
    let message = format!("must not be before the day of issue, {}", issue.issue_date);
    validator.require(due >= issue.issue_date, "dueDate", "out_of_range", message);
    due
}

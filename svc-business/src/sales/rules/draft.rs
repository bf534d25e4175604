//! The next draft from a patch and the present one.

use std::collections::BTreeSet;

use svc_core::error::{ValidationErrors, Validator};
use svc_core::id::AccountId;
use svc_core::money::Currency;
use svc_core::patch::Patch;
use svc_core::pii::{Pii, PiiAccess};
use svc_core::resource::Version;
use time::Date;

use super::lines::{LineDefaults, read_lines};
use crate::invoicing::input::{currency, discount, fx_rate};
use crate::party::{
    Extension, ExtensionInput, Iban, date, extension, line, masked_null, masked_text, optional_line,
    paragraphs, parsed, tags,
};
use crate::sales::document::{
    Acceptance, Action, Content, DocType, Ids, Kind, Line, Plan, ReasonCode, Rectification, SalesDocument,
    Status, WrongState,
};
use crate::sales::input::{RectifiesInput, SalesDocumentInput};
use crate::trade::TaxCode;

/// Where the input meets the rules.
#[derive(Clone)]
pub struct Setting<'a> {
    /// Today by the company's calendar.
    pub today: Date,
    /// The instant, and ids.
    pub ids: Ids<'a>,
    /// How the caller sees personal data.
    pub access: PiiAccess,
    /// What lines are that do not say.
    pub defaults: LineDefaults,
    /// Whether the document is new.
    pub creating: bool,
}

impl SalesDocument {
    /// A document as it is before the input of its creation.
    #[must_use]
    pub fn blank(company: AccountId, base_currency: Currency, ids: &Ids<'_>) -> Self {
        Self {
            id: ids.make(),
            company,
            kind: Kind::Invoice,
            status: Status::Draft { plan: Plan::default() },
            contact: None,
            content: Content::new(base_currency, false, Vec::new(), None).expect("nothing is wrong with it"),
            base_currency,
            operation_date: None,
            notes: None,
            internal_notes: None,
            reference: None,
            payment_method: None,
            iban: None,
            source: None,
            tags: Vec::new(),
            extension: Extension::default(),
            version: Version::FIRST,
            created_at: ids.now,
            updated_at: ids.now,
        }
    }
}

/// `base` with the input applied; findings go to `validator`, each with the field as the client wrote it.
///
/// # Errors
/// [`WrongState`] unless `base` is a draft: see [`amend`](super::amend).
pub fn draft(
    validator: &mut Validator,
    base: &SalesDocument,
    input: &SalesDocumentInput,
    setting: &Setting<'_>,
) -> Result<SalesDocument, WrongState> {
    let mut plan = base.plan(Action::Update)?;
    let mut after = base.clone();
    let once = setting.creating || !input.issue;
    validator.require(once, "issue", "not_allowed", "issue the document by its own action");
    kind(validator, &mut after, input, setting.creating);
    dates(validator, &mut after, &mut plan, input);
    plan.series = input.series.over(plan.series);
    after.contact = input.contact.over(after.contact);
    let needed = after.contact.is_some() || may_be_anonymous(&after.kind);
    validator.require(needed, "contactId", "required", "only a simplified invoice names no customer");
    let base_currency = after.base_currency;
    let currency = currency(validator, &input.currency, (base.content.currency(), base_currency));
    fx_rate(validator, &input.fx_rate, &mut plan.fx_rate, (currency, base_currency));
    if let Some(content) = content(validator, &after, plan, input, currency, setting) {
        after.content = content;
    }
    after.status = Status::Draft { plan };
    texts(validator, &mut after, input, setting);
    Ok(after)
}

/// A simplified invoice, and what puts one right.
fn may_be_anonymous(kind: &Kind) -> bool {
    match kind {
        Kind::SimplifiedInvoice => true,
        Kind::Rectifying { rectification } => rectification.reason_code == ReasonCode::R5,
        Kind::Invoice | Kind::Proforma | Kind::Quote { .. } => false,
    }
}

fn kind(validator: &mut Validator, after: &mut SalesDocument, input: &SalesDocumentInput, creating: bool) {
    let doc_type = match input.doc_type {
        Patch::Value(doc_type) => doc_type,
        Patch::Absent if !creating => after.doc_type(),
        Patch::Absent | Patch::Null => return validator.fail("docType", "required", "must be present"),
    };
    let none = doc_type == DocType::Rectifying || !matches!(input.rectifies, Patch::Value(_));
    validator.require(none, "rectifies", "not_allowed", "only a rectifying document puts others right");
    after.kind = match doc_type {
        DocType::Invoice => Kind::Invoice,
        DocType::SimplifiedInvoice => Kind::SimplifiedInvoice,
        DocType::Rectifying => rectifying(validator, after, input),
        DocType::Proforma => Kind::Proforma,
        DocType::Quote => Kind::Quote { acceptance: Acceptance::Pending },
    };
}

/// A rectifying document, or what the document was before after a finding.
fn rectifying(validator: &mut Validator, after: &SalesDocument, input: &SalesDocumentInput) -> Kind {
    let rectification = match &input.rectifies {
        Patch::Value(rectifies) => read_rectification(validator, rectifies),
        Patch::Absent if after.kind.rectification().is_some() => None,
        Patch::Absent | Patch::Null => {
            let message = "a rectifying document says what it puts right";
            validator.fail("rectifies", "required", message);
            None
        }
    };
    rectification.map_or_else(|| after.kind.clone(), |rectification| Kind::Rectifying { rectification })
}

fn read_rectification(validator: &mut Validator, input: &RectifiesInput) -> Option<Rectification> {
    let field = "rectifies.documentIds";
    let some = !input.documents.is_empty();
    validator.require(some, field, "required", "must name one document at least");
    validator.require(input.documents.len() <= 100, field, "too_many", "must name at most 100 documents");
    let mut seen = BTreeSet::new();
    for (at, id) in input.documents.iter().enumerate() {
        let field = format!("{field}[{at}]");
        validator.require(seen.insert(*id), &field, "duplicate", "the document is there twice");
    }
    let reason = line(validator, "rectifies.reason", &input.reason, 500)?;
    Some(Rectification {
        originals: input.documents.clone(),
        method: input.method,
        reason_code: input.reason_code,
        reason,
    })
}

fn dates(validator: &mut Validator, after: &mut SalesDocument, plan: &mut Plan, input: &SalesDocumentInput) {
    date(validator, "issueDate", &input.issue_date, &mut plan.issue_date);
    date(validator, "operationDate", &input.operation_date, &mut after.operation_date);
    date(validator, "dueDate", &input.due_date, &mut plan.due_date);
    let in_order = plan.due_date.zip(plan.issue_date).is_none_or(|(due, issued)| due >= issued);
    validator.require(in_order, "dueDate", "out_of_range", "must not be before issueDate");
}

/// Lines and what is computed of them; `None` after findings.
fn content(
    validator: &mut Validator,
    after: &SalesDocument,
    plan: Plan,
    input: &SalesDocumentInput,
    currency: Option<Currency>,
    setting: &Setting<'_>,
) -> Option<Content> {
    let before = &after.content;
    let tax_date = after.operation_date.or(plan.issue_date).unwrap_or(setting.today);
    let lines = match &input.lines {
        Patch::Absent if input.issue_date.is_absent() && input.operation_date.is_absent() => {
            Some(before.lines().to_vec())
        }
        Patch::Absent => retaxed(validator, before.lines(), tax_date),
        Patch::Null => Some(Vec::new()),
        Patch::Value(lines) => {
            read_lines(validator, lines, before.lines(), &setting.defaults, tax_date, &setting.ids)
        }
    };
    let prices_include_tax = match input.prices_include_tax {
        Patch::Absent => before.prices_include_tax(),
        Patch::Value(included) => included,
        Patch::Null => {
            validator.fail("pricesIncludeTax", "required", "cannot be null");
            return None;
        }
    };
    let discount = discount(validator, &input.discount, before.discount(), currency?)?;
    match Content::new(currency?, prices_include_tax, lines?, discount) {
        Ok(content) => Some(content),
        Err(ValidationErrors(found)) => {
            for error in found {
                validator.fail(error.field, error.code, error.message);
            }
            None
        }
    }
}

/// The lines with the taxes of another day.
fn retaxed(validator: &mut Validator, lines: &[Line], on: Date) -> Option<Vec<Line>> {
    let mut retaxed = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        if let Some(tax) = TaxCode::find(line.tax.code, on) {
            retaxed.push(Line { tax, ..line.clone() });
        } else {
            let message = format!("there is no tax {} on {on}", line.tax.code);
            validator.fail(format!("lines[{at}].taxCode"), "invalid_tax_code", message);
        }
    }
    (retaxed.len() == lines.len()).then_some(retaxed)
}

fn texts(
    validator: &mut Validator,
    after: &mut SalesDocument,
    input: &SalesDocumentInput,
    setting: &Setting<'_>,
) {
    paragraphs(validator, "notes", input.notes.clone(), &mut after.notes);
    paragraphs(validator, "internalNotes", input.internal_notes.clone(), &mut after.internal_notes);
    optional_line(validator, "reference", input.reference.clone(), &mut after.reference, 200);
    after.payment_method = input.payment_method.over(after.payment_method);
    // A new document has nothing that null could destroy.
    let unseen = !setting.creating && masked_null(validator, "iban", &input.iban, setting.access);
    if !unseen && !masked_text(validator, "iban", &input.iban) {
        parsed(validator, "iban", "invalid_iban", &input.iban, &mut after.iban, Pii::<Iban>::new);
    }
    tags(validator, "tags", input.tags.clone(), &mut after.tags);
    let own = ExtensionInput { external_id: input.external_id.clone(), metadata: input.metadata.clone() };
    extension(validator, own, &mut after.extension);
}

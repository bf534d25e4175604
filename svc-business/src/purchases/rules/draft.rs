//! The next document from a patch and the present one.

use svc_core::error::{ValidationErrors, Validator};
use svc_core::money::{Amount, Currency};
use svc_core::patch::Patch;
use svc_core::pii::{Pii, PiiAccess};
use time::Date;

use super::lines::{LineDefaults, judge_type, read_lines};
use crate::invoicing::input::{currency, discount, fx_rate};
use crate::party::{
    ExtensionInput, Iban, calendar_date, date, extension, masked_null, masked_text, paragraphs, parsed, tags,
};
use crate::purchases::document::{
    Action, Content, Ids, Line, Plan, Status, SupplierDocument, SupplierNumber, WrongState,
};
use crate::purchases::input::{SupplierDocumentInput, TaxAdjustmentInput};
use crate::trade::TaxCode;
use crate::trade::calculation::TaxAdjustment;

/// Taxes of one document that state their quota.
const MOST_ADJUSTMENTS: usize = 50;

/// Where the input meets the rules.
#[derive(Clone)]
pub struct Setting<'a> {
    /// Today by the company's calendar.
    pub today: Date,
    /// The instant, and ids.
    pub ids: Ids<'a>,
    /// How the caller sees personal data.
    pub access: PiiAccess,
    /// What lines are that do not say: of the supplier that the input names, or else of the present one.
    pub defaults: LineDefaults,
    /// Whether the document is new.
    pub creating: bool,
}

/// `base` with the input applied; findings go to `validator`, each with the field as the client wrote it.
///
/// # Errors
/// [`WrongState`] once `base` is judged: see [`amend`](super::amend).
pub fn draft(
    validator: &mut Validator,
    base: &SupplierDocument,
    input: &SupplierDocumentInput,
    setting: &Setting<'_>,
) -> Result<SupplierDocument, WrongState> {
    let mut plan = base.plan(Action::Update)?;
    let mut after = base.clone();
    match input.doc_type {
        Patch::Value(doc_type) => after.doc_type = doc_type,
        Patch::Absent if !setting.creating => {}
        Patch::Absent | Patch::Null => validator.fail("docType", "required", "must be present"),
    }
    after.supplier = input.supplier.over(after.supplier);
    number(validator, &mut after, input);
    dates(validator, &mut after, &mut plan, input, setting);
    let base_currency = after.base_currency;
    let currency = currency(validator, &input.currency, (base.content.currency(), base_currency));
    fx_rate(validator, &input.fx_rate, &mut plan.fx_rate, (currency, base_currency));
    if let Some(content) = content(validator, &after, input, currency, setting) {
        judge_type(validator, after.doc_type, content.lines());
        after.content = content;
    }
    after.status = Status::Received { plan };
    texts(validator, &mut after, input, setting);
    Ok(after)
}

/// The number. A new one is no duplicate unless the input allows it once more.
fn number(validator: &mut Validator, after: &mut SupplierDocument, input: &SupplierDocumentInput) {
    let before = (after.number.clone(), after.issue_date);
    match &input.number {
        Patch::Absent => {}
        Patch::Null => after.number = None,
        Patch::Value(text) => {
            after.number = SupplierNumber::read(validator, "number", text).or(after.number.take());
        }
    }
    let same = before.0 == after.number && input.supplier.is_absent();
    after.shares_number = input.allow_duplicate || (same && after.shares_number);
}

fn dates(
    validator: &mut Validator,
    after: &mut SupplierDocument,
    plan: &mut Plan,
    input: &SupplierDocumentInput,
    setting: &Setting<'_>,
) {
    match &input.issue_date {
        Patch::Value(text) => {
            let date = calendar_date(validator, "issueDate", text);
            after.issue_date = date.unwrap_or(after.issue_date);
        }
        Patch::Absent if !setting.creating => {}
        Patch::Absent | Patch::Null => validator.fail("issueDate", "required", "must be present"),
    }
    let mut received = Some(after.received_date);
    date(validator, "receivedDate", &input.received_date, &mut received);
    after.received_date = received.unwrap_or(setting.today);
    date(validator, "operationDate", &input.operation_date, &mut after.operation_date);
    date(validator, "accountingDate", &input.accounting_date, &mut plan.accounting_date);
    date(validator, "dueDate", &input.due_date, &mut plan.due_date);
    let (issued, received) = (after.issue_date, after.received_date);
    let past = received <= setting.today;
    validator.require(past, "receivedDate", "out_of_range", "must not be in the future");
    let message = format!("must not be before the day of issue, {issued}");
    validator.require(received >= issued || !past, "receivedDate", "out_of_range", message.clone());
    let in_order = plan.due_date.is_none_or(|due| due >= issued);
    validator.require(in_order, "dueDate", "out_of_range", message.clone());
    let in_order = plan.accounting_date.is_none_or(|booked| booked >= issued);
    validator.require(in_order, "accountingDate", "out_of_range", message);
}

/// Lines and what is computed of them; `None` after findings.
fn content(
    validator: &mut Validator,
    after: &SupplierDocument,
    input: &SupplierDocumentInput,
    currency: Option<Currency>,
    setting: &Setting<'_>,
) -> Option<Content> {
    let before = &after.content;
    let tax_date = after.tax_date();
    let lines = match &input.lines {
        Patch::Absent => retaxed(validator, before.lines(), tax_date),
        Patch::Null => Some(Vec::new()),
        Patch::Value(lines) => {
            let defaults = setting.defaults.for_type(after.doc_type);
            read_lines(validator, lines, before.lines(), &defaults, tax_date, &setting.ids)
        }
    };
    let prices_include_tax = match input.prices_include_tax {
        Patch::Absent => Some(before.prices_include_tax()),
        Patch::Value(included) => Some(included),
        Patch::Null => {
            validator.fail("pricesIncludeTax", "required", "cannot be null");
            None
        }
    };
    let discount = discount(validator, &input.discount, before.discount(), currency?);
    let adjustments = adjustments(validator, &input.tax_adjustments, before.adjustments(), currency?);
    match Content::new(currency?, prices_include_tax?, lines?, discount?, adjustments?) {
        Ok(content) => Some(content),
        Err(ValidationErrors(found)) => {
            for error in found {
                validator.fail(error.field, error.code, error.message);
            }
            None
        }
    }
}

/// The lines with the taxes of the day; as they are where those hold on it.
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

/// The stated quotas after the patch; `None` after a finding. Whether each fits is judged with the lines.
fn adjustments(
    validator: &mut Validator,
    patch: &Patch<Vec<TaxAdjustmentInput>>,
    present: &[TaxAdjustment],
    currency: Currency,
) -> Option<Vec<TaxAdjustment>> {
    let given = match patch {
        Patch::Absent => return Some(present.to_vec()),
        Patch::Null => return Some(Vec::new()),
        Patch::Value(given) => given,
    };
    let message = format!("must state at most {MOST_ADJUSTMENTS} quotas");
    if !validator.require(given.len() <= MOST_ADJUSTMENTS, "taxAdjustments", "too_many", message) {
        return None;
    }
    let mut read = Vec::with_capacity(given.len());
    for (at, one) in given.iter().enumerate() {
        let field = format!("taxAdjustments[{at}].quota");
        let quota = validator.take(&field, "invalid_amount", Amount::parse(&one.quota, currency));
        read.extend(quota.map(|quota| TaxAdjustment { tax_code: one.tax_code.clone(), quota }));
    }
    (read.len() == given.len()).then_some(read)
}

fn texts(
    validator: &mut Validator,
    after: &mut SupplierDocument,
    input: &SupplierDocumentInput,
    setting: &Setting<'_>,
) {
    paragraphs(validator, "notes", input.notes.clone(), &mut after.notes);
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

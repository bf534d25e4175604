//! What a case is after a client's input, and the rules that it must pass.

use std::collections::BTreeSet;

use svc_core::error::{StoreError, Validator};
use svc_core::id::ContactId;
use svc_core::money::{Amount, Currency};
use svc_core::patch::Patch;
use time::Date;

use crate::case::{Case, CaseInput, CaseStatus, Priority, StatusInput, link};
use crate::contact::Contact;
use crate::membership::judge_member;
use crate::party::{ExtensionInput, date, extension, line, paragraphs, parsed, tags};
use crate::ports::DynCaseUnit;
use crate::record::Home;

/// How many contacts may take part beside the one that a case is for.
const MOST_PARTICIPANTS: usize = 50;

/// `base` with the input applied, references aside; findings go to `validator`.
pub(super) fn apply(
    validator: &mut Validator,
    base: &Case,
    input: &CaseInput,
    company_currency: Currency,
    creating: bool,
) -> Case {
    let mut after = base.clone();
    match &input.title {
        Patch::Absent if !creating => {}
        Patch::Absent | Patch::Null => validator.fail("title", "required", "must be present"),
        Patch::Value(text) => after.title = line(validator, "title", text, 200).unwrap_or_default(),
    }
    match input.case_type {
        Patch::Absent if !creating => {}
        Patch::Absent | Patch::Null => validator.fail("type", "required", "must be present"),
        Patch::Value(case_type) => after.case_type = case_type,
    }
    paragraphs(validator, "description", input.description.clone(), &mut after.description);
    after.priority = input.priority.over(Some(after.priority)).unwrap_or(Priority::Normal);
    match input.status {
        Patch::Absent => {}
        Patch::Null => validator.fail("status", "required", "cannot be null"),
        Patch::Value(status) => after.status = status.into(),
    }
    dates(validator, &mut after, input);
    link::apply(validator, &input.links, &mut after.links);
    fees(validator, &mut after, input, company_currency);
    tags(validator, "tags", input.tags.clone(), &mut after.tags);
    let attached =
        ExtensionInput { external_id: input.external_id.clone(), metadata: input.metadata.clone() };
    extension(validator, attached, &mut after.extension);
    after
}

impl From<StatusInput> for CaseStatus {
    fn from(status: StatusInput) -> Self {
        match status {
            StatusInput::Open => Self::Open,
            StatusInput::InProgress => Self::InProgress,
            StatusInput::OnHold => Self::OnHold,
        }
    }
}

fn dates(validator: &mut Validator, after: &mut Case, input: &CaseInput) {
    let mut opened: Option<Date> = Some(after.opened_on);
    date(validator, "openedOn", &input.opened_on, &mut opened);
    match opened {
        Some(opened) => after.opened_on = opened,
        None => validator.fail("openedOn", "required", "cannot be null"),
    }
    date(validator, "dueOn", &input.due_on, &mut after.due_on);
    let in_order = after.due_on.is_none_or(|due| due >= after.opened_on);
    validator.require(in_order, "dueOn", "out_of_range", "must not be before openedOn");
}

/// The amount is read in its currency, so both are judged together.
fn fees(validator: &mut Validator, after: &mut Case, input: &CaseInput, company_currency: Currency) {
    let mut currency = after.estimated_fees.map(Amount::currency);
    parsed(validator, "currency", "invalid_currency", &input.currency, &mut currency, |currency| currency);
    let currency = currency.unwrap_or(company_currency);
    after.estimated_fees = match (&input.estimated_fees, after.estimated_fees) {
        (Patch::Null, _) | (Patch::Absent, None) => None,
        (Patch::Absent, Some(fees)) => {
            let message = "the amount is in another currency: send estimatedFees as well";
            validator.require(fees.currency() == currency, "estimatedFees", "required", message);
            Some(fees)
        }
        (Patch::Value(text), _) => {
            let amount = validator.take("estimatedFees", "invalid_amount", Amount::parse(text, currency));
            amount.filter(|amount| {
                let message = "must not be negative";
                validator.require(amount.minor() >= 0, "estimatedFees", "out_of_range", message)
            })
        }
    };
    let orphan = matches!(input.currency, Patch::Value(_)) && after.estimated_fees.is_none();
    let passed = validator.passed();
    validator.require(
        !(orphan && passed),
        "currency",
        "not_allowed",
        "there are no estimatedFees to count in it",
    );
}

/// Reads what the input refers to; findings go to `validator`.
pub(super) async fn refer(
    validator: &mut Validator,
    home: &Home<'_, DynCaseUnit>,
    after: &mut Case,
    input: &CaseInput,
    creating: bool,
) -> Result<(), StoreError> {
    let named = named(validator, after, input, creating);
    let ids: Vec<ContactId> = named.iter().map(|(_, id)| *id).collect();
    let known = home.referred::<Contact>(home.unit.contacts(), &ids).await?;
    for (field, id) in named {
        let message = "no contact of the same company has this id";
        validator.require(known.iter().any(|one| one.id == id), &field, "unknown_reference", message);
    }
    if let Some(user) = input.responsible.over(after.responsible)
        && after.responsible != Some(user)
    {
        judge_member(validator, home.unit.people(), (home.company.id, user), "responsibleUserId").await?;
        after.responsible = Some(user);
    } else if matches!(input.responsible, Patch::Null) {
        after.responsible = None;
    }
    Ok(())
}

/// The contacts that the input newly names, each with the member that names it.
fn named(
    validator: &mut Validator,
    after: &mut Case,
    input: &CaseInput,
    creating: bool,
) -> Vec<(String, ContactId)> {
    let mut named = Vec::new();
    match input.contact {
        Patch::Absent if !creating => {}
        Patch::Absent | Patch::Null => validator.fail("contactId", "required", "must be present"),
        Patch::Value(contact) => {
            named.push(("contactId".to_owned(), contact));
            after.contact = contact;
        }
    }
    let wanted = match &input.participants {
        Patch::Absent => return named,
        Patch::Null => Vec::new(),
        Patch::Value(wanted) => wanted.clone(),
    };
    let field = "participantContactIds";
    let message = format!("must name at most {MOST_PARTICIPANTS} contacts");
    if !validator.require(wanted.len() <= MOST_PARTICIPANTS, field, "too_many", message) {
        return named;
    }
    let mut seen = BTreeSet::new();
    for (at, contact) in wanted.iter().enumerate() {
        let field = format!("{field}[{at}]");
        let new = seen.insert(*contact);
        if validator.require(new, &field, "duplicate", "the same contact is there twice")
            && !after.participants.contains(contact)
        {
            named.push((field, *contact));
        }
    }
    after.participants = wanted;
    named
}

//! A case as a response carries it. Nothing in it is masked.

use std::collections::BTreeMap;

use http::StatusCode;
use svc_business::case::{Case, CaseLinkText, CaseStatus, CaseType, Outcome, Priority};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, CaseId, ContactId, UserId};
use svc_core::resource::Resource;
use svc_core::wire::Form;
use svc_core::wire_view;

use crate::answer::Answer;

wire_view! {
    /// What a company works on for a contact.
    #[derive(Debug)]
    pub(crate) struct View as "Case" {
        id: CaseId,
        object: &'static str => Form::one_of(&["case"]),
        company_id: AccountId,
        version: i64,
        /// `YYYY-NNNN`, counted per company and year.
        number: String => Form::pattern("^[0-9]{4}-[0-9]{4,}$").example("2025-0001"),
        title: String => Form::ANY.example("VAT inspection 2025"),
        description: Option<String>,
        r#type: CaseType,
        status: &'static str => Form::one_of(CaseStatus::NAMES),
        priority: Priority,
        /// Whom it is for.
        contact_id: ContactId,
        /// Who else takes part.
        participant_contact_ids: Vec<ContactId> => Form::ANY.json("[]"),
        /// The member of the company that is responsible for it.
        responsible_user_id: Option<UserId> => Form::ANY.json("null"),
        /// By the company's calendar.
        opened_on: String => Form::DATE,
        due_on: Option<String> => Form::DATE.json("null"),
        /// When a closed case was closed, by the company's calendar.
        closed_on: Option<String> => Form::DATE.json("null"),
        /// How a closed case ended.
        outcome: Option<Outcome> => Form::ANY.json("null"),
        /// Records that belong to it.
        links: Vec<CaseLinkText> => Form::ANY.json("[]"),
        /// A decimal string with the digits of the currency.
        estimated_fees: Option<String> => Form::ANY.example("1210.00"),
        /// ISO 4217, of the estimated fees.
        currency: Option<&'static str> => Form::pattern("^[A-Z]{3}$").example("EUR"),
        tags: Vec<String> => Form::ANY.json("[]"),
        external_id: Option<String>,
        metadata: BTreeMap<String, String> => Form::ANY.json(r#"{"region":"north"}"#),
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

/// A single case as an answer.
pub(super) fn answer(status: StatusCode, case: &Case) -> Answer {
    Answer::plain(status, &View::of(case)).of(case.company).version(case.version)
}

impl View {
    pub(super) fn of(case: &Case) -> Self {
        let (outcome, closed_on) = match case.status {
            CaseStatus::Open | CaseStatus::InProgress | CaseStatus::OnHold => (None, None),
            CaseStatus::Closed { outcome, on } => (Some(outcome), Some(on.to_string())),
        };
        Self {
            id: case.id,
            object: Case::NAME,
            company_id: case.company,
            version: case.version.as_i64(),
            number: case.number.to_string(),
            title: case.title.clone(),
            description: case.description.clone(),
            r#type: case.case_type,
            status: case.status.name(),
            priority: case.priority,
            contact_id: case.contact,
            participant_contact_ids: case.participants.clone(),
            responsible_user_id: case.responsible,
            opened_on: case.opened_on.to_string(),
            due_on: case.due_on.map(|due| due.to_string()),
            closed_on,
            outcome,
            links: case.links.iter().copied().map(CaseLinkText::from).collect(),
            estimated_fees: case.estimated_fees.map(|fees| fees.to_string()),
            currency: case.estimated_fees.map(|fees| fees.currency().code()),
            tags: case.tags.clone(),
            external_id: case.extension.external_id.clone(),
            metadata: case.extension.metadata.clone(),
            created_at: case.created_at,
            updated_at: case.updated_at,
        }
    }
}

//! What a client writes of a case.

use std::collections::BTreeMap;

use svc_core::id::{ContactId, UserId};
use svc_core::patch::Patch;
use svc_core::wire::Form;
use svc_core::{wire_names, wire_patch, wire_request};

use crate::case::{CaseLinkText, CaseType, Outcome, Priority};
use crate::party::form;

wire_patch! {
    /// What a company works on for a contact, as a client writes it.
    pub struct CaseInput as "Case" in company computed [number, closedOn, outcome] {
        /// What it is about.
        [always] title: Patch<String> => Form::text(1, 200).example("VAT inspection 2025"),
        /// More about it.
        description: Patch<String> => Form::text(0, 10_000),
        /// What kind of work it is.
        [always] case_type as "type": Patch<CaseType> => Form::ANY.example("tax"),
        /// Where it is in its life. `POST /cases/{id}/close` closes a case, `/reopen` brings it back.
        [update] status: Patch<StatusInput>,
        /// How urgent it is, normal unless said otherwise.
        priority: Patch<Priority>,
        /// Whom it is for: a contact of the same company.
        [always] contact as "contactId": Patch<ContactId>,
        /// Who else takes part: contacts of the same company, each once.
        participants as "participantContactIds": Patch<Vec<ContactId>> => Form::list(0, 50, &Form::ANY).json("[]"),
        /// A member of the company.
        responsible as "responsibleUserId": Patch<UserId>,
        /// When it was opened, by the company's calendar; today when left out.
        [kept] opened_on: Patch<String> => Form::DATE,
        /// When it is due: not before it was opened.
        due_on: Patch<String> => Form::DATE,
        /// Records that belong to it, of the same company, each once.
        links: Patch<Vec<CaseLinkText>> => Form::list(0, 50, &Form::ANY).json("[]"),
        /// What it is expected to bring: a decimal string with the digits of the currency.
        estimated_fees: Patch<String> => Form::pattern(r"^[0-9]{1,13}(\.[0-9]{1,4})?$").length(1, 19).example("1210.00"),
        /// ISO 4217, of the estimated fees; the company's when left out.
        currency: Patch<String> => form::CURRENCY,
        /// Free labels, no two alike.
        tags: Patch<Vec<String>> => form::TAGS,
        /// An integrator's own id, unique per company.
        external_id: Patch<String> => form::EXTERNAL_ID,
        /// An integrator's own pairs, at most 50; null for a key removes it.
        metadata: Patch<BTreeMap<String, Option<String>>> => form::METADATA,
    }
}

/// The statuses that a client may set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusInput {
    /// `open`
    Open,
    /// `in_progress`
    InProgress,
    /// `on_hold`
    OnHold,
}

wire_names!(StatusInput { Open = "open", InProgress = "in_progress", OnHold = "on_hold" });

wire_request! {
    /// How a case ends.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct CloseRequest as "CaseClose" {
        /// How it ended.
        pub outcome: Outcome => Form::ANY.example("resolved"),
        /// What is to be remembered of it.
        pub note: Option<String> => Form::text(1, 10_000),
    }
}

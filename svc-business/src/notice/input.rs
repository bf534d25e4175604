//! What a client writes of a notice.

use svc_core::id::{AccountId, CaseId, UserId};
use svc_core::patch::Patch;
use svc_core::wire::Form;
use svc_core::{wire_patch, wire_request};

use super::{NoticeKind, NoticeSource};
use crate::party::form;

wire_request! {
    /// A notice that is recorded.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct NoticeRequest as "NoticeCreate" {
        /// The company; the token's primary account when left out.
        pub company_id: Option<AccountId>,
        /// Where it was made available.
        pub source: NoticeSource => Form::ANY.example("aeat"),
        /// Whether it is served on the company.
        pub kind: NoticeKind => Form::ANY.example("notification"),
        /// Who sent it.
        pub issuer: String => Form::text(1, 200).example("Agencia Tributaria"),
        /// What it is about.
        pub subject: String => Form::text(1, 500).example("Requerimiento de información, IVA 1T 2025"),
        /// What its source calls it: one notice of a source has it.
        pub reference: String => Form::text(1, 100).example("2025N0001234"),
        /// Whom it names.
        pub recipient_tax_id: Option<String> => form::TAX_ID,
        /// When it was made available, not later than now.
        pub available_at: String => Form::INSTANT,
        /// By when it is to be answered.
        pub response_due_on: Option<String> => Form::DATE,
        /// The case that it belongs to, of the same company.
        pub case_id: Option<CaseId>,
        /// The member of the company that sees to it.
        pub assigned_user_id: Option<UserId>,
    }
}

wire_patch! {
    /// What people say of a notice: nothing of what its source said changes.
    pub struct NoticePatch as "Notice"
        computed [
            source, kind, issuer, subject, reference, recipientTaxId, availableAt, expiresOn, status, accessedAt, rejectedAt
        ]
    {
        /// By when it is to be answered.
        response_due_on: Patch<String> => Form::DATE,
        /// The same as a term of working days (Ley 39/2015, article 30.2) from the day after a notification was served, without
        /// Saturdays, Sundays and the holidays of the whole country: `responseDueOn` says its last day.
        response_working_days: Patch<u32> => Form::range(1, 366).number(10),
        /// The same as a term of natural days, which ends on a working day.
        response_natural_days: Patch<u32> => Form::range(1, 366).number(30),
        /// The case that it belongs to, of the same company.
        case as "caseId": Patch<CaseId>,
        /// The member of the company that sees to it.
        assigned as "assignedUserId": Patch<UserId>,
        /// Whether all is done that it asks for.
        [kept] handled: Patch<bool> => Form::ANY.json("true"),
    }
}

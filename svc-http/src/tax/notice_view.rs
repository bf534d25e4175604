//! A notice as a response carries it.

use svc_business::notice::{Notice, NoticeKind, NoticeSource, NoticeStatus};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, CaseId, NoticeId, UserId};
use svc_core::pii::{PiiAccess, Shown};
use svc_core::resource::Resource;
use svc_core::wire::Form;
use svc_core::wire_view;

wire_view! {
    /// What a public body notifies a company of.
    #[derive(Debug)]
    pub(super) struct NoticeView as "Notice" {
        id: NoticeId,
        object: &'static str => Form::one_of(&["notice"]),
        company_id: AccountId,
        version: i64,
        source: NoticeSource => Form::ANY.example("aeat"),
        kind: NoticeKind,
        issuer: String => Form::ANY.example("Agencia Tributaria"),
        subject: String => Form::ANY.example("Requerimiento de información, IVA 1T 2025"),
        /// What its source calls it.
        reference: String => Form::ANY.example("2025N0001234"),
        /// Whom it names; masked but for its ends.
        recipient_tax_id: Option<Shown<String>>,
        available_at: Timestamp,
        /// The last day on which a notification is accessed, by the company's calendar.
        expires_on: Option<String> => Form::DATE,
        status: &'static str => Form::one_of(NoticeStatus::NAMES),
        /// When a person accessed it.
        accessed_at: Option<Timestamp> => Form::ANY.json("null"),
        /// When a person rejected it.
        rejected_at: Option<Timestamp> => Form::ANY.json("null"),
        /// By when it is to be answered.
        response_due_on: Option<String> => Form::DATE,
        /// The case that it belongs to.
        case_id: Option<CaseId> => Form::ANY.json("null"),
        /// The member of the company that sees to it.
        assigned_user_id: Option<UserId> => Form::ANY.json("null"),
        /// Whether all is done that it asks for.
        handled: bool,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

impl NoticeView {
    pub(super) fn of(notice: &Notice, access: PiiAccess) -> Self {
        let (accessed_at, rejected_at) = match notice.status {
            NoticeStatus::Available | NoticeStatus::Expired => (None, None),
            NoticeStatus::Accessed { at, .. } => (Some(at), None),
            NoticeStatus::Rejected { at, .. } => (None, Some(at)),
        };
        Self {
            id: notice.id,
            object: Notice::NAME,
            company_id: notice.company,
            version: notice.version.as_i64(),
            source: notice.source,
            kind: notice.kind,
            issuer: notice.issuer.clone(),
            subject: notice.subject.clone(),
            reference: notice.reference.clone(),
            recipient_tax_id: notice.recipient_tax_id.as_ref().map(|tax_id| tax_id.show(access)),
            available_at: notice.available_at,
            expires_on: notice.expires_on.map(|last| last.to_string()),
            status: notice.status.name(),
            accessed_at,
            rejected_at,
            response_due_on: notice.response_due_on.map(|due| due.to_string()),
            case_id: notice.case,
            assigned_user_id: notice.assigned,
            handled: notice.handled,
            created_at: notice.created_at,
            updated_at: notice.updated_at,
        }
    }
}

//! An entry of the audit log, as it is shown.

use std::net::IpAddr;

use serde::Serialize;
use svc_core::audit::{Details, Entry, Record, Who};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, RequestId, SessionId};
use utoipa::ToSchema;

/// An entry of the audit log.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AuditEntry)]
pub(crate) struct View {
    /// Counts the company's entries, from 1, without gaps.
    number: u64,
    #[schema(value_type = String)]
    company_id: AccountId,
    #[schema(value_type = String)]
    at: Timestamp,
    actor: ActorView,
    /// From which address, when it is known; not shown of what a person did in an affair of their own.
    #[schema(value_type = Option<String>)]
    address: Option<IpAddr>,
    /// In which request, when there was one; not shown of what a person did in an affair of their own.
    #[schema(value_type = Option<String>)]
    request_id: Option<RequestId>,
    action: &'static str,
    /// What it was done to: an id.
    subject: String,
    /// The state before, without secrets and with personal data masked; `null` when there was none.
    #[schema(value_type = Option<Object>)]
    before: Option<Details>,
    /// The state afterwards; `null` when there is none.
    #[schema(value_type = Option<Object>)]
    after: Option<Details>,
    /// Ties the entry to the one before it, in hexadecimal.
    seal: String,
}

/// Who did it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AuditActor)]
struct ActorView {
    /// `token`, `person`, `operator` or `service`
    r#type: &'static str,
    /// The token or the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    id: Option<String>,
    /// The person's session; not for what they did in an affair of their own, such as a password.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    session_id: Option<SessionId>,
    /// Why the service did it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason: Option<String>,
}

impl View {
    pub(super) fn of(record: &Record) -> Self {
        let entry = &record.entry;
        let actor = &entry.actor;
        let of_the_company = concerns_the_company(entry);
        Self {
            number: record.number,
            company_id: entry.account,
            at: entry.at,
            actor: ActorView::of(&actor.who, of_the_company),
            address: actor.from.filter(|_| of_the_company),
            request_id: actor.request.filter(|_| of_the_company),
            action: entry.action.name(),
            subject: entry.subject.clone(),
            before: entry.before.clone(),
            after: entry.after.clone(),
            seal: record.seal.to_string(),
        }
    }
}

/// Whether it is the company's business from where and in which session it was done.
///
/// What people do as members of a company is told with both. What they do for
/// themselves, as anybody does who is a member of several companies or of none,
/// each company hears of without either; the sealed record has it all.
const fn concerns_the_company(entry: &Entry) -> bool {
    match entry.actor.who {
        Who::Person { .. } => !entry.action.is_personal(),
        Who::Token(_) | Who::Operator | Who::Service(_) => true,
    }
}

impl ActorView {
    fn of(who: &Who, with_session: bool) -> Self {
        let bare = |r#type| Self { r#type, id: None, session_id: None, reason: None };
        match who {
            Who::Token(token) => Self { id: Some(token.to_string()), ..bare("token") },
            Who::Person { user, session } => Self {
                id: Some(user.to_string()),
                session_id: with_session.then_some(*session),
                ..bare("person")
            },
            Who::Operator => bare("operator"),
            Who::Service(reason) => Self { reason: Some(reason.to_string()), ..bare("service") },
        }
    }
}

//! An entry of the audit log, as it is shown.

use std::net::IpAddr;

use svc_core::audit::{Details, Record, Who};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, RequestId, SessionId};
use svc_core::wire::Form;
use svc_core::wire_view;

wire_view! {
    /// An entry of the audit log.
    pub(crate) struct View as "AuditEntry" {
        /// Counts the company's entries, from 1, without gaps.
        number: u64,
        company_id: AccountId,
        at: Timestamp,
        actor: ActorView,
        /// From which address, when it is known; not shown of what a person did in an affair of their own.
        address: Option<IpAddr> => Form::ANY.example("203.0.113.7"),
        /// In which request, when there was one; not shown of what a person did in an affair of their own.
        request_id: Option<RequestId>,
        action: &'static str => Form::one_of(&super::ACTIONS),
        /// What it was done to: an id.
        subject: String => Form::ID,
        /// The state before, without secrets and with personal data masked; `null` when there was none.
        before: Option<Details> => Form::ANY.json("null"),
        /// The state afterwards; `null` when there is none.
        after: Option<Details> => Form::ANY.json(r#"{"name":"Shop sync"}"#),
        /// Ties the entry to the one before it, in hexadecimal.
        seal: String => Form::pattern("^[0-9a-f]+$").example("5d41402abc4b2a76b9719d911017c592"),
    }
}

wire_view! {
    /// Who did it.
    struct ActorView as "AuditActor" {
        r#type: &'static str => Form::one_of(&["token", "person", "operator", "service"]),
        /// The token or the person.
        #[serde(skip_serializing_if = "Option::is_none")]
        [optional] id: Option<String> => Form::ID.example("tok_01jjxvfvr4f16pz7s9h7p4hsqk"),
        /// The person's session; not for what they did in an affair of their own, such as a password.
        #[serde(skip_serializing_if = "Option::is_none")]
        [optional] session_id: Option<SessionId>,
        /// Why the service did it.
        #[serde(skip_serializing_if = "Option::is_none")]
        [optional] reason: Option<String>,
    }
}

impl View {
    pub(super) fn of(record: &Record) -> Self {
        let entry = &record.entry;
        let actor = &entry.actor;
        let of_the_company = entry.concerns_the_company();
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

//! `/envelopes/{id}/audit-trail`

use http::StatusCode;
use svc_core::clock::Timestamp;
use svc_core::content::Digest;
use svc_core::trail::{Entry, Link};
use svc_core::wire::Form;
use svc_core::wire_view;

use super::verbs::find;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::{Code, Problem};

wire_view! {
    /// What happened to an envelope.
    #[derive(Debug)]
    pub(super) struct TrailView as "EnvelopeTrail" {
        /// Oldest first.
        entries: Vec<EntryView>,
    }
}

wire_view! {
    /// Something that happened.
    #[derive(Debug)]
    pub(super) struct EntryView as "EnvelopeTrailEntry" {
        at: Timestamp,
        /// The id of who acted, or what the service did by itself.
        actor: String => Form::ANY.example("service:envelope_seal"),
        action: String => Form::ANY.example("signer.signed"),
        /// The address that the request came from.
        ip: Option<String> => Form::ANY.example("2001:db8::7"),
        /// The program that sent the request, as it names itself.
        user_agent: Option<String>,
        /// The text of a consent, digests, ids and addresses.
        details: Option<String>,
        /// The hash of the entry before; zeros for the first one.
        previous_hash: Digest => Form::ANY.example("0000000000000000000000000000000000000000000000000000000000000000"),
        hash: Digest => Form::ANY.example("b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"),
    }
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let envelope = find(&req).await?;
    unmasked(&req)?;
    let trail = req.app.business.envelopes().trail(&req.caller.principal.scope, envelope.id).await?;
    let entries: Vec<Link> = trail.ok_or_else(Problem::not_found)?;
    let view = move |_| TrailView { entries: entries.iter().map(EntryView::of).collect() };
    Ok(Answer::personal(StatusCode::OK, view).of(envelope.company))
}

/// Refuses a token that sees personal data masked: what an envelope proves cannot be.
pub(super) fn unmasked(req: &ApiRequest) -> Result<(), Problem> {
    if req.access().is_full() {
        return Ok(());
    }
    let detail = "what an envelope proves shows personal data, which the token does not see";
    Err(Problem::new(Code::PersonalDataWithheld, detail))
}

impl EntryView {
    fn of(link: &Link) -> Self {
        let Entry { at, actor, action, ip, user_agent, details } = link.entry.clone();
        let (previous_hash, hash) = (link.previous_hash, link.hash);
        Self { at, actor, action, ip, user_agent, details, previous_hash, hash }
    }
}

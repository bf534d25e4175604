//! `/envelopes` (specification, domain part 11).

mod actions;
mod documents;
mod list;
mod trail;
mod verbs;
mod view;

use http::StatusCode;
use svc_business::catalogue::permission;
use svc_business::signature::{EnvelopeInput, EnvelopeVoidRequest, ReassignRequest, ReissueRequest};

use self::documents::SignedPdf;
use self::trail::TrailView;
use self::view::EnvelopeView;
use crate::api::{self, Route, delete, patch, post};
use crate::gate::ByToken;
use crate::json::{Create, Update};
use crate::list::Listed;

const READ: ByToken = ByToken::With(permission("sign:envelopes.read"));
const CREATE: ByToken = ByToken::With(permission("sign:envelopes.create"));
const UPDATE: ByToken = ByToken::With(permission("sign:envelopes.update"));
const SEND: ByToken = ByToken::With(permission("sign:envelopes.send"));
const VOID: ByToken = ByToken::With(permission("sign:envelopes.void"));
const REASSIGN: ByToken = ByToken::With(permission("sign:envelopes.reassign"));
const DELETE: ByToken = ByToken::With(permission("sign:envelopes.delete"));

const ALL: &str = "/envelopes";
const ONE: &str = "/envelopes/{id}";

pub(crate) fn routes() -> Vec<Route> {
    [drafts(), actions(), proofs()].into_iter().flatten().collect()
}

fn drafts() -> Vec<Route> {
    vec![
        api::get(ALL, READ, "List envelopes")
            .about("In the order in which they were made. `q` searches subjects, and names and addresses of signers.")
            .params(&list::PARAMS)
            .answers::<Listed<EnvelopeView>>(StatusCode::OK)
            .personal()
            .to(list::list),
        post(ALL, CREATE, "Prepare an envelope")
            .about(
                "A draft, which emits no event; with `send` it is sent at once, which takes `sign:envelopes.send` as well. \
                 Each file is a PDF that can be sealed: 422 otherwise, with a code such as `not_pdf`, and what helps.",
            )
            .body::<Create<EnvelopeInput>>()
            .creates::<EnvelopeView>()
            .personal()
            .refuses(&[StatusCode::NOT_FOUND])
            .to(verbs::create),
        api::get(ONE, READ, "Get an envelope")
            .answers::<EnvelopeView>(StatusCode::OK)
            .personal()
            .versioned()
            .to(verbs::get),
        patch(ONE, UPDATE, "Change a draft of an envelope")
            .about("One that was sent is 409 `envelope_not_draft`. This emits no event, and `send` is for new ones.")
            .body::<Update<EnvelopeInput>>()
            .answers::<EnvelopeView>(StatusCode::OK)
            .personal()
            .versioned()
            .to(verbs::update),
        delete(ONE, DELETE, "Erase a draft of an envelope")
            .about("One that was sent is 409 `envelope_not_draft`. This emits no event.")
            .answers_nothing()
            .versioned()
            .to(verbs::delete),
    ]
}

fn actions() -> Vec<Route> {
    vec![
        post("/envelopes/{id}/send", SEND, "Send an envelope")
            .about(
                "The present versions of its files are pinned, and those whose turn it is are sent a link by mail. While it is \
                 open, and once it is completed, its files are not deleted.",
            )
            .answers::<EnvelopeView>(StatusCode::OK)
            .personal()
            .versioned()
            .to(actions::send),
        post("/envelopes/{id}/remind", SEND, "Send the link once more to those who are asked")
            .about("Once an hour: 409 `reminded_lately`. This emits no event.")
            .answers::<EnvelopeView>(StatusCode::OK)
            .personal()
            .versioned()
            .to(actions::remind),
        post("/envelopes/{id}/void", VOID, "End an envelope before everyone signed")
            .about("The links of its signers are dead, and those who were asked are told. An envelope ends once: 409 `envelope_closed`.")
            .body::<EnvelopeVoidRequest>()
            .answers::<EnvelopeView>(StatusCode::OK)
            .personal()
            .versioned()
            .to(actions::void),
        post("/envelopes/{id}/reassign", REASSIGN, "Give the place of a signer to another person")
            .about(
                "The new one takes role, order and the way of being identified; the link of the old one is dead. One who \
                 signed, declined or was replaced stays: 409 `signer_done`.",
            )
            .body::<ReassignRequest>()
            .answers::<EnvelopeView>(StatusCode::OK)
            .personal()
            .versioned()
            .to(actions::reassign),
        post("/envelopes/{id}/reissue", SEND, "Send another envelope in the place of one")
            .about(
                "The new one is answered; an open one is voided by it, with the reason `reissued`. A completed one is 409 \
                 `envelope_completed`, and one that has given its place already 409 `envelope_superseded`.",
            )
            .body::<ReissueRequest>()
            .creates::<EnvelopeView>()
            .personal()
            .versioned()
            .to(actions::reissue),
    ]
}

fn proofs() -> Vec<Route> {
    vec![
        api::get("/envelopes/{id}/audit-trail", READ, "Get what happened to an envelope, oldest first")
            .about(
                "`hash` is the SHA-256 of `previousHash` and the canonical JSON (RFC 8785) of the other members that are not \
                 null. Needs a token that sees personal data: 403 `personal_data_withheld`.",
            )
            .answers::<TrailView>(StatusCode::OK)
            .personal()
            .to(trail::get),
        api::get("/envelopes/{id}/documents/{fileId}", READ, "Download a document of an envelope")
            .about(
                "The version that people sign, or with `signed` what is sealed of it: 409 `not_sealed` until everyone signed, and \
                 a moment longer. Needs a token that sees personal data: 403 `personal_data_withheld`. One range of bytes is \
                 given as 206.",
            )
            .params(&documents::PARAMS)
            .answers_as::<SignedPdf>(StatusCode::OK, documents::PDF)
            .or_answers::<SignedPdf>(StatusCode::PARTIAL_CONTENT)
            .personal()
            .versioned()
            .refuses(&[StatusCode::CONFLICT, StatusCode::RANGE_NOT_SATISFIABLE])
            .to(documents::get),
    ]
}

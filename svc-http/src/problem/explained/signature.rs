//! What went wrong with an envelope, and what to do.

pub(super) const CLOSED: (&str, &str) = (
    "The envelope has ended: everyone signed, a person declined, it was voided, or its term has passed. It ends once.",
    "Read the envelope; one that was declined or voided is sent anew with POST /envelopes/{id}/reissue.",
);
pub(super) const NOT_DRAFT: (&str, &str) = (
    "The envelope was sent, and people sign what they were sent: only a draft is changed, erased or sent.",
    "Void it, or send another one in its place with POST /envelopes/{id}/reissue.",
);
pub(super) const NOT_SENT: (&str, &str) = (
    "The envelope is a draft: no person was asked yet.",
    "Send it with POST /envelopes/{id}/send, or change and erase it as a draft.",
);
pub(super) const SUPERSEDED: (&str, &str) = (
    "Another envelope was sent in the place of this one already.",
    "Reissue that one: `supersededById` names it.",
);
pub(super) const COMPLETED: (&str, &str) =
    ("Everyone signed the envelope, which stays as it is.", "Make a new envelope with POST /envelopes.");
pub(super) const NOT_SEALED: (&str, &str) = (
    "The envelope has no sealed files: not everyone signed, or the service seals them at this moment.",
    "Wait for `envelope.completed`, and then for `completedFileIds`; leave `signed` out for what people sign.",
);
pub(super) const SIGNER_DONE: (&str, &str) = (
    "The person signed, declined or was replaced: the place is given to no other one.",
    "Read the envelope: `signers` tells who is asked at present.",
);
pub(super) const TOO_MANY_SIGNERS: (&str, &str) = (
    "The envelope has had 100 people, those among them who were replaced.",
    "Send another one in its place with POST /envelopes/{id}/reissue.",
);
pub(super) const REMINDED_LATELY: (&str, &str) = (
    "No person is asked at this moment, or those who are were sent the link less than an hour ago.",
    "Wait until an hour has passed.",
);
pub(super) const OPEN: (&str, &str) = (
    "People were asked to sign for the company, and have not all done so.",
    "Void its envelopes, or wait until they end: `GET /envelopes?status=sent` lists them.",
);
pub(super) const TRAIL_FULL: (&str, &str) = (
    "The envelope has 2,000 entries in its history; from there on only what ends something is written down.",
    "Void it, or send another one in its place with POST /envelopes/{id}/reissue.",
);

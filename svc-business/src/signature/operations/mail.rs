//! What signers are sent by mail: jobs beside the commit.

use serde::{Deserialize, Serialize};
use svc_core::error::StoreError;
use svc_core::id::{EnvelopeId, JobId, SignerId, TypedId as _};
use svc_core::refused::Refused;

use crate::job::{Job, JobKind, NewJob};
use crate::ports::DynSignatureUnit;
use crate::record::Home;
use crate::signature::machine::{EnvelopeRefused, MailKind, SignerMail};
use crate::signature::state::Envelope;

/// Mails of envelopes of one company that wait at most.
pub const MOST_MAILS_WAITING: u32 = 2_000;

/// What a job of the kind `envelope_mail` is to send. It names no secret: the worker makes the link or the code anew with
/// [`CeremonyKey`](crate::signature::key::CeremonyKey).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnvelopeLetter {
    /// The envelope.
    pub envelope: EnvelopeId,
    /// To whom.
    pub signer: SignerId,
    /// What: the name of a [`MailKind`].
    kind: String,
}

impl EnvelopeLetter {
    /// What is sent; `None` for a kind that this version does not know.
    #[must_use]
    pub fn kind(&self) -> Option<MailKind> {
        self.kind.parse().ok()
    }
}

/// The letter of a claimed job.
///
/// # Errors
/// When it was written by another version of the service that knows it otherwise.
pub fn letter_of(job: &Job) -> Result<EnvelopeLetter, StoreError> {
    serde_json::from_str(&job.body).map_err(StoreError::backend)
}

/// Puts mails beside the commit.
pub(super) async fn put(
    home: &Home<'_, DynSignatureUnit>,
    envelope: &Envelope,
    mails: &[SignerMail],
) -> Result<(), Refused<EnvelopeRefused>> {
    let mut jobs = Vec::new();
    for mail in mails {
        let id = JobId::generate(home.call.now, home.call.random);
        let letter =
            EnvelopeLetter { envelope: envelope.id, signer: mail.signer, kind: mail.kind.name().to_owned() };
        let body = serde_json::to_string(&letter).map_err(StoreError::backend)?;
        let (company, due) = (Some(envelope.company), home.call.now);
        jobs.push(NewJob { id, kind: JobKind::EnvelopeMail, key: id.to_string(), company, body, due });
    }
    Ok(home.unit.jobs().put(&jobs).await?)
}

//! What becomes of an envelope that everyone signed: its files are sealed by a job beside the last signature.

use svc_core::content::Content;
use svc_core::error::StoreError;
use svc_core::id::{EnvelopeId, JobId, TypedId as _};
use svc_core::refused::Refused;

use super::{keep, own};
use crate::job::{Job, JobKind, NewJob};
use crate::ports::DynSignatureUnit;
use crate::record::{Home, Opened};
use crate::signature::machine::EnvelopeRefused;
use crate::signature::ports::{EnvelopeFiles, MadeFile};
use crate::signature::state::{Envelope, EnvelopeStatus, SealedFiles};
use crate::signature::trail::Act;

/// What sealing made, before there are files of it; the contents are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedContents {
    /// The sealed documents with their names, in the order of the envelope.
    pub files: Vec<(String, Content)>,
    /// The certificate with its name.
    pub certificate: (String, Content),
}

/// Puts the job that seals an envelope beside the commit, once for each envelope.
pub(super) async fn put(
    home: &Home<'_, DynSignatureUnit>,
    envelope: &Envelope,
) -> Result<(), Refused<EnvelopeRefused>> {
    let id = JobId::generate(home.call.now, home.call.random);
    let (key, body) = (envelope.id.to_string(), envelope.id.to_string());
    let (company, due) = (Some(envelope.company), home.call.now);
    Ok(home.unit.jobs().put(&[NewJob { id, kind: JobKind::EnvelopeSeal, key, company, body, due }]).await?)
}

/// The envelope of a claimed job.
///
/// # Errors
/// When it was written by another version of the service that knows it otherwise.
pub fn envelope_of(job: &Job) -> Result<EnvelopeId, StoreError> {
    job.body.parse().map_err(StoreError::backend)
}

/// Keeps what sealing made of a completed envelope as files of the company, and sends word to those who took part; does
/// nothing for one that is sealed. Emits file.create for each file.
///
/// # Errors
/// [`Refused`] with [`EnvelopeRefused::Incomplete`]; nothing was changed.
pub async fn sealed(
    opened: Opened<'_, Envelope>,
    files: &dyn EnvelopeFiles,
    made: SealedContents,
) -> Result<Envelope, Refused<EnvelopeRefused>> {
    if let EnvelopeStatus::Completed { sealed: Some(_), .. } = &opened.before.status {
        return Ok(opened.before);
    }
    let before = &opened.before;
    let file = |(name, content)| MadeFile {
        company: before.company,
        envelope: before.id,
        links: before.links.clone(),
        name,
        content,
    };
    let mut kept = Vec::new();
    for one in made.files {
        kept.push(files.keep(file(one)).await?);
    }
    let sealed = SealedFiles { files: kept, certificate: files.keep(file(made.certificate)).await? };
    let act = Act::of(opened.home.call.actor, opened.home.call.now);
    match own(before.clone().sealed(sealed, &act))? {
        Some(step) => keep(&opened, step).await,
        None => Ok(opened.before),
    }
}

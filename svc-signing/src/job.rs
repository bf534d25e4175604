//! One job of the kind `envelope_seal`, from its claim to its end.

use std::sync::Arc;

use svc_business::document::file::File;
use svc_business::job::{Job, Outcome, Run};
use svc_business::ports::{BusinessStorage, DynBusinessUnit};
use svc_business::record;
use svc_business::signature::operations::{SealedContents, envelope_of, sealed};
use svc_business::signature::{Envelope, EnvelopeStatus, FilePin};
use svc_core::content::{Content, ContentStore, read_whole};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, FileId};
use svc_core::resource::Expected;
use svc_core::trail::Digest;
use svc_core::unit::CallContext;
use svc_seal::{
    Evidence, Language, Seal, SealError, SealKey, SealKind, Sealer, Signature, certificate, seal,
};

use crate::evidence::{evidence, language, signatures};
use crate::{CompanyFiles, Judged, content};

/// What sealing needs beside the envelope.
#[derive(Clone)]
pub struct Sealing<'a> {
    /// The contents of files.
    pub contents: &'a dyn ContentStore,
    /// What seals are made with.
    pub key: &'a SealKey,
    /// Signs for the platform, if there is a certificate for it.
    pub platform: Option<Arc<dyn Sealer + Send + Sync>>,
}

impl std::fmt::Debug for Sealing<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sealing").field("key", self.key).finish_non_exhaustive()
    }
}

/// Does a claimed job: seals the files of an envelope that everyone signed, and keeps them with the end of the job in one unit of
/// work. One that is sealed stays as it is.
///
/// # Errors
/// When a store failed, a file cannot be sealed, or another worker has the job by now; nothing was changed.
pub async fn carry_out(
    storage: &dyn BusinessStorage,
    with: Sealing<'_>,
    call: CallContext<'_>,
    job: &Job,
    run: impl Fn(Outcome, String) -> Run + Send + Sync,
) -> Result<Outcome, StoreError> {
    let id = envelope_of(job)?;
    let found = storage.envelopes().find(call.scope, id).await?;
    let envelope = found.ok_or_else(|| StoreError::backend("the envelope to be sealed is missing"))?;
    let is_due = matches!(envelope.status, EnvelopeStatus::Completed { sealed: None, .. });
    let made = if is_due { Some(make(storage, &with, call, &envelope).await?) } else { None };
    let unit = storage.begin().await?;
    let run = match made {
        Some(made) => {
            let count = made.files.len();
            keep(unit.as_ref(), call, &envelope, made).await?;
            run(Outcome::Done, format!("{count} files were sealed"))
        }
        None => run(Outcome::Done, "there is nothing to seal".to_owned()),
    };
    unit.jobs().end(job, &run).await?;
    unit.commit().await?;
    Ok(run.outcome)
}

/// Keeps what sealing made, if the envelope is where it was.
async fn keep(
    unit: &DynBusinessUnit,
    call: CallContext<'_>,
    envelope: &Envelope,
    made: SealedContents,
) -> Result<(), StoreError> {
    let refused = |refused: String| StoreError::backend(refused);
    let opened = record::alone::<Envelope>(unit, call, envelope.id, &[], &Expected::Any).await;
    let opened = opened.map_err(|error| refused(error.to_string()))?;
    // The contents are those of the company that it was of: one that was absorbed meanwhile is sealed anew.
    if opened.before.company != envelope.company {
        return Err(StoreError::Conflict);
    }
    let judged = Judged::default();
    let files = CompanyFiles::new(unit, call, &judged);
    sealed(opened, &files, made).await.map(drop).map_err(|error| refused(error.to_string()))
}

/// Seals each document and writes the certificate; all of it is stored.
async fn make(
    storage: &dyn BusinessStorage,
    with: &Sealing<'_>,
    call: CallContext<'_>,
    envelope: &Envelope,
) -> Result<SealedContents, StoreError> {
    let missing = || StoreError::backend("what is known of an envelope is not whole");
    let company = storage.accounts().find(call.scope, envelope.company).await?.ok_or_else(missing)?;
    let trail = storage.envelopes().trail(call.scope, envelope.id).await?.ok_or_else(missing)?;
    let inks = storage.envelopes().inks(envelope.company, envelope.id).await?;
    let mut evidence = evidence(envelope, &company, trail).ok_or_else(missing)?;
    let shared = Arc::new((evidence.clone(), signatures(inks)));
    let ids: Vec<FileId> = envelope.files.iter().map(|file| file.file).collect();
    let records: Vec<File> = storage.files().find_all(call.scope, &ids).await?;
    let mut files = Vec::new();
    for (file, document) in envelope.files.iter().zip(&mut evidence.documents) {
        let pin = file.pin.as_ref().ok_or_else(missing)?;
        let record = records.iter().find(|record| record.id == file.file).ok_or_else(missing)?;
        let kept_for = pinned(record, pin).ok_or_else(missing)?;
        let bytes = read_whole(with.contents, kept_for, pin.sha256).await.map_err(StoreError::backend)?;
        let sealed = one(bytes, Arc::clone(&shared), with, call).await?;
        document.after = Some(Digest::of(&sealed));
        files.push((named(&pin.name, envelope), stored(with, envelope, &sealed).await?));
    }
    let pages = tokio::task::spawn_blocking(move || certificate(&evidence)).await;
    let pages = pages.map_err(StoreError::backend)?.map_err(StoreError::backend)?;
    let title = match language(envelope) {
        Language::Es => "Certificado de firma",
        Language::En => "Certificate of signature",
    };
    let name = format!("{title} - {}.pdf", envelope.subject.replace(['/', '\\'], "-"));
    Ok(SealedContents { files, certificate: (name, stored(with, envelope, &pages).await?) })
}

/// For which company the content of a pinned version is kept.
fn pinned(file: &File, pin: &FilePin) -> Option<AccountId> {
    let version = file.version_of(Some(pin.version))?;
    (version.content.digest == pin.sha256).then_some(version.kept_for)
}

async fn one(
    document: Vec<u8>,
    known: Arc<(Evidence, Vec<Signature>)>,
    with: &Sealing<'_>,
    call: CallContext<'_>,
) -> Result<Vec<u8>, StoreError> {
    let (sealed_at, key, platform) = (call.now, with.key.clone(), with.platform.clone());
    let work = move || -> Result<Vec<u8>, SealError> {
        let (evidence, signatures) = &*known;
        let kind = platform.as_ref().map_or(SealKind::Keyed, |platform| SealKind::Platform(&**platform));
        seal(&document, &Seal { evidence, signatures, sealed_at, key: &key, kind })
    };
    let sealed = tokio::task::spawn_blocking(work).await.map_err(StoreError::backend)?;
    sealed.map_err(StoreError::backend)
}

async fn stored(with: &Sealing<'_>, envelope: &Envelope, bytes: &[u8]) -> Result<Content, StoreError> {
    content::store(with.contents, envelope.company, bytes).await
}

/// `contract.pdf` signed: `contract (signed).pdf`.
fn named(name: &str, envelope: &Envelope) -> String {
    let stem = match name.rsplit_once('.') {
        Some((stem, extension)) if extension.eq_ignore_ascii_case("pdf") => stem,
        _ => name,
    };
    match language(envelope) {
        Language::Es => format!("{stem} (firmado).pdf"),
        Language::En => format!("{stem} (signed).pdf"),
    }
}

//! Drafts: made, changed, erased. The catalogue has no events for them.

use svc_core::error::Validator;
use svc_core::id::{EnvelopeId, TypedId as _};
use svc_core::patch::Patch;
use svc_core::refused::Refused;
use svc_core::resource::Version;

use super::own;
use crate::party::{Extension, LanguageTag};
use crate::ports::DynSignatureUnit;
use crate::record::{Home, Opened};
use crate::signature::input::EnvelopeInput;
use crate::signature::machine::EnvelopeRefused;
use crate::signature::ports::EnvelopeFiles;
use crate::signature::rules::apply;
use crate::signature::state::{Envelope, EnvelopeStatus, SigningOrder, TrailHead};
use crate::signature::{refer, rules};

/// Makes a draft. `send` of the input is the caller's: a draft that is sent at once is [sent](super::send()) within the
/// same unit. Emits nothing.
///
/// # Errors
/// [`Refused`]; nothing was added.
pub async fn create(
    home: Home<'_, DynSignatureUnit>,
    files: &dyn EnvelopeFiles,
    input: &EnvelopeInput,
) -> Result<Envelope, Refused> {
    let mut validator = Validator::new();
    let blank = blank(&home, EnvelopeId::generate(home.call.now, home.call.random));
    let envelope = apply(&mut validator, home.call, &blank, input, true);
    refer::records(&mut validator, &home, &blank, &envelope).await?;
    refer::pins(&mut validator, &home, files, &envelope).await?;
    validator.finish()?;
    home.add(envelope).await
}

/// Applies a merge patch to a draft. One that changes nothing keeps the version. Emits nothing.
///
/// # Errors
/// [`Refused`] with [`EnvelopeRefused::NotDraft`]; nothing was changed.
pub async fn update(
    opened: Opened<'_, Envelope>,
    files: &dyn EnvelopeFiles,
    input: &EnvelopeInput,
) -> Result<Envelope, Refused<EnvelopeRefused>> {
    let (home, before) = (&opened.home, &opened.before);
    own(before.is_draft())?;
    let mut validator = Validator::new();
    let after = apply(&mut validator, home.call, before, input, false);
    refer::records(&mut validator, home, before, &after).await?;
    if after.files != before.files {
        refer::pins(&mut validator, home, files, &after).await?;
    }
    validator.finish()?;
    if writes_personal(input) && !home.call.access.is_full() {
        return opened.save_unseen(after).await;
    }
    opened.save(after).await
}

/// Erases a draft that was opened [alone](crate::record::alone). Emits nothing.
///
/// # Errors
/// [`Refused`] with [`EnvelopeRefused::NotDraft`]; nothing was changed.
pub async fn delete(opened: Opened<'_, Envelope>) -> Result<(), Refused<EnvelopeRefused>> {
    own(opened.before.is_draft())?;
    Ok(opened.home.unit.envelopes().erase(opened.home.call.scope, &opened.before).await?)
}

/// Whether a patch writes what a masked caller does not see.
fn writes_personal(input: &EnvelopeInput) -> bool {
    match &input.signers {
        Patch::Absent | Patch::Null => false,
        Patch::Value(signers) => signers.iter().any(|one| one.phone.is_some() || one.tax_id.is_some()),
    }
}

/// An envelope as it is before the input of its creation.
pub(super) fn blank(home: &Home<'_, DynSignatureUnit>, id: EnvelopeId) -> Envelope {
    let now = home.call.now;
    let language: LanguageTag = home.company.language.clone();
    Envelope {
        id,
        company: home.company.id,
        subject: String::new(),
        message: None,
        language,
        order: SigningOrder::Parallel,
        expires_at: None,
        reminder_every_days: 0,
        files: Vec::new(),
        signers: Vec::new(),
        links: Vec::new(),
        status: EnvelopeStatus::Draft,
        supersedes: None,
        superseded_by: None,
        trail: TrailHead::NONE,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: now,
        updated_at: now,
    }
}

/// Judges the term that a draft names, which was within a year when it was written.
pub(super) fn judge_term(validator: &mut Validator, home: &Home<'_, DynSignatureUnit>, envelope: &Envelope) {
    if let Some(at) = envelope.expires_at {
        rules::in_term(validator, at, home.call.now);
    }
}

//! What the sender does with an envelope, and what its time does.

use serde_json::json;
use svc_core::error::Validator;
use svc_core::id::{EnvelopeId, SignerId, TypedId as _};
use svc_core::refused::Refused;

use super::draft::{blank, judge_term};
use super::mail::MOST_MAILS_WAITING;
use super::{keep, own};
use crate::catalogue::event;
use crate::job::JobKind;
use crate::party::{Email, line};
use crate::ports::DynSignatureUnit;
use crate::record::{Home, Opened};
use crate::signature::code::Codes;
use crate::signature::input::{EnvelopeVoidRequest, ReassignRequest, ReissueRequest};
use crate::signature::key::{Access, CeremonyKey};
use crate::signature::machine::{EnvelopeRefused, Step};
use crate::signature::ports::EnvelopeFiles;
use crate::signature::signer::{Signer, SignerAuth, SignerRole, SignerStatus};
use crate::signature::state::{Envelope, EnvelopeFile, FilePin, VoidReason};
use crate::signature::trail::Act;
use crate::signature::{refer, rules};

/// What sending needs beside the envelope.
#[derive(Clone, Copy)]
pub struct Sending<'a> {
    /// The files of the company.
    pub files: &'a dyn EnvelopeFiles,
    /// The key of links and codes.
    pub key: &'a CeremonyKey,
}

/// Sends a draft: pins its files, and asks those whose turn it is. Emits envelope.sent.
///
/// # Errors
/// [`Refused`] with [`EnvelopeRefused::NotDraft`]; findings on files that are gone and on the term. Nothing was changed.
pub async fn send(
    opened: Opened<'_, Envelope>,
    with: Sending<'_>,
) -> Result<Envelope, Refused<EnvelopeRefused>> {
    let home = &opened.home;
    own(opened.before.is_draft())?;
    room_for_mails(home).await?;
    let mut validator = Validator::new();
    judge_term(&mut validator, home, &opened.before);
    let pins = refer::pins(&mut validator, home, with.files, &opened.before).await?;
    validator.finish()?;
    let step = sent(home, opened.before.clone(), pins, with.key)?;
    let after = keep(&opened, step).await?;
    home.publish(const { event("envelope.sent") }, &after, None).await?;
    Ok(after)
}

fn sent(
    home: &Home<'_, DynSignatureUnit>,
    draft: Envelope,
    pins: Vec<FilePin>,
    key: &CeremonyKey,
) -> Result<Step, Refused<EnvelopeRefused>> {
    let call = home.call;
    own(draft.send(pins, |signer| Access::draw(key, signer, call.random), &Act::of(call.actor, call.now)))
}

/// Sends the link once more to those who are asked. Emits nothing.
///
/// # Errors
/// [`Refused`] with [`EnvelopeRefused`]; nothing is sent.
pub async fn remind(opened: Opened<'_, Envelope>) -> Result<Envelope, Refused<EnvelopeRefused>> {
    room_for_mails(&opened.home).await?;
    let act = Act::of(opened.home.call.actor, opened.home.call.now);
    let step = own(opened.before.clone().remind(&act))?;
    keep(&opened, step).await
}

/// Sends a reminder that is due; `None` when none is. Emits nothing.
///
/// # Errors
/// [`Refused`] with [`EnvelopeRefused`]; nothing is sent.
pub async fn remind_when_due(
    opened: Opened<'_, Envelope>,
) -> Result<Option<Envelope>, Refused<EnvelopeRefused>> {
    let act = Act::of(opened.home.call.actor, opened.home.call.now);
    match own(opened.before.clone().remind_when_due(&act))? {
        Some(step) => keep(&opened, step).await.map(Some),
        None => Ok(None),
    }
}

/// Ends an envelope. Emits envelope.voided.
///
/// # Errors
/// [`Refused`] with [`EnvelopeRefused`]; nothing was changed.
pub async fn void(
    opened: Opened<'_, Envelope>,
    request: &EnvelopeVoidRequest,
) -> Result<Envelope, Refused<EnvelopeRefused>> {
    let call = opened.home.call;
    own(opened.before.is_open(call.now))?;
    let mut validator = Validator::new();
    let reason = line(&mut validator, "reason", &request.reason, 500);
    let is_own = reason.as_deref().is_none_or(|text| matches!(VoidReason::of(text), VoidReason::Sender(_)));
    validator.require(is_own, "reason", "not_allowed", "this word is the service's: say it in other words");
    validator.finish()?;
    let step = own(opened.before.clone().void(reason.unwrap_or_default(), &Act::of(call.actor, call.now)))?;
    ended(&opened, step).await
}

/// Ends an envelope whose term has passed; `None` while it lasts. Emits envelope.voided.
///
/// # Errors
/// [`Refused`] with [`EnvelopeRefused`]; nothing was changed.
pub async fn expire(opened: Opened<'_, Envelope>) -> Result<Option<Envelope>, Refused<EnvelopeRefused>> {
    let act = Act::of(opened.home.call.actor, opened.home.call.now);
    match own(opened.before.clone().expire(&act))? {
        Some(step) => ended(&opened, step).await.map(Some),
        None => Ok(None),
    }
}

async fn ended(opened: &Opened<'_, Envelope>, step: Step) -> Result<Envelope, Refused<EnvelopeRefused>> {
    let after = keep(opened, step).await?;
    opened.home.publish(const { event("envelope.voided") }, &after, None).await?;
    Ok(after)
}

/// Gives the place of a signer to another person. Emits envelope.reassigned with both.
///
/// # Errors
/// [`Refused`] with [`EnvelopeRefused`]; findings on the new person. Nothing was changed.
pub async fn reassign(
    opened: Opened<'_, Envelope>,
    request: &ReassignRequest,
    key: &CeremonyKey,
) -> Result<Envelope, Refused<EnvelopeRefused>> {
    let (home, call) = (&opened.home, opened.home.call);
    own(opened.before.is_open(call.now))?;
    room_for_mails(home).await?;
    let mut validator = Validator::new();
    let replaced = opened.before.signer(request.signer);
    let message = "the envelope has no signer with this id";
    validator.require(replaced.is_some(), "signerId", "unknown_reference", message);
    let name = line(&mut validator, "name", &request.name, 200);
    let email = validator.take("email", "invalid_email", request.email.parse::<Email>());
    let phone = request.phone.as_deref().and_then(|text| rules::phone(&mut validator, "phone", text));
    if let (Some(replaced), Some(email)) = (replaced, &email) {
        let same =
            |other: &&Signer| rules::is_same_place(other, replaced.role, email) && other.id != replaced.id;
        let taken = opened.before.signers.iter().filter(|one| one.is_required()).find(same).is_some();
        let message = "another person of the same role has this address";
        validator.require(!taken, "email", "duplicate", message);
    }
    validator.finish()?;
    let (Some(name), Some(email)) = (name, email) else {
        return Err(Refused::Own(EnvelopeRefused::UnknownSigner));
    };
    let id = SignerId::generate(call.now, call.random);
    let acts = replaced.is_some_and(|replaced| replaced.role.acts());
    let new = Signer {
        id,
        name,
        email,
        phone,
        tax_id: None,
        contact: None,
        role: SignerRole::Signer,
        order: 1,
        auth: SignerAuth::Email,
        status: SignerStatus::Waiting,
        access: acts.then(|| Access::draw(key, id, call.random)),
        reminded_at: None,
        codes: Codes::default(),
    };
    let act = Act::of(call.actor, call.now);
    let step = own(opened.before.clone().reassign(request.signer, new, &act))?;
    let after = keep(&opened, step).await?;
    let both =
        [("previous_signer_id", json!(request.signer.to_string())), ("signer_id", json!(id.to_string()))];
    home.publish_with(const { event("envelope.reassigned") }, &after, both).await?;
    Ok(after)
}

/// Sends another envelope in the place of one; one that is open ends by that. Emits envelope.voided of the old one, if it
/// was open, and envelope.reissued of the new one. Answers the new one.
///
/// # Errors
/// [`Refused`] with [`EnvelopeRefused`]; findings on the request. Nothing was changed.
pub async fn reissue(
    opened: Opened<'_, Envelope>,
    with: Sending<'_>,
    request: &ReissueRequest,
) -> Result<Envelope, Refused<EnvelopeRefused>> {
    let (home, call) = (&opened.home, opened.home.call);
    let act = Act::of(call.actor, call.now);
    let id = EnvelopeId::generate(call.now, call.random);
    let was_open = opened.before.status.ended_at().is_none();
    let old = own(opened.before.clone().supersede(id, &act))?;
    room_for_mails(home).await?;
    let mut validator = Validator::new();
    let draft = draft_of(&mut validator, home, (&opened.before, id), request);
    let nothing = blank(home, id);
    refer::records(&mut validator, home, &nothing, &draft).await?;
    let pins = refer::pins(&mut validator, home, with.files, &draft).await?;
    validator.finish()?;
    let new = sent(home, draft, pins, with.key)?;
    // The new one is there before the old one names it.
    let Step { envelope, entries, mails } = new;
    let new = home.add(envelope).await?;
    home.unit.envelopes().append(&new, &entries).await?;
    super::mail::put(home, &new, &mails).await?;
    let old = keep(&opened, old).await?;
    if was_open {
        home.publish(const { event("envelope.voided") }, &old, None).await?;
    }
    let previous = ("previous_id", json!(old.id.to_string()));
    home.publish(const { event("envelope.reissued") }, &new, Some(previous)).await?;
    Ok(new)
}

/// The envelope that is sent in the place of one.
fn draft_of(
    validator: &mut Validator,
    home: &Home<'_, DynSignatureUnit>,
    (old, id): (&Envelope, EnvelopeId),
    request: &ReissueRequest,
) -> Envelope {
    let call = home.call;
    let files = match &request.files {
        Some(given) => rules::files(validator, given),
        None => old.files.iter().map(|one| EnvelopeFile { file: one.file, pin: None }).collect(),
    };
    let signers = match &request.signers {
        Some(given) => rules::signers(validator, call, &old.signers, given),
        None => old
            .signers
            .iter()
            .filter(|one| !matches!(one.status, SignerStatus::Replaced { .. }))
            .cloned()
            .collect(),
    };
    // Each person of the new envelope is one of its own, with a link of its own.
    let anew = |signer: Signer| Signer {
        id: SignerId::generate(call.now, call.random),
        status: SignerStatus::Waiting,
        access: None,
        reminded_at: None,
        codes: Codes::default(),
        ..signer
    };
    let expires_at = request.expires_at.as_deref().and_then(|text| rules::expiry(validator, text, call.now));
    Envelope {
        subject: old.subject.clone(),
        message: old.message.clone(),
        language: old.language.clone(),
        order: old.order,
        reminder_every_days: old.reminder_every_days,
        links: old.links.clone(),
        expires_at,
        files,
        signers: signers.into_iter().map(anew).collect(),
        supersedes: Some(old.id),
        ..blank(home, id)
    }
}

/// Judges that not too many mails wait.
async fn room_for_mails(home: &Home<'_, DynSignatureUnit>) -> Result<(), Refused<EnvelopeRefused>> {
    let jobs = home.unit.jobs();
    if jobs.waiting(home.company.id, JobKind::EnvelopeMail, MOST_MAILS_WAITING).await? >= MOST_MAILS_WAITING {
        return Err(Refused::Own(EnvelopeRefused::TooManyMails));
    }
    Ok(())
}

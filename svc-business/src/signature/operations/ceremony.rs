//! What signers do: each call names the link that the browser has.

use svc_core::error::Validator;
use svc_core::refused::Refused;

use super::{keep, own, seal};
use crate::catalogue::event;
use crate::party::{LanguageTag, paragraph};
use crate::record::Opened;
use crate::signature::code::CodeRefused;
use crate::signature::input::{CodeRequest, DeclineRequest, SignRequest};
use crate::signature::key::{CeremonyKey, LinkHash, Salt};
use crate::signature::machine::{Consent, EnvelopeRefused, Proved};
use crate::signature::rules;
use crate::signature::state::{Envelope, EnvelopeStatus};
use crate::signature::trail::Act;

/// Who calls, with which link and which program.
#[derive(Clone, Debug)]
pub struct Ceremony<'a> {
    /// What is kept of the link.
    pub link: LinkHash,
    /// What the browser names itself.
    pub user_agent: Option<&'a str>,
}

impl Ceremony<'_> {
    fn act(&self, opened: &Opened<'_, Envelope>) -> Result<Act, Refused<EnvelopeRefused>> {
        let has = |access: &crate::signature::key::Access| access.hash == self.link;
        let signer = opened.before.signers.iter().find(|one| one.access.as_ref().is_some_and(has));
        let call = opened.home.call;
        let signer = signer.ok_or(Refused::NotFound)?;
        Ok(Act::of_signer(signer.id, call.actor, self.user_agent, call.now))
    }
}

/// What a person agrees to before signing.
#[must_use]
pub fn consent_text(language: &LanguageTag) -> &'static str {
    if language.as_str().split('-').next() == Some("es") {
        "He leído los documentos y acepto firmarlos electrónicamente. Mi firma me vincula como una firma manuscrita. Acepto \
         que se guarden mi nombre, mi dirección de correo, la dirección de red, el programa que uso y las horas de cada paso \
         como prueba de la firma."
    } else {
        "I have read the documents and agree to sign them electronically. My signature binds me as one by hand does. I agree \
         that my name, my e-mail address, the network address, the program that I use and the time of each step are kept \
         as evidence of the signature."
    }
}

/// Says that a signer opened the documents; does nothing when that was said before. Emits nothing.
///
/// # Errors
/// [`Refused`] with [`EnvelopeRefused`]; nothing was changed.
pub async fn view(
    opened: Opened<'_, Envelope>,
    who: &Ceremony<'_>,
) -> Result<Envelope, Refused<EnvelopeRefused>> {
    let act = who.act(&opened)?;
    match own(opened.before.clone().view(&who.link, &act))? {
        Some(step) => keep(&opened, step).await,
        None => Ok(opened.before),
    }
}

/// Sends a code to a signer. Emits nothing.
///
/// # Errors
/// [`Refused`] with [`EnvelopeRefused`]; nothing is sent.
pub async fn request_code(
    opened: Opened<'_, Envelope>,
    who: &Ceremony<'_>,
    key: &CeremonyKey,
) -> Result<Envelope, Refused<EnvelopeRefused>> {
    let act = who.act(&opened)?;
    let salt = Salt::draw(opened.home.call.random);
    let step = own(opened.before.clone().request_code(&who.link, (key, salt), &act))?;
    keep(&opened, step).await
}

/// Judges a code that a signer typed. A wrong one counts: the unit is to be committed in any case. Emits nothing.
///
/// # Errors
/// [`Refused`] with [`EnvelopeRefused`]; nothing was changed.
pub async fn prove_code(
    opened: Opened<'_, Envelope>,
    who: &Ceremony<'_>,
    key: &CeremonyKey,
    request: &CodeRequest,
) -> Result<(Envelope, Result<(), CodeRefused>), Refused<EnvelopeRefused>> {
    let act = who.act(&opened)?;
    let Proved { step, judged } =
        own(opened.before.clone().prove_code(&who.link, (key, &request.code), &act))?;
    if step.envelope == opened.before {
        return Ok((opened.before, judged));
    }
    Ok((keep(&opened, step).await?, judged))
}

/// Signs, or approves. The last one completes the envelope, whose files are sealed by a job; that emits envelope.completed.
///
/// # Errors
/// [`Refused`] with [`EnvelopeRefused`]; findings on the request. Nothing was changed.
pub async fn sign(
    opened: Opened<'_, Envelope>,
    who: &Ceremony<'_>,
    request: &SignRequest,
) -> Result<Envelope, Refused<EnvelopeRefused>> {
    let act = who.act(&opened)?;
    let signer = own(opened.before.by_link(&who.link, &act))?.id;
    let mut validator = Validator::new();
    validator.require(request.consent, "consent", "required", "must be true: without it nothing is signed");
    let ink = rules::ink(&mut validator, &request.signature);
    validator.finish()?;
    let Some(ink) = ink else { return Err(Refused::Own(EnvelopeRefused::NotViewed)) };
    let consent = Consent(consent_text(&opened.before.language));
    let step = own(opened.before.clone().sign(&who.link, &consent, &ink, &act))?;
    let after = keep(&opened, step).await?;
    opened.home.unit.envelopes().keep_ink(&after, signer, &ink).await?;
    if matches!(after.status, EnvelopeStatus::Completed { .. }) {
        seal::put(&opened.home, &after).await?;
        opened.home.publish(const { event("envelope.completed") }, &after, None).await?;
    }
    Ok(after)
}

/// Declines, which ends the envelope. Emits envelope.declined.
///
/// # Errors
/// [`Refused`] with [`EnvelopeRefused`]; findings on the reason. Nothing was changed.
pub async fn decline(
    opened: Opened<'_, Envelope>,
    who: &Ceremony<'_>,
    request: &DeclineRequest,
) -> Result<Envelope, Refused<EnvelopeRefused>> {
    let act = who.act(&opened)?;
    own(opened.before.by_link(&who.link, &act))?;
    let mut validator = Validator::new();
    let reason = paragraph(&mut validator, "reason", &request.reason);
    let fits = request.reason.chars().count() <= 1_000;
    validator.require(fits, "reason", "too_long", "must have at most 1000 characters");
    validator.finish()?;
    let step = own(opened.before.clone().decline(&who.link, reason.unwrap_or_default(), &act))?;
    let after = keep(&opened, step).await?;
    opened.home.publish(const { event("envelope.declined") }, &after, None).await?;
    Ok(after)
}

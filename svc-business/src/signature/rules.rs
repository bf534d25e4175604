//! What an envelope is after a client's input, and the rules that it must pass.

mod ink;

use std::collections::BTreeSet;

use svc_core::clock::Timestamp;
use svc_core::error::Validator;
use svc_core::id::{FileId, SignerId, TypedId as _};
use svc_core::patch::Patch;
use svc_core::pii::Pii;
use svc_core::unit::CallContext;

pub(super) use self::ink::ink;
use super::code::Codes;
use super::input::{EnvelopeFileInput, EnvelopeInput, EnvelopeLinkInput, EnvelopeLinkType, SignerInput};
use super::machine::LONGEST_TERM;
use super::signer::{Signer, SignerAuth, SignerRole, SignerStatus};
use super::state::{Envelope, EnvelopeFile, EnvelopeLink};
use super::{MOST_FILES, MOST_LINKS, MOST_SIGNERS};
use crate::party::{
    Email, ExtensionInput, Phone, distinct_links, extension, is_masked, kept, line, order_key, paragraphs,
    parsed, required, tax_id,
};

/// `base` with the input applied, references aside; findings go to `validator`.
pub(super) fn apply(
    validator: &mut Validator,
    call: CallContext<'_>,
    base: &Envelope,
    input: &EnvelopeInput,
    creating: bool,
) -> Envelope {
    let mut after = base.clone();
    match &input.subject {
        Patch::Absent if !creating => {}
        Patch::Absent | Patch::Null => validator.fail("subject", "required", "must be present"),
        Patch::Value(text) => after.subject = line(validator, "subject", text, 200).unwrap_or_default(),
    }
    paragraphs(validator, "message", input.message.clone(), &mut after.message);
    let mut language = Some(after.language.clone());
    parsed(validator, "language", "invalid_language", &input.language, &mut language, |language| language);
    required(validator, "language", language, &mut after.language);
    kept(validator, "order", input.order, &mut after.order);
    terms(validator, &mut after, input, call.now);
    match &input.files {
        Patch::Absent if !creating => {}
        Patch::Absent | Patch::Null => validator.fail("files", "required", "must be present"),
        Patch::Value(given) => after.files = files(validator, given),
    }
    match &input.signers {
        Patch::Absent if !creating => {}
        Patch::Absent | Patch::Null => validator.fail("signers", "required", "must be present"),
        Patch::Value(given) => after.signers = signers(validator, call, &base.signers, given),
    }
    match &input.links {
        Patch::Absent => {}
        Patch::Null => after.links.clear(),
        Patch::Value(given) => after.links = links(validator, given),
    }
    let attached =
        ExtensionInput { external_id: input.external_id.clone(), metadata: input.metadata.clone() };
    extension(validator, attached, &mut after.extension);
    after
}

fn terms(validator: &mut Validator, after: &mut Envelope, input: &EnvelopeInput, now: Timestamp) {
    match &input.expires_at {
        Patch::Absent => {}
        Patch::Null => after.expires_at = None,
        Patch::Value(text) => after.expires_at = expiry(validator, text, now).or(after.expires_at),
    }
    let days = input.reminder_every_days.over(Some(i64::from(after.reminder_every_days)));
    let days = days.and_then(|days| u8::try_from(days).ok()).filter(|days| *days <= 30);
    match days {
        Some(days) => after.reminder_every_days = days,
        None => validator.fail("reminderEveryDays", "out_of_range", "must be from 0 to 30"),
    }
}

/// When an envelope expires that is sent now.
pub(super) fn expiry(validator: &mut Validator, text: &str, now: Timestamp) -> Option<Timestamp> {
    let at = validator.take("expiresAt", "invalid_instant", text.parse::<Timestamp>())?;
    in_term(validator, at, now).then_some(at)
}

/// Judges a term against now.
pub(super) fn in_term(validator: &mut Validator, at: Timestamp, now: Timestamp) -> bool {
    let message = "must be later than now, and at most 365 days from now";
    validator.require(at > now && at <= now.plus(LONGEST_TERM), "expiresAt", "out_of_range", message)
}

pub(super) fn files(validator: &mut Validator, given: &[EnvelopeFileInput]) -> Vec<EnvelopeFile> {
    let message = format!("must name 1 to {MOST_FILES} files");
    if !validator.require((1..=MOST_FILES).contains(&given.len()), "files", "out_of_range", message) {
        return Vec::new();
    }
    let mut seen = BTreeSet::<FileId>::new();
    for (at, one) in given.iter().enumerate() {
        let field = format!("files[{at}].fileId");
        validator.require(seen.insert(one.file), &field, "duplicate", "the same file is there twice");
    }
    given.iter().map(|one| EnvelopeFile { file: one.file, pin: None }).collect()
}

pub(super) fn signers(
    validator: &mut Validator,
    call: CallContext<'_>,
    before: &[Signer],
    given: &[SignerInput],
) -> Vec<Signer> {
    let message = format!("must name 1 to {MOST_SIGNERS} people");
    if !validator.require((1..=MOST_SIGNERS).contains(&given.len()), "signers", "out_of_range", message) {
        return Vec::new();
    }
    let acts = given.iter().any(|one| one.role.is_none_or(SignerRole::acts));
    validator.require(
        acts,
        "signers",
        "required",
        "one person at least must have the role signer or approver",
    );
    let (mut ids, mut places) = (BTreeSet::new(), BTreeSet::new());
    let mut signers = Vec::new();
    for (at, one) in given.iter().enumerate() {
        let field = |member: &str| format!("signers[{at}].{member}");
        let known = one.id.and_then(|id| before.iter().find(|signer| signer.id == id));
        if let Some(id) = one.id {
            let message = "the envelope has no signer with this id: leave it out for a new one";
            validator.require(known.is_some(), &field("id"), "unknown_reference", message);
            validator.require(ids.insert(id), &field("id"), "duplicate", "the same signer is there twice");
        }
        let role = one.role.unwrap_or(SignerRole::Signer);
        let Some(signer) = signer(validator, call, (known, one), &field) else { continue };
        let place = (order_key(signer.email.as_str()), role.name());
        let message = "another person of the same role has this address";
        validator.require(places.insert(place), &field("email"), "duplicate", message);
        signers.push(Signer { role, ..signer });
    }
    signers
}

fn signer(
    validator: &mut Validator,
    call: CallContext<'_>,
    (known, input): (Option<&Signer>, &SignerInput),
    field: &impl Fn(&str) -> String,
) -> Option<Signer> {
    let name = line(validator, &field("name"), &input.name, 200);
    let email = validator.take(&field("email"), "invalid_email", input.email.parse::<Email>());
    let order = input.order.unwrap_or(1);
    let order = u16::try_from(order).ok().filter(|order| (1..=50).contains(order));
    let message = "must be from 1 to 50";
    validator.require(order.is_some(), &field("order"), "out_of_range", message);
    let phone = match &input.phone {
        None => known.and_then(|known| known.phone.clone()),
        Some(text) => phone(validator, &field("phone"), text),
    };
    let tax_id = match &input.tax_id {
        None => known.and_then(|known| known.tax_id.clone()),
        Some(text) => tax_id(validator, &field("taxId"), text),
    };
    Some(Signer {
        id: known.map_or_else(|| SignerId::generate(call.now, call.random), |known| known.id),
        name: name?,
        email: email?,
        phone,
        tax_id,
        contact: input.contact,
        role: SignerRole::Signer,
        order: order?,
        auth: input.auth.unwrap_or(SignerAuth::Email),
        status: SignerStatus::Waiting,
        access: None,
        reminded_at: None,
        codes: Codes::default(),
    })
}

pub(super) fn phone(validator: &mut Validator, field: &str, text: &str) -> Option<Pii<Phone>> {
    if is_masked(validator, field, text) {
        return None;
    }
    validator.take(field, "invalid_phone", text.parse::<Phone>()).map(Pii::new)
}

/// Whether a person is asked for the same with this address.
pub(super) fn is_same_place(signer: &Signer, role: SignerRole, email: &Email) -> bool {
    signer.role == role && order_key(signer.email.as_str()) == order_key(email.as_str())
}

fn links(validator: &mut Validator, given: &[EnvelopeLinkInput]) -> Vec<EnvelopeLink> {
    let message = format!("must name at most {MOST_LINKS} records");
    if !validator.require(given.len() <= MOST_LINKS, "links", "too_many", message) {
        return Vec::new();
    }
    distinct_links(validator, given, "record", |one| match one.r#type {
        EnvelopeLinkType::Case => one.id.parse().map(EnvelopeLink::Case),
        EnvelopeLinkType::Contact => one.id.parse().map(EnvelopeLink::Contact),
        EnvelopeLinkType::Invoice => one.id.parse().map(EnvelopeLink::Invoice),
    })
}

//! What is known of an envelope, in the words of the seal: its trail, told once more by person.

use svc_business::account::Account;
use svc_business::signature::{Envelope, EnvelopeStatus, Ink, Signer, SignerAuth, SignerRole, TrailAction};
use svc_core::id::SignerId;
use svc_core::trail::{Chain, Link};
use svc_seal::{Evidence, Identification, Language, Role, Signature, SignedDocument, Step, StepKind};

/// What is known of an envelope that everyone signed; `None` of one that is not completed, or has no pins.
pub(crate) fn evidence(envelope: &Envelope, sender: &Account, trail: Vec<Link>) -> Option<Evidence> {
    let EnvelopeStatus::Completed { sent_at, at, .. } = envelope.status else { return None };
    let document = |file: &svc_business::signature::EnvelopeFile| {
        let pin = file.pin.as_ref()?;
        Some(SignedDocument { name: pin.name.clone(), pages: pin.pages, before: pin.sha256, after: None })
    };
    Some(Evidence {
        envelope: envelope.id.to_string(),
        subject: envelope.subject.clone(),
        sender: sender.legal_name.clone(),
        language: language(envelope),
        sent_at,
        completed_at: at,
        documents: envelope.files.iter().map(document).collect::<Option<_>>()?,
        signers: envelope.signers.iter().map(|signer| told(signer, &trail)).collect(),
        entries: Chain::from_links(trail),
    })
}

/// The language of pages: Spanish or English.
pub(crate) fn language(envelope: &Envelope) -> Language {
    match envelope.language.as_str().split('-').next() {
        Some("es") => Language::Es,
        _ => Language::En,
    }
}

/// Signatures as people made them.
pub(crate) fn signatures(inks: Vec<(SignerId, Ink)>) -> Vec<Signature> {
    let drawn = |(signer, ink): (SignerId, Ink)| Signature { signer: signer.to_string(), ink: shown(ink) };
    inks.into_iter().map(drawn).collect()
}

#[expect(clippy::cast_precision_loss, reason = "a point is at most a hundred thousand from its corner")]
fn shown(ink: Ink) -> svc_seal::Ink {
    match ink {
        Ink::Typed(name) => svc_seal::Ink::Typed(name),
        Ink::Drawn(strokes) => {
            let point = |(x, y): (u32, u32)| (x as f32, y as f32);
            let stroke = |points: Vec<(u32, u32)>| points.into_iter().map(point).collect();
            svc_seal::Ink::Strokes(strokes.into_iter().map(stroke).collect())
        }
    }
}

fn told(signer: &Signer, trail: &[Link]) -> svc_seal::Signer {
    let id = signer.id.to_string();
    svc_seal::Signer {
        name: signer.name.clone(),
        email: signer.email.as_str().to_owned(),
        role: match signer.role {
            SignerRole::Signer => Role::Signer,
            SignerRole::Approver => Role::Approver,
            SignerRole::Copy => Role::Copy,
        },
        identified: match signer.auth {
            SignerAuth::Email => Identification::Email,
            SignerAuth::EmailOtp => Identification::EmailOtp,
        },
        steps: trail.iter().filter_map(|link| step(signer, &id, link)).collect(),
        id,
    }
}

/// What an entry says of a person: something that they did, or that was done about them.
fn step(signer: &Signer, id: &str, Link { entry, .. }: &Link) -> Option<Step> {
    let details = entry.details.clone().unwrap_or_default();
    let mut words = details.split(' ');
    let (is_by, is_about) = (entry.actor == id, words.next() == Some(id));
    let is = |action: TrailAction| entry.action == action.name();
    let address = || signer.email.as_str().to_owned();
    let kind = if is_about && (is(TrailAction::SignerNotified) || is(TrailAction::SignerReminded)) {
        StepKind::Notified { to: address() }
    } else if is_about && is(TrailAction::SignerReplaced) {
        StepKind::Replaced { by: words.next().unwrap_or_default().to_owned() }
    } else if is_by && is(TrailAction::SignerViewed) {
        StepKind::Viewed
    } else if is_by && is(TrailAction::SignerConsented) {
        StepKind::Consented { text: details }
    } else if is_by && is(TrailAction::CodeProved) {
        StepKind::OtpProved { to: address(), proof: details }
    } else if is_by && is(TrailAction::SignerSigned) {
        StepKind::Signed
    } else if is_by && is(TrailAction::SignerDeclined) {
        StepKind::Declined { reason: details }
    } else {
        return None;
    };
    let (ip, user_agent) = if is_by { (entry.ip.clone(), entry.user_agent.clone()) } else { (None, None) };
    Some(Step { at: entry.at, kind, ip, user_agent })
}

//! What a link leads to: the envelope, and how it stands with the person whose link it is.

use svc_business::account::Account;
use svc_business::signature::{Envelope, EnvelopeStatus, Signer, SignerAuth, SignerStatus, VoidReason};
use svc_core::clock::Timestamp;
use svc_http::Problem;
use svc_http::visit::Led;

use super::texts_in;
use crate::gate::{Anyone, Seen};
use crate::language::Language;
use crate::texts;

/// A person at an envelope.
pub(super) struct Met {
    pub(super) led: Led,
    pub(super) envelope: Envelope,
    pub(super) signer: Signer,
    /// Who sends it.
    pub(super) sender: String,
    pub(super) stands: Stands,
    pub(super) language: Language,
}

/// How it stands with a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stands {
    /// The person is asked.
    Asked,
    /// Others sign first.
    Waiting,
    /// The person has signed; others have not.
    Signed,
    /// Everyone has signed.
    Completed,
    /// The person declined.
    YouDeclined,
    /// Another person declined.
    Declined,
    /// The sender ended it, with these words.
    Voided(String),
    /// The term has passed.
    Expired,
    /// Another one was sent in its place.
    Reissued,
    /// Another person has the place.
    Replaced,
    /// The company is closed.
    Closed,
}

impl Met {
    /// What the link in the path leads to; `None` when it leads nowhere.
    pub(super) async fn of(seen: &Seen<Anyone>) -> Result<Option<Self>, Problem> {
        let (visit, app) = (&seen.visit, seen.visit.app());
        let led = match visit.led(visit.named("link").unwrap_or_default()).await {
            Ok(led) => led,
            Err(problem) if problem.status() == http::StatusCode::NOT_FOUND => return Ok(None),
            Err(problem) => return Err(problem),
        };
        let envelope = app.business.envelopes().find(led.scope(), led.envelope).await?;
        let company = app.business.accounts().find(led.scope(), led.company).await?;
        let Some((envelope, company)) = envelope.zip(company) else { return Ok(None) };
        let has = |signer: &&Signer| signer.access.is_some_and(|access| access.hash == led.link);
        let Some(signer) = envelope.signers.iter().find(has).cloned() else { return Ok(None) };
        let Some(stands) = stands(&envelope, &signer, &company, visit.now()) else { return Ok(None) };
        let language = Language::parse(envelope.language.as_str()).unwrap_or(Language::English);
        let sender = company.trade_name.unwrap_or(company.legal_name);
        Ok(Some(Self { led, envelope, signer, sender, stands, language }))
    }

    /// The path of the page, below the root.
    pub(super) fn path(&self) -> String {
        self.led.path()
    }

    /// Whether a code is proved.
    pub(super) fn is_proved(&self, seen: &Seen<Anyone>) -> bool {
        self.signer.codes.proof(seen.visit.now()).is_ok()
    }

    /// Whether it was proved in another browser: this one may be that of another person, to whom the link was sent on.
    pub(super) fn proved_elsewhere(&self, seen: &Seen<Anyone>) -> bool {
        let is_asked = self.signer.auth == SignerAuth::EmailOtp;
        is_asked && self.is_proved(seen) && !seen.visit.has_proved(&self.led)
    }

    pub(super) const fn texts(&self) -> &'static texts::Ceremony {
        texts_in(self.language)
    }
}

/// `None` of a draft, whose people have no links.
fn stands(envelope: &Envelope, signer: &Signer, company: &Account, now: Timestamp) -> Option<Stands> {
    if matches!(signer.status, SignerStatus::Replaced { .. }) {
        return Some(Stands::Replaced);
    }
    Some(match &envelope.status {
        EnvelopeStatus::Draft => return None,
        EnvelopeStatus::Sent { .. } if envelope.has_expired(now) => Stands::Expired,
        EnvelopeStatus::Sent { .. } if company.status.closed().is_some() => Stands::Closed,
        EnvelopeStatus::Sent { .. } => match &signer.status {
            SignerStatus::Waiting => Stands::Waiting,
            SignerStatus::Notified { .. } | SignerStatus::Viewed { .. } => Stands::Asked,
            SignerStatus::Signed { .. } => Stands::Signed,
            SignerStatus::Declined { .. } => Stands::YouDeclined,
            SignerStatus::Replaced { .. } => Stands::Replaced,
        },
        EnvelopeStatus::Completed { .. } => Stands::Completed,
        EnvelopeStatus::Declined { .. } => match &signer.status {
            SignerStatus::Declined { .. } => Stands::YouDeclined,
            SignerStatus::Waiting
            | SignerStatus::Notified { .. }
            | SignerStatus::Viewed { .. }
            | SignerStatus::Signed { .. }
            | SignerStatus::Replaced { .. } => Stands::Declined,
        },
        EnvelopeStatus::Voided { reason, .. } => match reason {
            VoidReason::Sender(words) => Stands::Voided(words.clone()),
            VoidReason::Expired => Stands::Expired,
            VoidReason::Reissued => Stands::Reissued,
        },
    })
}

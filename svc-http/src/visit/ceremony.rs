//! Links of people who sign: each leads to one envelope of one company, and no further.

use axum::response::Response;
use http::header::{CACHE_CONTROL, REFERRER_POLICY, USER_AGENT, X_FRAME_OPTIONS};
use http::{HeaderMap, HeaderValue};
use svc_business::document::file::File;
use svc_business::link::code::PROOF_LASTS;
use svc_business::signature::EnvelopeFile;
use svc_business::signature::key::LinkHash;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, EnvelopeId};
use svc_core::pii::PiiAccess;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;

use super::Visit;
use super::by_link::ByLink;
use super::pass::Pass;
use crate::documents;
use crate::gate::cookie::SIGN;
use crate::problem::Problem;

/// Digits of a link: see [`svc_business::signature::key::LinkToken`].
const DIGITS: usize = 43;

/// Whether a text has the form of a link.
pub(super) fn is_link(token: &str) -> bool {
    token.len() == DIGITS && token.bytes().all(|digit| digit.is_ascii_alphanumeric())
}

/// Where the link of a signer leads.
#[derive(Debug)]
pub struct Led {
    /// The envelope.
    pub envelope: EnvelopeId,
    /// The company that it belongs to.
    pub company: AccountId,
    /// What is kept of the link.
    pub link: LinkHash,
    /// The link, as the path has it.
    token: String,
    /// That company alone; for the log of changes, as the trail of the envelope names the signer.
    by: ByLink,
}

impl Led {
    /// The company of the envelope, and no other.
    #[must_use]
    pub const fn scope(&self) -> &Scope {
        self.by.scope()
    }

    /// The path of the page, below the root.
    #[must_use]
    pub fn path(&self) -> String {
        format!("/sign/{}", self.token)
    }

    fn pass(&self) -> Pass<'_, EnvelopeId> {
        Pass { cookie: &SIGN, of: self.envelope, link: &self.link, path: self.path(), lasts: PROOF_LASTS }
    }
}

impl Visit {
    /// Looks up the link of a signer.
    ///
    /// # Errors
    /// `not_found` for one that is unknown; when the store failed.
    pub async fn led(&self, token: &str) -> Result<Led, Problem> {
        if !is_link(token) {
            return Err(Problem::not_found());
        }
        let link = LinkHash::of(token);
        let found = self.app().business.envelopes().of_link(&link).await?;
        let (company, envelope) = found.ok_or_else(Problem::not_found)?;
        let by = self.by_link("envelope_link", Some(company));
        Ok(Led { envelope, company, link, token: token.to_owned(), by })
    }

    /// Whether this browser proved the code of a signer, and not too long ago: the link may have been forwarded since.
    #[must_use]
    pub fn has_proved(&self, led: &Led) -> bool {
        self.keeps(&led.pass())
    }

    /// Notes in this browser that it proved the code: adds the line `Set-Cookie` to an answer.
    pub fn note_proof(&self, led: &Led, response: &mut Response) {
        self.give(&led.pass(), response);
    }

    /// What use cases need to know of a visit by a link.
    #[must_use]
    pub fn call_of<'a>(&'a self, led: &'a Led) -> CallContext<'a> {
        self.call_by_link(&led.by)
    }

    /// What the browser names itself.
    #[must_use]
    pub fn user_agent(&self) -> Option<&str> {
        self.headers().get(USER_AGENT).and_then(|line| line.to_str().ok())
    }

    /// A file of the envelope, in the version that people sign, for the browser to show.
    ///
    /// # Errors
    /// When the store failed, or has not what was pinned.
    pub async fn document(&self, led: &Led, file: &EnvelopeFile) -> Result<Response, Problem> {
        let missing = || StoreError::backend("a pinned version of a file is missing");
        let pin = file.pin.as_ref().ok_or_else(missing)?;
        let found: Option<File> = self.app().business.files().find(led.scope(), file.file).await?;
        let found = found.ok_or_else(missing)?;
        let version = found.version_of(Some(pin.version)).ok_or_else(missing)?;
        let name = svc_files::inline(&pin.name);
        let answer = documents::read(&*self.app().contents, self.headers(), version, name).await?;
        let mut response = answer.into_response(PiiAccess::Masked);
        response.headers_mut().extend(unkept());
        Ok(response)
    }
}

/// No cache keeps what a link leads to, and no page learns from where it was opened.
pub(super) fn unkept() -> HeaderMap {
    HeaderMap::from_iter([
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    ])
}

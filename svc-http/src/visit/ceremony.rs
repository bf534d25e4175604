//! Links of people who sign: each leads to one envelope of one company, and no further.

use axum::response::Response;
use http::header::{CACHE_CONTROL, REFERRER_POLICY, USER_AGENT, X_FRAME_OPTIONS};
use http::{HeaderMap, HeaderValue};
use svc_business::document::file::File;
use svc_business::signature::EnvelopeFile;
use svc_business::signature::key::LinkHash;
use svc_core::audit::Actor;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, EnvelopeId};
use svc_core::pii::PiiAccess;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;

use super::Visit;
use crate::documents;
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
    /// That company alone.
    scope: Scope,
    /// For the log of changes; the trail of the envelope names the signer.
    actor: Actor,
}

impl Led {
    /// The company of the envelope, and no other.
    #[must_use]
    pub const fn scope(&self) -> &Scope {
        &self.scope
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the link is known to the store, which names the company of its envelope, or of its grant"
)]
pub(super) fn granted(company: AccountId) -> Scope {
    Scope::granted([company])
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
        let request = Some(self.request());
        let actor = Actor { from: self.from(), request, ..Actor::service("envelope_link") };
        Ok(Led { envelope, company, link, scope: granted(company), actor })
    }

    /// What use cases need to know of a visit by a link.
    #[must_use]
    pub fn call_of<'a>(&'a self, led: &'a Led) -> CallContext<'a> {
        let (scope, actor) = (&led.scope, &led.actor);
        CallContext { scope, access: PiiAccess::Masked, actor, now: self.now(), random: &*self.app().random }
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
        let found: Option<File> = self.app().business.files().find(&led.scope, file.file).await?;
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

#[cfg(test)]
mod tests {
    use svc_testkit::business::sample;

    use super::*;

    #[test]
    fn a_link_reaches_the_company_of_its_envelope_alone() {
        let [ours, theirs] = [1, 2].map(sample::id);
        let scope = granted(ours);
        assert_eq!(scope.companies(), Some(&[ours].into()));
        assert!(scope.only(theirs).is_none() && scope.within([ours, theirs]).is_none());
    }
}

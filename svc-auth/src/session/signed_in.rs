//! A signed-in person with what they are at present.

use std::net::IpAddr;

use svc_core::audit::{Actor, Who};
use svc_core::id::{AccountId, RequestId};
use svc_core::pii::{PiiAccess, Reveal};
use svc_core::tenant::Scope;

use crate::ports::{CompanyStanding, Person, Standing};
use crate::session::Session;

/// A session that counts, its person, and their companies.
///
/// Only [`sign_in`](crate::session::sign_in) and [`resume`](crate::session::resume)
/// make one, and nothing changes it: its person was checked.
///
/// ```compile_fail,E0451
/// # use svc_auth::session::SignedIn;
/// fn forge(like: &SignedIn) -> SignedIn {
///     let (session, person) = (like.session().clone(), like.person().clone());
///     SignedIn { session, person, companies: like.companies().to_vec() }
/// }
/// ```
/// ```compile_fail,E0616
/// # use svc_auth::session::SignedIn;
/// fn promote(mut signed_in: SignedIn) {
///     signed_in.companies.clear();
/// }
/// ```
/// ```compile_fail,E0624
/// # use svc_auth::session::SignedIn;
/// let make = SignedIn::new;
/// ```
#[derive(Clone, Debug)]
pub struct SignedIn {
    session: Session,
    person: Person,
    companies: Vec<CompanyStanding>,
}

impl SignedIn {
    pub(super) fn new(session: Session, person: Person, companies: Vec<CompanyStanding>) -> Self {
        Self { session, person, companies }
    }

    /// The session.
    #[must_use]
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// The person that is signed in.
    #[must_use]
    pub const fn person(&self) -> &Person {
        &self.person
    }

    /// The companies of which they are an active member, with their role, by legal name.
    #[must_use]
    pub fn companies(&self) -> &[CompanyStanding] {
        &self.companies
    }

    /// The companies that they hold or administer.
    #[must_use]
    pub fn administered(&self) -> Scope {
        self.scope(CompanyStanding::is_administered)
    }

    /// The companies of which they are an active member.
    #[must_use]
    pub fn reached(&self) -> Scope {
        self.scope(|company| !company.merged && matches!(company.membership, Standing::Member(_)))
    }

    /// How they see personal data of the companies that they hold or administer: in full.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "holders and administrators see the personal data of theirs"
    )]
    pub fn access(&self) -> PiiAccess {
        let administers = self.companies.iter().any(CompanyStanding::is_administered);
        if administers { PiiAccess::Full(Reveal::granted()) } else { PiiAccess::Masked }
    }

    /// Who the audit log names for what they do in a request.
    #[must_use]
    pub fn actor(&self, from: Option<IpAddr>, request: Option<RequestId>) -> Actor {
        let who = Who::Person { user: self.person.id, session: self.session.id };
        Actor { who, from, request }
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the session was found by its fingerprint and its roles read"
    )]
    fn scope(&self, counts: impl Fn(&CompanyStanding) -> bool) -> Scope {
        let ids = self.companies.iter().filter(|company| counts(company)).map(|company| company.id);
        Scope::granted(ids.collect::<Vec<AccountId>>())
    }
}

//! A person who is signed in, as pages know them, and their browser.

use std::sync::Arc;

use svc_auth::ports::{CompanyStanding, Standing};
use svc_auth::session::{CsrfToken, SignedIn};
use svc_core::audit::Actor;
use svc_core::id::AccountId;
use svc_core::role::Role;

use super::Seed;

/// Who visits a page, with what they are at present.
#[derive(Debug)]
pub struct Visitor {
    pub(super) signed_in: SignedIn,
    pub(super) csrf: CsrfToken,
    pub(super) actor: Actor,
}

/// The browser that a request came from.
#[derive(Clone, Debug, Default)]
pub struct Browser {
    /// Who is signed in.
    pub visitor: Option<Arc<Visitor>>,
    /// What ties forms to the browser before a person is signed in.
    pub seed: Option<Seed>,
}

impl Browser {
    /// The token of the browser's forms; none before it has a session or a seed.
    #[must_use]
    pub fn csrf(&self) -> Option<CsrfToken> {
        match (&self.visitor, &self.seed) {
            (Some(visitor), _) => Some(visitor.csrf.clone()),
            (None, Some(seed)) => Some(seed.csrf()),
            (None, None) => None,
        }
    }
}

impl Visitor {
    /// The person, their session and their companies.
    #[must_use]
    pub const fn signed_in(&self) -> &SignedIn {
        &self.signed_in
    }

    /// What each form of the session carries.
    #[must_use]
    pub const fn csrf(&self) -> &CsrfToken {
        &self.csrf
    }

    /// Whom the audit log names.
    #[must_use]
    pub const fn actor(&self) -> &Actor {
        &self.actor
    }

    /// The companies of which the person is an active member, and what they are there.
    pub fn companies(&self) -> impl Iterator<Item = (&CompanyStanding, Role)> {
        self.signed_in.companies().iter().filter_map(|company| match company.membership {
            Standing::Member(role) if !company.merged => Some((company, role)),
            Standing::Member(_) | Standing::Stranger | Standing::Former => None,
        })
    }

    /// The one with this id; `None` for one that they do not belong to.
    #[must_use]
    pub fn company(&self, id: AccountId) -> Option<(&CompanyStanding, Role)> {
        self.companies().find(|(company, _)| company.id == id)
    }
}

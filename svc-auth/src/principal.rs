//! The caller, and what it reaches.

use std::collections::BTreeSet;

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, GroupId, TokenId, UserId};
use svc_core::permission::Grants;
use svc_core::pii::{PiiAccess, Reveal};
use svc_core::role::{Role, RoleGrants};
use svc_core::tenant::Scope;

use crate::ip::AllowedIps;
use crate::scope::{Reach, ReachedCompany};
use crate::token::{Connection, Token};

/// An authenticated credential with what it reaches at present.
///
/// Making one grants authority, so only an
/// [`Authenticator`](crate::authenticate::Authenticator) does: it is shared as it
/// is, and neither built, copied nor changed elsewhere.
///
/// ```compile_fail,E0639
/// # use svc_auth::principal::Principal;
/// fn forge(like: &Principal) -> Principal {
///     Principal {
///         token: like.token,
///         name: like.name.clone(),
///         grants: like.grants.clone(),
///         access: like.access,
///         primary: like.primary,
///         scope: like.scope.clone(),
///         companies: like.companies.clone(),
///         groups: like.groups.clone(),
///         creator: like.creator,
///         allowed_ips: like.allowed_ips.clone(),
///         connection: None,
///         expires_at: None,
///     }
/// }
/// ```
/// ```compile_fail,E0277
/// # use svc_auth::principal::Principal;
/// fn copied<T: Clone>() {}
/// copied::<Principal>();
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Principal {
    /// The token.
    pub token: TokenId,
    /// Its name.
    pub name: String,
    /// What it may do.
    pub grants: Grants,
    /// How it sees personal data.
    pub access: PiiAccess,
    /// The account whose limits, events and default it works with.
    pub primary: AccountId,
    /// Every company within reach.
    pub scope: Scope,
    /// The same companies with names and reasons: primary first, then by name.
    pub companies: Vec<ReachedCompany>,
    /// Whole groups that the token names.
    pub groups: BTreeSet<GroupId>,
    /// Who created it; `None` in a service without people.
    pub creator: Option<UserId>,
    /// To which assistant a person gave it; `None` for a token.
    pub connection: Option<Connection>,
    /// Where it may be used from.
    pub allowed_ips: AllowedIps,
    /// When it stops working.
    pub expires_at: Option<Timestamp>,
}

impl Principal {
    /// Whether the token reaches a company that its creator is about to make in this group. What a token names
    /// is fixed at its creation (specification, part 5.3), so it does when it names the group whole.
    #[must_use]
    pub fn reaches_new_in(&self, group: Option<GroupId>) -> bool {
        group.is_some_and(|group| self.groups.contains(&group))
    }

    /// The same with no more than these permissions: for a part of the service that needs no others.
    #[must_use]
    pub fn within(&self, bounds: &Grants) -> Self {
        Self {
            token: self.token,
            name: self.name.clone(),
            grants: self.grants.within(bounds),
            access: self.access,
            primary: self.primary,
            scope: self.scope.clone(),
            companies: self.companies.clone(),
            groups: self.groups.clone(),
            creator: self.creator,
            connection: self.connection.clone(),
            allowed_ips: self.allowed_ips.clone(),
            expires_at: self.expires_at,
        }
    }

    /// What a connection may do at present: no more than its person, in the role that they have now in its company.
    pub(crate) fn of_connection(token: &Token, reach: Reach, roles: &RoleGrants) -> Self {
        let role = reach.companies.first().and_then(|company| company.role);
        let personal_data = token.personal_data && role.is_some_and(Role::sees_personal_data);
        let grants = grants_of_connection(token, &reach, roles);
        Self { grants, access: access(personal_data), ..Self::of(token, reach) }
    }

    /// The one place where a token turns into the right to see companies and personal data.
    pub(crate) fn of(token: &Token, reach: Reach) -> Self {
        Self {
            token: token.id,
            name: token.name.clone(),
            connection: token.connection.clone(),
            grants: token.grants.clone(),
            access: access(token.personal_data),
            primary: token.primary,
            scope: scope(&reach),
            companies: reach.companies,
            groups: token.groups.clone(),
            creator: token.created_by,
            allowed_ips: token.allowed_ips.clone(),
            expires_at: token.expires_at,
        }
    }
}

/// What a connection covers at present: no more than its person, in the role that they have now in its company.
pub(crate) fn grants_of_connection(token: &Token, reach: &Reach, roles: &RoleGrants) -> Grants {
    let role = reach.companies.first().and_then(|company| company.role);
    token.grants.within(&role.map_or(Grants::none(), |role| roles.of(role)))
}

#[expect(
    clippy::disallowed_methods,
    reason = "the token was found by its fingerprint and its reach resolved"
)]
fn scope(reach: &Reach) -> Scope {
    Scope::granted(reach.companies.iter().map(|company| company.id))
}

#[expect(clippy::disallowed_methods, reason = "the creator ticked that the token sees personal data")]
fn access(personal_data: bool) -> PiiAccess {
    if personal_data { PiiAccess::Full(Reveal::granted()) } else { PiiAccess::Masked }
}

//! Which person may hand out what a token names (specification, parts 2.1 and 3.1).
//!
//! 1. Companies are named by who holds or administers them, whole groups by who
//!    holds or administers their parent company.
//! 2. API access is on for every company that the token names or reaches, those
//!    of its groups included: neither creation nor an edit nor a rotation goes
//!    around a company for which the service switched it off.
//! 3. A caller that edits or rotates a token without having created it answers the
//!    first rule as well, and reaches by it all that its creator does: otherwise
//!    an administrator of one company could take over a token that reaches
//!    another one.

use svc_core::audit::Who;
use svc_core::id::{AccountId, GroupId};
use svc_core::refused::Refused;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::ports::{AuthUnit, CompanyStanding};
use crate::scope::{Reach, hands_out, resolve, standings_of};
use crate::token::Token;

/// Why a person may not hand out what a token names.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum AuthorityError {
    /// A company that does not exist, or that the person neither holds nor administers.
    #[error("only holders and administrators of {0} may create or change a token that reaches it")]
    NotAdministered(AccountId),
    /// A group that does not exist, that has no parent company, or whose parent company the person
    /// neither holds nor administers.
    #[error(
        "only holders and administrators of the parent company of {0} may create or change a token that names the group"
    )]
    ParentNotAdministered(GroupId),
    /// API access is switched off for a company that the token names or reaches.
    #[error("API access is switched off for {0}")]
    ApiAccessOff(AccountId),
}

/// Whether the creator of a new token may have it, and the caller make it: a directory may know no people, and
/// the scope is then all that keeps tenants apart.
pub(super) async fn may_create(
    unit: &dyn AuthUnit,
    call: CallContext<'_>,
    token: &Token,
) -> Result<(), Refused<AuthorityError>> {
    if !call.scope.contains(token.primary) {
        return Err(Refused::Own(AuthorityError::NotAdministered(token.primary)));
    }
    if token.created_by.is_none() {
        within(call.scope, token).map_err(Refused::Own)?;
    }
    let of_creator = standings_of(unit.directory(), token, token.created_by).await?;
    names_own(token, &of_creator).map_err(Refused::Own)?;
    has_api_access(token, &of_creator).map_err(Refused::Own)
}

/// No person answers for the token: it names what the caller reaches, whatever the directory says of others.
fn within(scope: &Scope, token: &Token) -> Result<(), AuthorityError> {
    if let Some(foreign) = token.named().find(|company| !scope.contains(*company)) {
        return Err(AuthorityError::NotAdministered(foreign));
    }
    match token.groups.first() {
        Some(group) => Err(AuthorityError::ParentNotAdministered(*group)),
        None => Ok(()),
    }
}

/// Whether the caller may learn a token's value or change what it may do.
pub(super) async fn may_edit(
    unit: &dyn AuthUnit,
    call: CallContext<'_>,
    token: &Token,
) -> Result<(), Refused<AuthorityError>> {
    let of_creator = standings_of(unit.directory(), token, token.created_by).await?;
    has_api_access(token, &of_creator).map_err(Refused::Own)?;
    let user = match call.actor.who {
        Who::Person { user, .. } => user,
        Who::Token(_) | Who::Operator | Who::Service(_) => return Ok(()),
    };
    if Some(user) == token.created_by {
        return Ok(());
    }
    let of_caller = standings_of(unit.directory(), token, Some(user)).await?;
    names_own(token, &of_caller).map_err(Refused::Own)?;
    let own = reached(token, &of_caller);
    match reached(token, &of_creator).into_iter().find(|company| !own.contains(company)) {
        Some(foreign) => Err(Refused::Own(AuthorityError::NotAdministered(foreign))),
        None => Ok(()),
    }
}

/// Whether the token names what a person with these standings holds or administers. What does not exist
/// answers as what is others', so that ids of strangers cannot be tried out.
fn names_own(token: &Token, standings: &[CompanyStanding]) -> Result<(), AuthorityError> {
    let administers =
        |id: AccountId| standings.iter().any(|company| company.id == id && company.is_administered());
    if let Some(foreign) = token.named().find(|company| !administers(*company)) {
        return Err(AuthorityError::NotAdministered(foreign));
    }
    match token.groups.iter().find(|group| !hands_out(**group, standings)) {
        Some(foreign) => Err(AuthorityError::ParentNotAdministered(*foreign)),
        None => Ok(()),
    }
}

/// Whether API access is on for all that the token names or reaches by its creator.
fn has_api_access(token: &Token, of_creator: &[CompanyStanding]) -> Result<(), AuthorityError> {
    let on = |id: AccountId| of_creator.iter().any(|company| company.id == id && company.api_access);
    match token.named().chain(reached(token, of_creator)).find(|company| !on(*company)) {
        Some(off) => Err(AuthorityError::ApiAccessOff(off)),
        None => Ok(()),
    }
}

/// The companies that the token would reach by a person with these standings.
fn reached(token: &Token, standings: &[CompanyStanding]) -> Vec<AccountId> {
    let reach = resolve(token, standings);
    reach.iter().flat_map(Reach::companies).map(|company| company.id).collect()
}

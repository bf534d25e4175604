//! What a token, or a person, may see at present, for what it set up and what goes on without it.
//!
//! A webhook subscription is made with the permissions of a token, and delivers when no request is there to
//! check. What the token and its creator may do then is read anew.

use std::collections::BTreeSet;

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TokenId, UserId};
use svc_core::permission::{Grants, Permission};
use svc_core::role::RoleGrants;

use crate::ports::AuthStorage;
use crate::principal::grants_of_connection;
use crate::scope::{resolve, standings_of};
use crate::token::Status;

/// What a token or a person covers: no proof of a credential, and no right to act.
#[derive(Clone, Debug)]
pub struct Sight {
    grants: Grants,
    reached: BTreeSet<AccountId>,
}

impl Sight {
    /// Whether it covers what needs this permission in this company.
    #[must_use]
    pub fn covers(&self, account: AccountId, needed: Option<Permission>) -> bool {
        self.reached.contains(&account) && needed.is_none_or(|needed| self.grants.cover(needed))
    }
}

/// What a token may see now, a connection no more than the role of its person in the company; `None` when there is no
/// such token, it does not work at present, or its creator lost the role in its primary account.
///
/// # Errors
/// When the store could not be read.
pub async fn sight(
    storage: &dyn AuthStorage,
    roles: &RoleGrants,
    id: TokenId,
    now: Timestamp,
) -> Result<Option<Sight>, StoreError> {
    let Some(token) = storage.tokens().find(id).await?.filter(|token| token.status(now) == Status::Active)
    else {
        return Ok(None);
    };
    let standings = standings_of(storage.directory(), &token, token.created_by).await?;
    let reach = resolve(&token, &standings);
    Ok(reach.map(|reach| Sight {
        grants: match &token.connection {
            Some(_) => grants_of_connection(&token, &reach, roles),
            None => token.grants,
        },
        reached: reach.companies.iter().map(|company| company.id).collect(),
    }))
}

/// What a person may see now of this company, which they must hold or administer: all of it; `None` otherwise.
///
/// # Errors
/// When the store could not be read.
pub async fn sight_of_person(
    storage: &dyn AuthStorage,
    person: UserId,
    company: AccountId,
) -> Result<Option<Sight>, StoreError> {
    let standings =
        storage.directory().standings(person, &BTreeSet::from([company]), &BTreeSet::new()).await?;
    let administered: BTreeSet<AccountId> =
        standings.iter().filter(|standing| standing.is_administered()).map(|standing| standing.id).collect();
    Ok((!administered.is_empty()).then(|| Sight { reached: administered, grants: Grants::all() }))
}

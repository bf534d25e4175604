//! New recovery codes, and the end of a second factor.

use svc_core::audit::Action;
use svc_core::error::StoreError;
use svc_core::id::UserId;
use svc_core::unit::CallContext;
use thiserror::Error;

use super::{RecoveryCode, SecondFactor};
use crate::ports::{PasswordHasher, SessionStorage, SessionUnit};
use crate::session::note::note;
use crate::session::proof::{ProofError, prove};
use crate::session::{PasswordText, SignedIn};
use crate::token::Peppers;

/// Why a second factor stays as it is.
#[derive(Debug, Error)]
pub enum ManageError {
    /// It is not on.
    #[error("the second factor is not on")]
    NotOn,
    /// The present password does not prove that it is the person.
    #[error(transparent)]
    Proof(#[from] ProofError),
    /// The store failed; [`StoreError::Conflict`] when another session was faster.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why an operator removes no second factor.
#[derive(Debug, Error)]
pub enum RemoveError {
    /// There is no such person.
    #[error("there is no person with this id")]
    UnknownPerson,
    /// Their second factor is not on.
    #[error("the second factor is not on")]
    NotOn,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Gives the person new recovery codes, which are in the answer and nowhere else; the ones before are worth nothing.
///
/// # Errors
/// [`ManageError`]; nothing was changed.
pub async fn renew_recovery_codes(
    storage: &dyn SessionStorage,
    hasher: &dyn PasswordHasher,
    peppers: &Peppers,
    call: CallContext<'_>,
    signed_in: &SignedIn,
    password: PasswordText,
) -> Result<Vec<RecoveryCode>, ManageError> {
    prove(storage, hasher, peppers, signed_in, password, call.now).await?;
    let user = signed_in.person().id;
    let unit = storage.begin().await?;
    let before = on(&*unit, user).await?.ok_or(ManageError::NotOn)?;
    let (codes, recovery) = RecoveryCode::set(peppers, call.random);
    let after = SecondFactor { recovery, version: before.version.next(), ..before.clone() };
    unit.factors().put_factor(Some(before.version), &after).await?;
    note(&*unit, call, user, Action::SecondFactorCodes).await?;
    unit.commit().await?;
    Ok(codes)
}

/// Ends it: the password alone signs the person in from now on.
///
/// # Errors
/// [`ManageError`]; nothing was changed.
pub async fn turn_off_second_factor(
    storage: &dyn SessionStorage,
    hasher: &dyn PasswordHasher,
    peppers: &Peppers,
    call: CallContext<'_>,
    signed_in: &SignedIn,
    password: PasswordText,
) -> Result<(), ManageError> {
    prove(storage, hasher, peppers, signed_in, password, call.now).await?;
    let user = signed_in.person().id;
    let unit = storage.begin().await?;
    let before = on(&*unit, user).await?.ok_or(ManageError::NotOn)?;
    remove(&*unit, call, &before).await?;
    Ok(unit.commit().await?)
}

/// Ends the second factor of a person who has lost the device and the recovery codes, for the operator; their sessions
/// end, as it may be another one who has the device.
///
/// # Errors
/// [`RemoveError`]; nothing was changed.
pub async fn remove_second_factor(
    unit: &dyn SessionUnit,
    call: CallContext<'_>,
    user: UserId,
) -> Result<(), RemoveError> {
    if unit.people().person(user).await?.is_none() {
        return Err(RemoveError::UnknownPerson);
    }
    let before = on(unit, user).await?.ok_or(RemoveError::NotOn)?;
    remove(unit, call, &before).await?;
    unit.sessions().delete_of(user, None).await?;
    Ok(())
}

async fn on(unit: &dyn SessionUnit, user: UserId) -> Result<Option<SecondFactor>, StoreError> {
    Ok(unit.factors().factor_of(user).await?.filter(SecondFactor::is_on))
}

async fn remove(
    unit: &dyn SessionUnit,
    call: CallContext<'_>,
    before: &SecondFactor,
) -> Result<(), StoreError> {
    unit.factors().remove_factor(before.user, before.version).await?;
    note(unit, call, before.user, Action::SecondFactorOff).await
}

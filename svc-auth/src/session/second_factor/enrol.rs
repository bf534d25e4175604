//! Turning the second factor on: a secret for the device first, and then its first code.

use svc_core::audit::Action;
use svc_core::error::StoreError;
use svc_core::resource::Version;
use svc_core::unit::CallContext;
use thiserror::Error;

use super::{RecoveryCode, SecondFactor, TotpSecret};
use crate::ports::{PasswordHasher, SessionStorage};
use crate::session::note::note;
use crate::session::proof::{ProofError, prove};
use crate::session::throttle::Attempt;
use crate::session::{PasswordText, SignedIn};
use crate::token::Peppers;

/// Why a second factor is not turned on.
#[derive(Debug, Error)]
pub enum EnrolError {
    /// It is on already: turn it off first.
    #[error("the second factor is on already")]
    AlreadyOn,
    /// There is no secret that a code could be of: begin with [`enrol`].
    #[error("no enrolment was begun")]
    NotBegun,
    /// The code is none of this secret at this time.
    #[error("the code is another one")]
    WrongCode,
    /// The present password does not prove that it is the person, or too many codes were wrong.
    #[error(transparent)]
    Proof(#[from] ProofError),
    /// The store failed; [`StoreError::Conflict`] when another session was faster.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes a secret for the person's device; one that was made before and not confirmed is worth nothing from now on.
///
/// # Errors
/// [`EnrolError`]; nothing was changed.
pub async fn enrol(
    storage: &dyn SessionStorage,
    hasher: &dyn PasswordHasher,
    peppers: &Peppers,
    call: CallContext<'_>,
    signed_in: &SignedIn,
    password: PasswordText,
) -> Result<TotpSecret, EnrolError> {
    prove(storage, hasher, peppers, signed_in, password, call.now).await?;
    let user = signed_in.person().id;
    let unit = storage.begin().await?;
    let before = unit.factors().factor_of(user).await?;
    if before.as_ref().is_some_and(SecondFactor::is_on) {
        return Err(EnrolError::AlreadyOn);
    }
    let secret = TotpSecret::generate(call.random);
    let after = SecondFactor {
        user,
        secret: secret.clone(),
        confirmed_at: None,
        last_step: 0,
        recovery: Vec::new(),
        version: before.as_ref().map_or(Version::FIRST, |before| before.version.next()),
    };
    unit.factors().put_factor(before.map(|before| before.version), &after).await?;
    unit.commit().await?;
    Ok(secret)
}

/// Turns the second factor on with the first code of the device, and ends all other sessions of the person: they were
/// opened with the password alone. The recovery codes are in the answer and nowhere else.
///
/// Wrong codes are counted by the session: in a stolen one, a guess would give the recovery codes away.
///
/// # Errors
/// [`EnrolError`]; nothing was changed.
pub async fn confirm_enrolment(
    storage: &dyn SessionStorage,
    peppers: &Peppers,
    call: CallContext<'_>,
    signed_in: &SignedIn,
    code: &str,
) -> Result<Vec<RecoveryCode>, EnrolError> {
    let user = signed_in.person().id;
    let attempt = Attempt::enrolment(peppers, signed_in.session().id);
    attempt.charge(storage.attempts(), call.now).await.map_err(ProofError::from)?;
    let unit = storage.begin().await?;
    let before = unit.factors().factor_of(user).await?.ok_or(EnrolError::NotBegun)?;
    if before.is_on() {
        return Err(EnrolError::AlreadyOn);
    }
    let proven = before.used(peppers, code, call.now).ok_or(EnrolError::WrongCode)?;
    let (codes, recovery) = RecoveryCode::set(peppers, call.random);
    let after = SecondFactor { confirmed_at: Some(call.now), recovery, ..proven };
    unit.factors().put_factor(Some(before.version), &after).await?;
    unit.sessions().delete_of(user, Some(signed_in.session().id)).await?;
    note(&*unit, call, user, Action::SecondFactorOn).await?;
    unit.commit().await?;
    attempt.passed_for_good(storage.attempts()).await;
    Ok(codes)
}

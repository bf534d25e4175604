//! The first company of a fresh system, and the person who holds it.

use svc_core::refused::Refused;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::account::{Account, AccountInput, CreateError, FoundRequest, found};
use crate::ports::DynAccountUnit;
use crate::user::{self, User};

/// What a fresh system begins with.
#[derive(Clone, Debug)]
pub struct BootstrapRequest {
    /// The first company.
    pub input: AccountInput,
    /// Who holds it: a new person.
    pub holder: user::CreateRequest,
}

/// Why a system is not begun.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum BootstrapError {
    /// It has begun already.
    #[error("the database has a company already")]
    NotEmpty,
    /// The company cannot be created.
    #[error(transparent)]
    Company(#[from] CreateError),
}

/// Begins a fresh system: founds its first company with a new person as its holder.
///
/// The password of the holder and the first token are for svc-auth, in the same unit of work:
/// `svc_auth::session::set_password` and `svc_auth::token::create_full`.
///
/// # Errors
/// [`Refused`] with [`BootstrapError`]; nothing was added.
pub(crate) async fn bootstrap(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    request: BootstrapRequest,
) -> Result<(Account, User), Refused<BootstrapError>> {
    if unit.accounts().any_once_alone().await? {
        return Err(Refused::Own(BootstrapError::NotEmpty));
    }
    let BootstrapRequest { input, holder } = request;
    let holder = user::create(unit, call, holder).await.map_err(Refused::widen)?;
    let company = found(unit, call, FoundRequest { input, holder: holder.id }).await;
    let company = company.map_err(|refused| refused.map(BootstrapError::Company))?;
    Ok((company, holder))
}

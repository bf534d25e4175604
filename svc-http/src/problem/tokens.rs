//! Refusals of the management of tokens.

use svc_auth::token::{AuthorityError, ChangeError, IllegalStep, Status, UpdateError};
use svc_core::id::AccountId;

use super::{Code, Problem};

impl Problem {
    /// Tokens of this company are neither created nor edited nor rotated (specification, part 3.1).
    pub(crate) fn api_access_off(company: AccountId) -> Self {
        let detail = format!(
            "API access is switched off for {company}: until the service switches it on again, no token that \
             reaches it is created, edited or rotated; those that are there can be switched off and revoked"
        );
        Self::new(Code::ApiAccessOff, detail)
    }
}

impl From<ChangeError> for Problem {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::NotFound => Self::not_found(),
            ChangeError::Illegal(step) => step.into(),
            ChangeError::Authority(error) => error.into(),
            ChangeError::Store(error) => error.into(),
        }
    }
}

impl From<AuthorityError> for Problem {
    fn from(error: AuthorityError) -> Self {
        let detail = error.to_string();
        match error {
            AuthorityError::ApiAccessOff(company) => Self::api_access_off(company),
            AuthorityError::NotAdministered(_) | AuthorityError::ParentNotAdministered(_) => {
                Self::new(Code::NotAdministered, detail)
            }
            AuthorityError::Store(error) => error.into(),
        }
    }
}

impl From<UpdateError> for Problem {
    fn from(error: UpdateError) -> Self {
        match error {
            UpdateError::Invalid(invalid) => invalid.into(),
            UpdateError::Change(error) => error.into(),
            UpdateError::Version { current } => Self::version_conflict(current),
            UpdateError::Store(error) => error.into(),
        }
    }
}

impl From<IllegalStep> for Problem {
    fn from(step: IllegalStep) -> Self {
        let code = match step.status {
            Status::Active => Code::TokenActive,
            Status::Disabled | Status::Revoked | Status::Expired => Code::TokenNotActive,
        };
        Self::new(code, step.to_string()).state(step.status.name())
    }
}

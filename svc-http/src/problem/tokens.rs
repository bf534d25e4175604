//! Refusals of the management of tokens.

use svc_auth::token::{ChangeError, IllegalStep, Status, UpdateError};
use svc_core::id::AccountId;

use super::{Code, Problem};

impl Problem {
    /// Tokens of this company are neither created nor edited nor rotated (specification, part 3.1).
    pub(crate) fn api_access_off(company: AccountId) -> Self {
        Self::new(Code::ApiAccessOff, format!("API access is switched off for {company}"))
    }
}

impl From<ChangeError> for Problem {
    fn from(error: ChangeError) -> Self {
        let detail = error.to_string();
        match error {
            ChangeError::NotFound => Self::not_found(),
            ChangeError::Illegal(step) => step.into(),
            ChangeError::ApiAccessOff(company) => Self::api_access_off(company),
            ChangeError::NotAdministered(_) | ChangeError::UnknownGroup(_) => {
                Self::new(Code::NotAdministered, detail)
            }
            ChangeError::Store(error) => error.into(),
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

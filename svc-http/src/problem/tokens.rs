//! Refusals of the management of tokens.

use svc_auth::oauth::ConnectError;
use svc_auth::token::{AuthorityError, EditError, IllegalStep, Status};
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

impl From<EditError> for Problem {
    fn from(error: EditError) -> Self {
        match error {
            EditError::Illegal(step) => step.into(),
            EditError::Connection => Self::new(Code::TokenIsConnection, error.to_string()),
            EditError::Authority(error) => error.into(),
        }
    }
}

impl From<ConnectError> for Problem {
    fn from(error: ConnectError) -> Self {
        match error {
            ConnectError::NotMember(_) => Self::not_found(),
            ConnectError::ApiAccessOff(company) => Self::api_access_off(company),
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

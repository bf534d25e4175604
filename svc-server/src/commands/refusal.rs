//! The refusals of use cases, as failures of a command.

use svc_auth::{session, token};
use svc_business::{membership, user};
use svc_core::error::{StoreError, ValidationErrors};
use svc_core::refused::Refused;

use crate::failure::Failure;
use crate::store::backend;

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict | StoreError::Taken { .. } => refused(&error),
            StoreError::Busy | StoreError::Backend(_) => backend(&error),
        }
    }
}

impl From<ValidationErrors> for Failure {
    fn from(invalid: ValidationErrors) -> Self {
        let findings: Vec<_> =
            invalid.0.iter().map(|error| format!("{}: {}", error.field, error.message)).collect();
        Self::usage("invalid_input", findings.join("; ")).hint("see --help")
    }
}

/// A verb on a record: the reasons that every verb has, and its own.
impl<E: std::error::Error> From<Refused<E>> for Failure {
    fn from(error: Refused<E>) -> Self {
        match error {
            Refused::Invalid(invalid) => invalid.into(),
            Refused::Store(error) => error.into(),
            Refused::UnknownCompany
            | Refused::NotFound
            | Refused::VersionConflict { .. }
            | Refused::Merged { .. }
            | Refused::CompanyClosed(_)
            | Refused::Taken { .. }
            | Refused::Own(_) => refused(&error),
        }
    }
}

impl From<user::CreateError> for Failure {
    fn from(error: user::CreateError) -> Self {
        use user::CreateError as Error;
        match error {
            Error::Invalid(invalid) => invalid.into(),
            Error::Store(error) => error.into(),
            Error::EmailTaken => refused(&error),
        }
    }
}

impl From<membership::ChangeError> for Failure {
    fn from(error: membership::ChangeError) -> Self {
        use membership::ChangeError as Error;
        match error {
            Error::Store(error) => error.into(),
            Error::UnknownAccount
            | Error::UnknownUser
            | Error::NotMember
            | Error::Present { .. }
            | Error::Illegal(_)
            | Error::VersionConflict { .. }
            | Error::AdministratorsOnly
            | Error::HoldersOnly
            | Error::TooManyInvitations
            | Error::OfferLapsed
            | Error::LastHolder => refused(&error),
        }
    }
}

impl From<token::CreateError> for Failure {
    fn from(error: token::CreateError) -> Self {
        use token::CreateError as Error;
        match error {
            Error::Invalid(invalid) => invalid.into(),
            Error::Store(error) => error.into(),
            Error::Authority(error) => error.into(),
        }
    }
}

impl From<token::ChangeError> for Failure {
    fn from(error: token::ChangeError) -> Self {
        use token::ChangeError as Error;
        match error {
            Error::Store(error) => error.into(),
            Error::NotFound => refused(&error).hint("`svc-server token list` shows the ids"),
            Error::Authority(error) => error.into(),
            Error::Illegal(_) => refused(&error),
        }
    }
}

impl From<token::AuthorityError> for Failure {
    fn from(error: token::AuthorityError) -> Self {
        use token::AuthorityError as Error;
        match error {
            Error::Store(error) => error.into(),
            Error::NotAdministered(_) | Error::ParentNotAdministered(_) => refused(&error).hint(
                "name a creator who is holder or administrator, or make one with `svc-server member add`",
            ),
            Error::ApiAccessOff(id) => refused(&error)
                .hint(format!(
                    "switch it on with `svc-server account api-access on --account {id}`; a token that is there can \
                     be stopped meanwhile, `svc-server token disable` or `token revoke`"
                )),
        }
    }
}

impl From<token::UpdateError> for Failure {
    fn from(error: token::UpdateError) -> Self {
        use token::UpdateError as Error;
        match error {
            Error::Invalid(invalid) => invalid.into(),
            Error::Change(error) => error.into(),
            Error::Store(error) => error.into(),
            Error::Version { .. } => refused(&error),
        }
    }
}

impl From<session::SetPasswordError> for Failure {
    fn from(error: session::SetPasswordError) -> Self {
        use session::SetPasswordError as Error;
        match error {
            Error::Store(error) => error.into(),
            Error::UnknownPerson => refused(&error),
        }
    }
}

fn refused(error: &dyn std::error::Error) -> Failure {
    Failure::new("refused", error.to_string())
}

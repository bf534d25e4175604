//! The refusals of use cases, as failures of a command.

use std::convert::Infallible;

use svc_auth::{session, token};
use svc_business::{account, group, membership};
use svc_core::error::{StoreError, ValidationErrors};
use svc_core::refused::Refused;

use crate::failure::Failure;
use crate::store::backend;

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict | StoreError::Taken { .. } | StoreError::OutOfRange => refused(&error),
            StoreError::Busy | StoreError::Undone | StoreError::Backend(_) => backend(&error),
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
impl<E: Into<Failure>> From<Refused<E>> for Failure {
    fn from(error: Refused<E>) -> Self {
        error.into_own().map_or_else(every_verb, Into::into)
    }
}

/// A verb that adds no reason of its own.
impl From<Infallible> for Failure {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// The reasons that every verb has.
fn every_verb(error: Refused) -> Failure {
    match error {
        Refused::Invalid(invalid) => invalid.into(),
        Refused::Store(error) => error.into(),
        Refused::UnknownCompany => Failure::new("refused", "there is no such account"),
        Refused::NotFound
        | Refused::VersionConflict { .. }
        | Refused::Merged { .. }
        | Refused::CompanyClosed(_)
        | Refused::Taken { .. } => refused(&error),
        Refused::Own(never) => match never {},
    }
}

impl From<account::CreateError> for Failure {
    fn from(error: account::CreateError) -> Self {
        refused(&error)
    }
}

impl From<account::BootstrapError> for Failure {
    fn from(error: account::BootstrapError) -> Self {
        match error {
            account::BootstrapError::NotEmpty => Self::new("bootstrapped", error.to_string()).hint(
                "add companies with `svc-server account create`, tokens with `svc-server token create`",
            ),
            account::BootstrapError::Company(error) => error.into(),
        }
    }
}

impl From<group::ChangeError> for Failure {
    fn from(error: group::ChangeError) -> Self {
        refused(&error)
    }
}

impl From<membership::ChangeError> for Failure {
    fn from(error: membership::ChangeError) -> Self {
        refused(&error)
    }
}

impl From<token::IllegalStep> for Failure {
    fn from(error: token::IllegalStep) -> Self {
        refused(&error)
    }
}

impl From<token::EditError> for Failure {
    fn from(error: token::EditError) -> Self {
        match error {
            token::EditError::Illegal(illegal) => illegal.into(),
            token::EditError::Connection => refused(&error),
            token::EditError::Authority(error) => error.into(),
        }
    }
}

impl From<token::AuthorityError> for Failure {
    fn from(error: token::AuthorityError) -> Self {
        use token::AuthorityError as Error;
        match error {
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

impl From<session::RemoveError> for Failure {
    fn from(error: session::RemoveError) -> Self {
        use session::RemoveError as Error;
        match error {
            Error::Store(error) => error.into(),
            Error::UnknownPerson => refused(&error),
            Error::NotOn => refused(&error).hint("the password alone signs the person in already"),
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

//! Refusals around sessions and passwords.

use svc_auth::ports::HasherError;
use svc_auth::session::{
    AdmitResetError, ChangePasswordError, CompleteError, EnrolError, ManageError, ProofError, SignInError,
};
use svc_core::error::StoreError;

use super::auth::whole_seconds;
use super::{Code, Problem};

impl From<SignInError> for Problem {
    fn from(error: SignInError) -> Self {
        let detail = error.to_string();
        match error {
            SignInError::Refused => Self::new(Code::SignInFailed, detail),
            SignInError::Throttled { retry_after } => too_many(retry_after),
            SignInError::Hasher(error) => error.into(),
            SignInError::Store(error) => counted(error),
        }
    }
}

impl From<AdmitResetError> for Problem {
    fn from(error: AdmitResetError) -> Self {
        match error {
            AdmitResetError::Throttled { retry_after } => too_many(retry_after),
            AdmitResetError::Store(error) => counted(error),
        }
    }
}

impl From<ProofError> for Problem {
    fn from(error: ProofError) -> Self {
        match error {
            // No 401: the session is as good as before.
            ProofError::WrongPassword => Self::new(
                Code::ValidationFailed,
                "`currentPassword`: is another one",
            )
            .at("currentPassword", "wrong_password", "is another one"),
            ProofError::Throttled { retry_after } => too_many(retry_after),
            ProofError::Hasher(error) => error.into(),
            ProofError::Store(error) => counted(error),
        }
    }
}

impl From<ChangePasswordError> for Problem {
    fn from(error: ChangePasswordError) -> Self {
        match error {
            ChangePasswordError::Invalid(invalid) => invalid.into(),
            ChangePasswordError::Proof(error) => error.into(),
            ChangePasswordError::Hasher(error) => error.into(),
            ChangePasswordError::Store(error) => counted(error),
        }
    }
}

impl From<CompleteError> for Problem {
    fn from(error: CompleteError) -> Self {
        let detail = error.to_string();
        match error {
            CompleteError::Ended => Self::new(Code::SessionInvalid, detail),
            CompleteError::WrongCode => Self::new(Code::CodeRejected, detail),
            CompleteError::Throttled { retry_after } => too_many(retry_after),
            CompleteError::Store(error) => counted(error),
        }
    }
}

impl From<EnrolError> for Problem {
    fn from(error: EnrolError) -> Self {
        let detail = error.to_string();
        match error {
            EnrolError::AlreadyOn | EnrolError::NotBegun => Self::new(Code::SecondFactorState, detail),
            EnrolError::WrongCode => Self::new(Code::ValidationFailed, "`code`: is another one").at(
                "code",
                "wrong_code",
                "is another one",
            ),
            EnrolError::Proof(error) => error.into(),
            EnrolError::Store(error) => counted(error),
        }
    }
}

impl From<ManageError> for Problem {
    fn from(error: ManageError) -> Self {
        let detail = error.to_string();
        match error {
            ManageError::NotOn => Self::new(Code::SecondFactorState, detail),
            ManageError::Proof(error) => error.into(),
            ManageError::Store(error) => counted(error),
        }
    }
}

impl From<HasherError> for Problem {
    fn from(error: HasherError) -> Self {
        match error {
            HasherError::Busy => {
                Self::new(Code::Busy, "too many people are signing in: try again").retry_after(1)
            }
            HasherError::Failed | HasherError::Unreadable => {
                tracing::error!(%error, "a password could not be hashed or compared");
                Self::internal()
            }
        }
    }
}

/// Tries are counted in commits of their own: what was counted is not counted again.
fn counted(error: StoreError) -> Problem {
    Problem::from(error).partly_done()
}

fn too_many(retry_after: std::time::Duration) -> Problem {
    Problem::new(Code::RateLimited, "too many attempts failed: wait before the next one")
        .retry_after(whole_seconds(retry_after))
}

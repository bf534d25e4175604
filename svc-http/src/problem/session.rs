//! Refusals around sessions and passwords.

use svc_auth::ports::HasherError;
use svc_auth::session::{ChangePasswordError, SignInError};

use super::auth::whole_seconds;
use super::{Code, Problem};

impl From<SignInError> for Problem {
    fn from(error: SignInError) -> Self {
        let detail = error.to_string();
        match error {
            SignInError::Refused => Self::new(Code::SignInFailed, detail),
            SignInError::Throttled { retry_after } => too_many(retry_after),
            SignInError::Hasher(error) => error.into(),
            SignInError::Store(error) => error.into(),
        }
    }
}

impl From<ChangePasswordError> for Problem {
    fn from(error: ChangePasswordError) -> Self {
        match error {
            ChangePasswordError::Invalid(invalid) => invalid.into(),
            // No 401: the session is as good as before.
            ChangePasswordError::WrongPassword => Self::new(
                Code::ValidationFailed,
                "`currentPassword`: is another one",
            )
            .at("currentPassword", "wrong_password", "is another one"),
            ChangePasswordError::Throttled { retry_after } => too_many(retry_after),
            ChangePasswordError::Hasher(error) => error.into(),
            ChangePasswordError::Store(error) => error.into(),
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

fn too_many(retry_after: std::time::Duration) -> Problem {
    Problem::new(Code::RateLimited, "too many attempts failed: wait before the next one")
        .retry_after(whole_seconds(retry_after))
}

//! Refusals of the use cases as a transcript has them.

use svc_core::error::StoreError;
use svc_core::refused::Refused;
use svc_webhooks::delivery::RedeliverError;
use svc_webhooks::subscription::{ChangeError, Inactive, TooManySubscriptions};

use super::Answered;
use crate::webhooks::steps::seen::Answer;

/// What a verb answers that was refused.
pub(super) fn refused<E: Reason>(refused: Refused<E>) -> Answered {
    match refused.into_own() {
        Ok(own) => own.answer(),
        Err(Refused::NotFound) => Ok(Answer::NotFound),
        Err(Refused::VersionConflict { current }) => Ok(Answer::Version(current.as_i64())),
        Err(Refused::Invalid(invalid)) => {
            Ok(Answer::Invalid(invalid.0.into_iter().map(|error| (error.field, error.code)).collect()))
        }
        Err(Refused::Store(error)) => Err(error),
        Err(other) => Err(StoreError::backend(other)),
    }
}

/// A reason of one verb.
pub(super) trait Reason {
    fn answer(self) -> Answered;
}

impl Reason for std::convert::Infallible {
    fn answer(self) -> Answered {
        match self {}
    }
}

impl Reason for ChangeError {
    fn answer(self) -> Answered {
        Ok(match self {
            Self::MissingPermissions(missing) => {
                Answer::MissingPermissions(missing.iter().map(|one| one.name()).collect())
            }
            Self::Url(_) => Answer::Url,
            Self::Target(_) => Answer::Refused,
        })
    }
}

impl Reason for TooManySubscriptions {
    fn answer(self) -> Answered {
        Err(StoreError::backend("a history makes few subscriptions"))
    }
}

impl Reason for Inactive {
    fn answer(self) -> Answered {
        Ok(Answer::Inactive)
    }
}

impl Reason for RedeliverError {
    fn answer(self) -> Answered {
        match self {
            Self::NotEnded { status } => Ok(Answer::NotEnded(status)),
            Self::Inactive(inactive) => inactive.answer(),
        }
    }
}

//! Refusals of the use cases as a transcript has them.

use svc_core::error::StoreError;
use svc_webhooks::subscription::{CreateError, RemoveError, UpdateError};

use super::Answered;
use crate::webhooks::steps::seen::Answer;

pub(super) fn refused_create(error: CreateError) -> Answered {
    match error {
        CreateError::MissingPermissions(missing) => {
            Ok(Answer::MissingPermissions(missing.iter().map(|one| one.name()).collect()))
        }
        CreateError::Invalid(invalid) => {
            Ok(Answer::Invalid(invalid.0.into_iter().map(|error| (error.field, error.code)).collect()))
        }
        CreateError::Url(_) => Ok(Answer::Url),
        CreateError::Refused(_) => Ok(Answer::Refused),
        CreateError::TooMany { .. } => Err(StoreError::backend("a history makes few subscriptions")),
        CreateError::Store(error) => Err(error),
    }
}

pub(super) fn refused_update(error: UpdateError) -> Answered {
    match error {
        UpdateError::NotFound => Ok(Answer::NotFound),
        UpdateError::VersionConflict { current } => Ok(Answer::Version(current.as_i64())),
        UpdateError::MissingPermissions(missing) => refused_create(CreateError::MissingPermissions(missing)),
        UpdateError::Invalid(invalid) => refused_create(CreateError::Invalid(invalid)),
        UpdateError::Url(error) => refused_create(CreateError::Url(error)),
        UpdateError::Refused(error) => refused_create(CreateError::Refused(error)),
        UpdateError::Store(error) => Err(error),
    }
}

pub(super) fn refused(error: RemoveError) -> Answered {
    match error {
        RemoveError::NotFound => Ok(Answer::NotFound),
        RemoveError::VersionConflict { current } => Ok(Answer::Version(current.as_i64())),
        RemoveError::Store(error) => Err(error),
    }
}

//! Refusals of the use cases as a transcript has them.

use svc_auth::token::{AuthorityError, ChangeError, CreateError, IllegalStep, UpdateError};
use svc_core::error::ValidationErrors;

use super::world::Ids;
use crate::auth::steps::transcript::Answer;

impl Ids {
    pub(super) fn refusal_of_create(self, error: CreateError) -> Answer {
        match error {
            CreateError::Invalid(invalid) => broken(invalid),
            CreateError::Authority(error) => self.refusal_of_authority(error),
            CreateError::Store(error) => panic!("{error}"),
        }
    }

    pub(super) fn refusal_of_update(self, error: UpdateError) -> Answer {
        match error {
            UpdateError::Invalid(invalid) => broken(invalid),
            UpdateError::Change(error) => self.refusal_of_change(error),
            UpdateError::Version { current } => Answer::Version(current.as_i64()),
            UpdateError::Store(error) => panic!("{error}"),
        }
    }

    pub(super) fn refusal_of_change(self, error: ChangeError) -> Answer {
        match error {
            ChangeError::NotFound => Answer::NotFound,
            ChangeError::Illegal(IllegalStep { step, status }) => {
                Answer::Illegal { step, status: status.name() }
            }
            ChangeError::Authority(error) => self.refusal_of_authority(error),
            ChangeError::Store(error) => panic!("{error}"),
        }
    }

    fn refusal_of_authority(self, error: AuthorityError) -> Answer {
        match error {
            AuthorityError::ApiAccessOff(company) => Answer::ApiAccessOff(self.number(company)),
            AuthorityError::NotAdministered(company) => Answer::NotAdministered(self.number(company)),
            AuthorityError::ParentNotAdministered(_) => Answer::ParentNotAdministered,
            AuthorityError::Store(error) => panic!("{error}"),
        }
    }
}

fn broken(ValidationErrors(errors): ValidationErrors) -> Answer {
    Answer::Invalid(errors.into_iter().map(|error| (error.field, error.code)).collect())
}

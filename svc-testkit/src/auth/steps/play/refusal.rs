//! Refusals of the use cases as a transcript has them.

use svc_auth::token::{ChangeError, CreateError, IllegalStep, UpdateError};
use svc_core::error::Invalid;

use super::world::Ids;
use crate::auth::steps::transcript::Answer;

impl Ids {
    pub(super) fn refusal_of_create(self, error: CreateError) -> Answer {
        match error {
            CreateError::Invalid(invalid) => broken(invalid),
            CreateError::NotAdministered(company) => Answer::NotAdministered(self.number(company)),
            CreateError::ApiAccessOff(company) => Answer::ApiAccessOff(self.number(company)),
            CreateError::UnknownGroup(_) => Answer::UnknownGroup,
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
            ChangeError::ApiAccessOff(company) => Answer::ApiAccessOff(self.number(company)),
            ChangeError::NotAdministered(company) => Answer::NotAdministered(self.number(company)),
            ChangeError::UnknownGroup(_) => Answer::UnknownGroup,
            ChangeError::Store(error) => panic!("{error}"),
        }
    }
}

fn broken(Invalid(errors): Invalid) -> Answer {
    Answer::Invalid(errors.into_iter().map(|error| (error.field, error.code)).collect())
}

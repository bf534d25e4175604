//! Refusals of the use cases as a transcript has them.

use svc_auth::token::{AuthorityError, EditError, IllegalStep};
use svc_core::error::ValidationErrors;
use svc_core::refused::Refused;

use super::world::Ids;
use crate::auth::steps::transcript::Answer;

impl Ids {
    /// What a verb refused that is refused for `own` reasons beside those of every verb.
    pub(super) fn refusal<E>(self, refused: Refused<E>, own: impl FnOnce(Self, E) -> Answer) -> Answer {
        match refused.into_own() {
            Ok(reason) => own(self, reason),
            Err(Refused::Invalid(invalid)) => broken(invalid),
            Err(Refused::NotFound) => Answer::NotFound,
            Err(Refused::VersionConflict { current }) => Answer::Version(current.as_i64()),
            Err(error) => panic!("{error}"),
        }
    }

    pub(super) fn edit(self, error: EditError) -> Answer {
        match error {
            EditError::Illegal(IllegalStep { step, status }) => {
                Answer::Illegal { step, status: status.name() }
            }
            EditError::Connection => panic!("histories make no connections"),
            EditError::Authority(error) => self.authority(error),
        }
    }

    pub(super) fn authority(self, error: AuthorityError) -> Answer {
        match error {
            AuthorityError::ApiAccessOff(company) => Answer::ApiAccessOff(self.number(company)),
            AuthorityError::NotAdministered(company) => Answer::NotAdministered(self.number(company)),
            AuthorityError::ParentNotAdministered(_) => Answer::ParentNotAdministered,
        }
    }
}

fn broken(ValidationErrors(errors): ValidationErrors) -> Answer {
    Answer::Invalid(errors.into_iter().map(|error| (error.field, error.code)).collect())
}

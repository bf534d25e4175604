//! Mail for a person, which no company sends: jobs without one.

use serde::{Deserialize, Serialize};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{JobId, TypedId as _, UserId};
use svc_core::random::RandomSource;

use crate::job::{Job, JobKind, NewJob};

/// What a job of the kind `person_mail` is to send.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PersonLetter {
    /// A link that resets the password of the person with this e-mail address, if there is one: whether there is, only
    /// the worker finds out, so that who asks cannot tell.
    ResetLink {
        /// As it was typed.
        email: String,
    },
    /// That the password of this person was changed.
    PasswordChanged {
        /// The person.
        user: UserId,
        /// Whether by such a link; by the person, signed in, otherwise.
        by_link: bool,
    },
}

impl PersonLetter {
    /// The job that sends it, due at once.
    ///
    /// # Errors
    /// Never for a letter of this version.
    pub fn job(&self, now: Timestamp, random: &dyn RandomSource) -> Result<NewJob, StoreError> {
        let id = JobId::generate(now, random);
        let body = serde_json::to_string(self).map_err(StoreError::backend)?;
        Ok(NewJob { id, kind: JobKind::PersonMail, key: id.to_string(), company: None, body, due: now })
    }

    /// The letter of a claimed job.
    ///
    /// # Errors
    /// When it was written by another version of the service that knows it otherwise.
    pub fn of(job: &Job) -> Result<Self, StoreError> {
        serde_json::from_str(&job.body).map_err(StoreError::backend)
    }
}

//! Why a verb on a record is refused: one error for all kinds of records.

use std::convert::Infallible;

use thiserror::Error;

use crate::error::{StoreError, ValidationErrors};
use crate::tenant::ClosedCompany;
use crate::version::Version;

/// Why a verb is refused; nothing was changed.
///
/// `E` lists what is special to the verb; [`Infallible`] for one that adds nothing.
#[derive(Debug, Error)]
pub enum Refused<E = Infallible> {
    /// The company that a new record names is unknown or out of reach.
    #[error("companyId is unknown")]
    UnknownCompany,
    /// The record is unknown or out of reach.
    #[error("there is no such record")]
    NotFound,
    /// The record is not at the version that the caller expects.
    #[error("the record is at version {current}")]
    VersionConflict {
        /// The present version.
        current: Version,
    },
    /// The record was absorbed by another one: a tombstone does not change.
    #[error("the {object} was merged into {into}")]
    Merged {
        /// What kind of record it is: `contact`.
        object: &'static str,
        /// The id of the survivor.
        into: String,
    },
    /// The company is read-only.
    #[error("the account is {}", .0.name())]
    CompanyClosed(ClosedCompany),
    /// Broken rules of the input, unknown references among them.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
    /// Another record of the company has this value alone.
    #[error("a record with this {field} exists already")]
    Taken {
        /// Wire name of the member: `externalId`.
        field: &'static str,
    },
    /// A reason of the verb itself.
    #[error("{0}")]
    Own(E),
    /// The store failed.
    #[error(transparent)]
    Store(StoreError),
}

impl<E> From<StoreError> for Refused<E> {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Taken { field } => Self::Taken { field },
            error @ (StoreError::Conflict
            | StoreError::Busy
            | StoreError::Undone
            | StoreError::OutOfRange
            | StoreError::Backend(_)) => Self::Store(error),
        }
    }
}

impl<E> Refused<E> {
    /// The reason of the verb itself.
    ///
    /// # Errors
    /// Every other reason.
    pub fn into_own(self) -> Result<E, Refused> {
        self.split()
    }

    /// The same refusal with another reason of the verb itself.
    #[must_use]
    pub fn map<F>(self, own: impl FnOnce(E) -> F) -> Refused<F> {
        self.split().map_or_else(|refused| refused, |reason| Refused::Own(own(reason)))
    }

    /// The same, with what is wrong with the input named by where that stands in this member of the whole.
    #[must_use]
    pub fn within(self, member: &str) -> Self {
        if let Self::Invalid(invalid) = self { Self::Invalid(invalid.within(member)) } else { self }
    }

    /// The reason of the verb itself, or any other as the refusal of a verb with reasons `F`.
    fn split<F>(self) -> Result<E, Refused<F>> {
        Err(match self {
            Self::Own(own) => return Ok(own),
            Self::UnknownCompany => Refused::UnknownCompany,
            Self::NotFound => Refused::NotFound,
            Self::VersionConflict { current } => Refused::VersionConflict { current },
            Self::Merged { object, into } => Refused::Merged { object, into },
            Self::CompanyClosed(closed) => Refused::CompanyClosed(closed),
            Self::Invalid(invalid) => Refused::Invalid(invalid),
            Self::Taken { field } => Refused::Taken { field },
            Self::Store(error) => Refused::Store(error),
        })
    }
}

impl Refused {
    /// The same refusal, of a verb with reasons of its own.
    #[must_use]
    pub fn widen<E>(self) -> Refused<E> {
        self.map(|never| match never {})
    }
}

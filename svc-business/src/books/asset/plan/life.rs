//! How long an asset is of use.

use thiserror::Error;

/// How many months an asset is of use: 1 to 1200.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Life(u16);

/// Not a life of an asset.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("must be from 1 to 1200 months")]
pub struct LifeError;

impl Life {
    /// A life of so many months.
    ///
    /// # Errors
    /// [`LifeError`] unless there are 1 to 1200.
    pub fn new(months: u16) -> Result<Self, LifeError> {
        (1..=1_200).contains(&months).then_some(Self(months)).ok_or(LifeError)
    }

    /// The number of months.
    #[must_use]
    pub const fn months(self) -> u16 {
        self.0
    }
}

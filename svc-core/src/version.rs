//! Versions of records.

use std::fmt;

/// Counts the changes of a resource, from 1; its text in quotes is the `ETag`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(i64);

impl Version {
    /// The version of a resource that was just created.
    pub const FIRST: Self = Self(1);

    /// Wraps a stored value.
    #[must_use]
    pub const fn from_i64(value: i64) -> Self {
        Self(value)
    }

    /// The stored value.
    #[must_use]
    pub const fn as_i64(self) -> i64 {
        self.0
    }

    /// The version after one more change.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

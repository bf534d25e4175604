//! What a person may be in a company.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use thiserror::Error;

/// A member's role in one company.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Legal owner of the subscription: at least one per active company.
    Holder,
    /// As a holder, but cannot remove holders.
    Administrator,
    /// Runs the business.
    Manager,
    /// Keeps the books.
    Accountant,
    /// Daily work; issues nothing.
    Employee,
    /// Outside reviewer who reads.
    Auditor,
}

/// The text is not the name of a role.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("expected one of holder, administrator, manager, accountant, employee, auditor")]
pub struct UnknownRole;

impl Role {
    /// Every role, strongest first.
    pub const ALL: [Self; 6] =
        [Self::Holder, Self::Administrator, Self::Manager, Self::Accountant, Self::Employee, Self::Auditor];

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Holder => "holder",
            Self::Administrator => "administrator",
            Self::Manager => "manager",
            Self::Accountant => "accountant",
            Self::Employee => "employee",
            Self::Auditor => "auditor",
        }
    }

    /// Whether the role may create tokens for the company, and keeps them alive
    /// (specification, part 3.1).
    #[must_use]
    pub const fn administers(self) -> bool {
        matches!(self, Self::Holder | Self::Administrator)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, UnknownRole> {
        Self::ALL.into_iter().find(|role| role.name() == text).ok_or(UnknownRole)
    }
}

impl Serialize for Role {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

//! With whom.

use std::fmt;

/// The other side of an operation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Party {
    /// What the caller finds it by.
    pub id: String,
    /// The tax identifier: `B12345674` of Spain, with the country in front of others, `DE123456789`.
    pub tax_id: Option<String>,
    /// The name, surnames first.
    pub name: String,
    /// ISO 3166-1 alpha-2: `ES`.
    pub country: String,
    /// The two digits of a Spanish province: `28`.
    pub province: Option<String>,
}

impl Party {
    /// What rows of one party have in common: the tax identifier, and the caller's id where there is none.
    pub(crate) fn grouping(&self) -> &str {
        self.tax_id.as_deref().unwrap_or(&self.id)
    }

    /// Whether it is of Spain.
    pub(crate) fn is_spanish(&self) -> bool {
        self.country == "ES"
    }
}

/// Names and tax identifiers are personal data and stay out of logs.
impl fmt::Debug for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Party").field("id", &self.id).finish_non_exhaustive()
    }
}

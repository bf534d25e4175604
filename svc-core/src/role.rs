//! What a person may be in a company.

/// A member's role in one company, strongest first.
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

crate::wire_names!(Role {
    Holder = "holder",
    Administrator = "administrator",
    Manager = "manager",
    Accountant = "accountant",
    Employee = "employee",
    Auditor = "auditor",
});

impl Role {
    /// Whether the role may create tokens for the company, and keeps them alive
    /// (specification, part 3.1).
    #[must_use]
    pub const fn administers(self) -> bool {
        matches!(self, Self::Holder | Self::Administrator)
    }
}

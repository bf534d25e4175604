//! What a person may be in a company.

use crate::permission::Grants;

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

/// What each role may do in a service: holders and administrators everything, auditors read, the others what the
/// service says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleGrants {
    /// Of [`Role::Manager`].
    pub manager: Grants,
    /// Of [`Role::Accountant`].
    pub accountant: Grants,
    /// Of [`Role::Employee`].
    pub employee: Grants,
}

impl RoleGrants {
    /// What this role may do.
    #[must_use]
    pub fn of(&self, role: Role) -> Grants {
        match role {
            Role::Holder | Role::Administrator => Grants::all(),
            Role::Manager => self.manager.clone(),
            Role::Accountant => self.accountant.clone(),
            Role::Employee => self.employee.clone(),
            Role::Auditor => Grants::reading(),
        }
    }
}

impl Role {
    /// Whether the role may create tokens for the company, and keeps them alive
    /// (specification, part 3.1).
    #[must_use]
    pub const fn administers(self) -> bool {
        matches!(self, Self::Holder | Self::Administrator)
    }

    /// Whether the role sees personal data of the company; to the others it is masked.
    #[must_use]
    pub const fn sees_personal_data(self) -> bool {
        !matches!(self, Self::Auditor)
    }
}

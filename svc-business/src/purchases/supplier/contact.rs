//! The contact of a supplier.

use svc_core::id::ContactId;
use thiserror::Error;

use super::{Supplier, SupplierStatus};
use crate::contact::{Contact, ContactRole, ContactStatus};

/// Why a contact cannot be the one of a supplier; each is a finding on `contactId`.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum ContactRefused {
    /// It is another one, or of another company: `unknown_reference`.
    #[error("the company has no such contact")]
    Unknown,
    /// It is archived: `contact_archived`.
    #[error("the contact is archived: bring it back first")]
    Archived,
    /// Another contact absorbed it: `contact_merged`.
    #[error("the contact was merged into {into}")]
    Merged {
        /// The one that is left.
        into: ContactId,
    },
}

impl ContactRefused {
    /// The code of the finding.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Unknown => "unknown_reference",
            Self::Archived => "contact_archived",
            Self::Merged { .. } => "contact_merged",
        }
    }
}

impl Supplier {
    /// The contact as it is with this supplier: it has the role while the supplier is active. Saved in the same unit of
    /// work, and the same as before where the role does not change.
    ///
    /// # Errors
    /// [`ContactRefused`]; an archived contact can lose the role, not get it.
    pub fn mark(&self, contact: Contact) -> Result<Contact, ContactRefused> {
        if contact.id != self.contact || contact.company != self.company {
            return Err(ContactRefused::Unknown);
        }
        if let ContactStatus::Merged { into } = contact.status {
            return Err(ContactRefused::Merged { into });
        }
        let mut roles = contact.roles.clone();
        match self.status {
            SupplierStatus::Active if contact.status == ContactStatus::Archived => {
                return Err(ContactRefused::Archived);
            }
            SupplierStatus::Active => roles.insert(ContactRole::Supplier),
            SupplierStatus::Archived => roles.remove(&ContactRole::Supplier),
        };
        Ok(Contact { roles, ..contact })
    }
}

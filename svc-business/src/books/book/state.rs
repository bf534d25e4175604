//! What the books of a company are.

use svc_core::clock::Timestamp;
use svc_core::id::AccountId;
use svc_core::resource::{Resource, ResourceStore, Version};

use super::{Automation, YearStart};
use crate::books::account::CodeLength;
use crate::books::chart::Chart;
use crate::books::default_accounts::DefaultAccounts;
use crate::books::lock::Locks;
use crate::party::Extension;
use crate::ports::DynBooksUnit;
use crate::record::Record;

/// The books of a company. Their id is that of the company.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    /// The company.
    pub company: AccountId,
    /// The chart that they started from.
    pub chart: Chart,
    /// How many digits an account has that takes entries.
    pub code_length: CodeLength,
    /// Whether contacts share accounts.
    pub subledger: Subledger,
    /// When fiscal years begin.
    pub year_start: YearStart,
    /// The accounts that entries use when nothing else is said.
    pub default_accounts: DefaultAccounts,
    /// The dates that lock them.
    pub locks: Locks,
    /// What the service writes by itself.
    pub automation: Automation,
    /// An integrator's own data.
    pub extension: Extension,
    /// Counts their changes.
    pub version: Version,
    /// When they began.
    pub created_at: Timestamp,
    /// When they were last changed.
    pub updated_at: Timestamp,
}

/// How customers and suppliers are kept apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Subledger {
    /// They share one account, and each line says whom it is with: `collective`
    #[default]
    Collective,
    /// Each has an account: `individual`
    Individual,
}

svc_core::wire_names!(Subledger { Collective = "collective", Individual = "individual" });

/// What a list of books can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookFilter {
    /// `companyId`: a subset of the scope; every company within it when empty.
    pub companies: Vec<AccountId>,
}

/// What a list of books can be sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookSort {
    /// `updatedAt`
    UpdatedAt,
}

impl Resource for Book {
    const NAME: &'static str = "book";
    type Id = AccountId;
    type Filter = BookFilter;
    type SortKey = BookSort;

    fn id(&self) -> AccountId {
        self.company
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}

impl Record for Book {
    type Unit = DynBooksUnit;

    fn store(unit: &DynBooksUnit) -> &dyn ResourceStore<Self> {
        unit.books()
    }

    fn stamped(self, version: Version, updated_at: Timestamp) -> Self {
        Self { version, updated_at, ..self }
    }
}

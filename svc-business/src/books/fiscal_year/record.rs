//! Fiscal years as records.

use svc_core::id::{AccountId, FiscalYearId};
use svc_core::resource::{Resource, ResourceStore, Version};

use super::FiscalYear;
use crate::ports::DynBooksUnit;
use crate::record::Record;

/// What a list of years can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct YearFilter {
    /// The company, or all within the scope.
    pub companies: Vec<AccountId>,
    /// `status`
    pub status: Option<YearStatusFilter>,
}

/// The statuses that a list of years can be narrowed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum YearStatusFilter {
    /// `open`
    Open,
    /// `closed`
    Closed,
}

svc_core::wire_names!(YearStatusFilter { Open = "open", Closed = "closed" });

/// What a list of years can be sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum YearSort {
    /// `startDate`
    StartDate,
}

impl Resource for FiscalYear {
    const NAME: &'static str = "fiscal_year";
    type Id = FiscalYearId;
    type Filter = YearFilter;
    type SortKey = YearSort;

    fn id(&self) -> FiscalYearId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}

impl Record for FiscalYear {
    type Unit = DynBooksUnit;

    fn store(unit: &DynBooksUnit) -> &dyn ResourceStore<Self> {
        unit.fiscal_years()
    }

    fn stamped(self, version: Version, updated_at: svc_core::clock::Timestamp) -> Self {
        Self { version, updated_at, ..self }
    }
}

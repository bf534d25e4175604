//! Documents and series as records.

use std::collections::BTreeSet;

use svc_core::clock::Timestamp;
use svc_core::event::EventDeclaration;
use svc_core::id::{AccountId, SalesDocumentId, SeriesId};
use svc_core::resource::{Resource, ResourceStore, Version};

use super::document::{DocType, SalesDocument};
use super::list::{SalesFilter, SalesSort};
use super::series::{STANDARD, Series};
use crate::catalogue::event;
use crate::ports::DynSalesUnit;
use crate::record::Record;

/// What a list of series can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeriesFilter {
    /// `companyId`: a subset of the scope; every company within it when empty.
    pub companies: Vec<AccountId>,
    /// `active`
    pub active: Option<bool>,
}

/// What a list of series can be sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesSort {
    /// `code`
    Code,
    /// `updatedAt`
    UpdatedAt,
}

impl Resource for SalesDocument {
    const NAME: &'static str = "invoice";
    type Id = SalesDocumentId;
    type Filter = SalesFilter;
    type SortKey = SalesSort;

    fn id(&self) -> SalesDocumentId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}

impl Record for SalesDocument {
    type Unit = DynSalesUnit;
    const CREATED: Option<&'static EventDeclaration> = Some(event("invoice.create"));
    const CHANGED: Option<&'static EventDeclaration> = Some(event("invoice.update"));

    fn store(unit: &DynSalesUnit) -> &dyn ResourceStore<Self> {
        unit.sales()
    }

    fn stamped(self, version: Version, updated_at: Timestamp) -> Self {
        Self { version, updated_at, ..self }
    }
}

impl Resource for Series {
    const NAME: &'static str = "series";
    type Id = SeriesId;
    type Filter = SeriesFilter;
    type SortKey = SeriesSort;

    fn id(&self) -> SeriesId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}

impl Record for Series {
    type Unit = DynSalesUnit;

    fn store(unit: &DynSalesUnit) -> &dyn ResourceStore<Self> {
        unit.series()
    }

    fn stamped(self, version: Version, updated_at: Timestamp) -> Self {
        Self { version, updated_at, ..self }
    }
}

/// The series that a company begins with.
pub(crate) fn standard_series(company: AccountId, ids: &super::document::Ids<'_>) -> Vec<Series> {
    let series = |(code, doc_types): (&str, &[DocType])| Series {
        doc_types: doc_types.iter().copied().collect::<BTreeSet<_>>(),
        ..Series::blank(code.parse().expect("a code"), company, ids)
    };
    STANDARD.into_iter().map(series).collect()
}

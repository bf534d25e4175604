//! Documents and suppliers as records.

use svc_core::clock::Timestamp;
use svc_core::event::EventDeclaration;
use svc_core::id::{AccountId, SupplierDocumentId, SupplierId};
use svc_core::resource::{Resource, ResourceStore, Version};

use super::document::SupplierDocument;
use super::list::{PurchaseFilter, PurchaseSort, SupplierFilter, SupplierSort};
use super::supplier::Supplier;
use crate::catalogue::event;
use crate::ports::DynPurchaseUnit;
use crate::record::Record;

impl Resource for SupplierDocument {
    const NAME: &'static str = "supplier_document";
    type Id = SupplierDocumentId;
    type Filter = PurchaseFilter;
    type SortKey = PurchaseSort;

    fn id(&self) -> SupplierDocumentId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}

impl Record for SupplierDocument {
    type Unit = DynPurchaseUnit;
    const CREATED: Option<&'static EventDeclaration> = Some(event("supplier_document.create"));
    const CHANGED: Option<&'static EventDeclaration> = Some(event("supplier_document.update"));

    fn store(unit: &DynPurchaseUnit) -> &dyn ResourceStore<Self> {
        unit.supplier_documents()
    }

    fn stamped(self, version: Version, updated_at: Timestamp) -> Self {
        Self { version, updated_at, ..self }
    }
}

impl Resource for Supplier {
    const NAME: &'static str = "supplier";
    type Id = SupplierId;
    type Filter = SupplierFilter;
    type SortKey = SupplierSort;

    fn id(&self) -> SupplierId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}

impl Record for Supplier {
    type Unit = DynPurchaseUnit;
    const CREATED: Option<&'static EventDeclaration> = Some(event("supplier.create"));

    fn store(unit: &DynPurchaseUnit) -> &dyn ResourceStore<Self> {
        unit.suppliers()
    }

    fn stamped(self, version: Version, updated_at: Timestamp) -> Self {
        Self { version, updated_at, ..self }
    }
}

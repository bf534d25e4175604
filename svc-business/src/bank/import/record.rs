//! Imports as records of their company.

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, BankMovementImportId};
use svc_core::resource::{Resource, ResourceStore, Version};

use super::{BankMovementImport, BankMovementImportFilter, BankMovementImportSort};
use crate::ports::DynBankUnit;
use crate::record::Record;

impl Resource for BankMovementImport {
    const NAME: &'static str = "bank_movement_import";
    type Id = BankMovementImportId;
    type Filter = BankMovementImportFilter;
    type SortKey = BankMovementImportSort;

    fn id(&self) -> BankMovementImportId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}

/// Its event, `bank_movement.create`, is emitted when it is complete.
impl Record for BankMovementImport {
    type Unit = DynBankUnit;

    fn store(unit: &DynBankUnit) -> &dyn ResourceStore<Self> {
        unit.bank_imports()
    }

    fn stamped(self, version: Version, updated_at: Timestamp) -> Self {
        Self { version, updated_at, ..self }
    }
}

//! Movements as records of their company.

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, BankMovementId};
use svc_core::resource::{Resource, ResourceStore, Version};

use super::{BankMovement, BankMovementFilter, BankMovementSort};
use crate::ports::DynBankUnit;
use crate::record::Record;

impl Resource for BankMovement {
    const NAME: &'static str = "bank_movement";
    type Id = BankMovementId;
    type Filter = BankMovementFilter;
    type SortKey = BankMovementSort;

    fn id(&self) -> BankMovementId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}

impl Record for BankMovement {
    type Unit = DynBankUnit;

    fn store(unit: &DynBankUnit) -> &dyn ResourceStore<Self> {
        unit.bank_movements()
    }

    fn stamped(self, version: Version, updated_at: Timestamp) -> Self {
        Self { version, updated_at, ..self }
    }
}

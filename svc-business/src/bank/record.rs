//! Bank accounts as records of their company.

use svc_core::clock::Timestamp;
use svc_core::event::EventDeclaration;
use svc_core::id::{AccountId, BankAccountId};
use svc_core::resource::{Resource, ResourceStore, Version};

use super::{BankAccount, BankAccountFilter, BankAccountSort};
use crate::catalogue::event;
use crate::ports::DynBankUnit;
use crate::record::Record;

impl Resource for BankAccount {
    const NAME: &'static str = "bank_account";
    type Id = BankAccountId;
    type Filter = BankAccountFilter;
    type SortKey = BankAccountSort;

    fn id(&self) -> BankAccountId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}

impl Record for BankAccount {
    type Unit = DynBankUnit;
    const CREATED: Option<&'static EventDeclaration> = Some(event("bank_account.create"));
    const CHANGED: Option<&'static EventDeclaration> = Some(event("bank_account.update"));

    fn store(unit: &DynBankUnit) -> &dyn ResourceStore<Self> {
        unit.bank_accounts()
    }

    fn stamped(self, version: Version, updated_at: Timestamp) -> Self {
        Self { version, updated_at, ..self }
    }
}

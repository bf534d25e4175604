//! Every kind of record that belongs to a company, and what follows from knowing them all.

use async_trait::async_trait;
use svc_business::bank::BankAccount;
use svc_business::bank::import::BankMovementImport;
use svc_business::bank::movement::BankMovement;
use svc_business::books::entry::Entry;
use svc_business::case::Case;
use svc_business::contact::Contact;
use svc_business::document::file::File;
use svc_business::document::folder::Folder;
use svc_business::document::room::{DataRoomFile, DataRoomGrant};
use svc_business::notice::Notice;
use svc_business::purchases::document::SupplierDocument;
use svc_business::purchases::supplier::Supplier;
use svc_business::sales::document::SalesDocument;
use svc_business::signature::Envelope;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, ContactId, TypedId};
use svc_core::resource::References;

use super::bank;
use super::contact::TABLE as CONTACTS;
use super::record::{self, Row, Table};
use crate::store::SeaStore;
use crate::transaction::DeferInsert;

/// The tables of records of companies: a new kind of record is added here.
pub(crate) fn tables() -> Vec<Table> {
    vec![
        Table::of::<Contact>(),
        Table::of::<Case>(),
        Table::of::<Notice>(),
        Table::of::<Entry>(),
        Table::of::<BankAccount>(),
        Table::of::<BankMovementImport>(),
        Table::of::<BankMovement>(),
        Table::of::<SalesDocument>(),
        Table::of::<Supplier>(),
        Table::of::<SupplierDocument>(),
        Table::of::<Folder>(),
        Table::of::<File>(),
        Table::of::<DataRoomFile>(),
        Table::of::<DataRoomGrant>(),
        Table::of::<Envelope>(),
    ]
}

/// Tables of companies that stay where they are when a company is absorbed: nothing is written in its books or
/// numbered by its series by then.
/// Links to them are links within one company for ever.
#[cfg(test)]
pub(crate) const STAYING: [&str; 14] = [
    "svc_tax_profiles",
    "svc_tax_returns",
    "svc_tax_return_parties",
    "svc_tax_return_payments",
    "svc_ledger_accounts",
    "svc_fiscal_years",
    "svc_journal_heads",
    "svc_balances",
    "svc_open_balances",
    "svc_fixed_assets",
    "svc_fixed_asset_instalments",
    "svc_series",
    "svc_purchase_registers",
    "svc_jobs",
];

#[async_trait]
impl<R: Row, C: DeferInsert + Send + Sync> References<R> for SeaStore<C> {
    async fn is_referenced(&self, record: &R) -> Result<bool, StoreError> {
        let (company, id) = (record.company(), record.id().uuid());
        record::is_referenced(&self.conn, &tables(), R::TABLE, company, id).await
    }

    async fn repoint(&self, from: &R, to: &R, now: Timestamp) -> Result<(), StoreError> {
        let ids = (from.id().uuid(), to.id().uuid());
        if R::TABLE == CONTACTS {
            let contacts = (ContactId::from_uuid(ids.0), ContactId::from_uuid(ids.1));
            self.unite_suppliers(from.company(), contacts, now).await?;
        }
        record::repoint(&self.conn, &tables(), R::TABLE, from.company(), ids, now).await
    }
}

impl<C: DeferInsert + Send + Sync> SeaStore<C> {
    /// Moves every record of a company to another one.
    pub(super) async fn move_company(
        &self,
        from: AccountId,
        to: AccountId,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        bank::leave_ledger(&self.conn, from, to).await?;
        self.revoke_grants(from, now).await?;
        record::move_all(&self.conn, &tables(), from, to, now).await
    }
}

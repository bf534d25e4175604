//! What is asked of documents beside lists of them: duplicates, and the books of received documents.

use async_trait::async_trait;
use svc_business::books::fiscal_year::Span;
use svc_business::invoicing::{DueDocument, DueLeads, PaymentLeads, UnmatchedPayment};
use svc_business::purchases::document::DuplicateKey;
use svc_business::purchases::register::Register;
use svc_business::purchases::{SupplierDocumentReader, SupplierDocumentStore};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, PaymentId, SupplierDocumentId, TypedId};

use super::list::key_of;
use super::payment::AREA;
use crate::business::cell::{Cell, Stored};
use crate::store::SeaStore;
use crate::transaction::DeferInsert;

#[async_trait]
impl<C: DeferInsert + Send + Sync> SupplierDocumentReader for SeaStore<C> {
    async fn with_key(
        &self,
        company: AccountId,
        key: &DuplicateKey,
    ) -> Result<Option<SupplierDocumentId>, StoreError> {
        let found = self.sql("SELECT id FROM svc_supplier_documents WHERE company_id = ");
        let found = found.bind(company.uuid()).text(" AND duplicate_key = ").bind(key_of(key));
        let rows = self.rows(found).await?;
        rows.first().map(|row| Cell::take(row, "id")).transpose()
    }

    async fn of_payment(
        &self,
        company: AccountId,
        payment: PaymentId,
    ) -> Result<Option<SupplierDocumentId>, StoreError> {
        let found = self.sql("SELECT document_id FROM svc_supplier_payments WHERE company_id = ");
        let found = found.bind(company.uuid()).text(" AND payment_id = ").bind(payment.uuid());
        let rows = self.rows(found).await?;
        rows.first().map(|row| Cell::take(row, "document_id")).transpose()
    }

    async fn due(
        &self,
        company: AccountId,
        leads: &DueLeads,
        limit: u32,
    ) -> Result<Vec<DueDocument<SupplierDocumentId>>, StoreError> {
        self.due_documents(&AREA, company, leads, limit).await
    }

    async fn unmatched(
        &self,
        company: AccountId,
        leads: &PaymentLeads,
        limit: u32,
    ) -> Result<Vec<UnmatchedPayment>, StoreError> {
        self.unmatched_payments(&AREA, company, leads, limit).await
    }

    async fn received_in(&self, company: AccountId, span: Span) -> Result<u64, StoreError> {
        let waiting =
            self.sql("SELECT count(*) FROM svc_supplier_documents WHERE status = 0 AND company_id = ");
        let waiting = waiting.bind(company.uuid()).text(" AND booked_on >= ").bind(span.start().to_sql());
        self.count_of(waiting.text(" AND booked_on <= ").bind(span.end().to_sql())).await
    }

    async fn register(&self, company: AccountId, year: i32) -> Result<Register, StoreError> {
        let found = self.sql("SELECT last FROM svc_purchase_registers WHERE company_id = ");
        let found = found.bind(company.uuid()).text(" AND year = ").bind(year);
        let rows = self.rows(found).await?;
        let last = rows.first().map(|row| Cell::take(row, "last")).transpose()?.unwrap_or(0);
        Ok(Register { company, year, last })
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> SupplierDocumentStore for SeaStore<C> {
    async fn set_register(&self, register: Register) -> Result<(), StoreError> {
        let set = self.sql("INSERT INTO svc_purchase_registers (company_id, year, last) VALUES (");
        let set = set.bind(register.company.uuid()).text(", ").bind(register.year).text(", ");
        let set = set.bind(register.last.to_sql());
        let set = set.text(") ON CONFLICT (company_id, year) DO UPDATE SET last = excluded.last");
        set.execute(&self.conn).await.map(drop)
    }
}

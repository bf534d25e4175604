//! What is asked of documents beside lists of them: what was made of them, their histories, and the chain of a company.

use async_trait::async_trait;
use svc_business::invoicing::{DueDocument, DueLeads, PaymentLeads, UnmatchedPayment};
use svc_business::sales::document::SalesDocument;
use svc_business::sales::verifactu::{AnyRecord, ChainHead};
use svc_business::sales::{HistoryEntry, HistoryKind, SalesReader, SalesStore};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, PaymentId, SalesDocumentId, TypedId};
use svc_core::page::{Page, PageRequest};
use svc_core::tenant::Scope;
use time::Date;

use super::payment::AREA;
use super::tax_record;
use crate::business::cell::{Cell, Stored, named};
use crate::business::record::Row;
use crate::error::backend;
use crate::statement::Insertion;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::window::Window;

named!(HistoryKind: name);

#[async_trait]
impl<C: DeferInsert + Send + Sync> SalesReader for SeaStore<C> {
    async fn derived(
        &self,
        document: &SalesDocument,
        limit: u32,
    ) -> Result<Vec<SalesDocumentId>, StoreError> {
        let found = self.sql("SELECT id FROM svc_sales_documents WHERE company_id = ");
        let found = found.bind(document.company.uuid()).text(" AND source_id = ").bind(document.id.uuid());
        let found = found.text(" ORDER BY created_at, id LIMIT ").bind(i64::from(limit));
        self.rows(found).await?.iter().map(|row| Cell::take(row, "id")).collect()
    }

    async fn of_payment(
        &self,
        company: AccountId,
        payment: PaymentId,
    ) -> Result<Option<SalesDocumentId>, StoreError> {
        let found = self.sql("SELECT document_id FROM svc_sales_payments WHERE company_id = ");
        let found = found.bind(company.uuid()).text(" AND payment_id = ").bind(payment.uuid());
        let rows = self.rows(found).await?;
        rows.first().map(|row| Cell::take(row, "document_id")).transpose()
    }

    async fn due(
        &self,
        company: AccountId,
        leads: &DueLeads,
        limit: u32,
    ) -> Result<Vec<DueDocument<SalesDocumentId>>, StoreError> {
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

    async fn expiring(
        &self,
        company: AccountId,
        before: Date,
        limit: u32,
    ) -> Result<Vec<SalesDocumentId>, StoreError> {
        let found = self.sql("SELECT id FROM svc_sales_documents WHERE company_id = ").bind(company.uuid());
        let found =
            found.text(" AND status = 1 AND acceptance = 'pending' AND due_key < ").bind(before.to_sql());
        let found = found.text(
            " AND NOT EXISTS (SELECT 1 FROM svc_sales_documents AS made WHERE made.company_id = \
             svc_sales_documents.company_id AND made.source_id = svc_sales_documents.id) ORDER BY due_key LIMIT ",
        );
        self.rows(found.bind(i64::from(limit))).await?.iter().map(|row| Cell::take(row, "id")).collect()
    }

    async fn history(
        &self,
        scope: &Scope,
        id: SalesDocumentId,
        request: PageRequest,
    ) -> Result<Option<Page<HistoryEntry>>, StoreError> {
        let found = self.sql("SELECT company_id FROM svc_sales_documents WHERE ");
        let found = SalesDocument::within(found, scope, &[]).text(" AND id = ").bind(id.uuid());
        let found = self.rows(found).await?;
        let Some(document) = found.first() else { return Ok(None) };
        let company: AccountId = Cell::take(document, "company_id")?;
        let of_document = |text: &str| {
            let sql = self.sql(text).text(" FROM svc_sales_history WHERE company_id = ").bind(company.uuid());
            sql.text(" AND document_id = ").bind(id.uuid())
        };
        let total = self.count_of(of_document("SELECT count(*)")).await?;
        let Some(window) = Window::of(request, total) else {
            return Ok(Some(Page { items: Vec::new(), total, request }));
        };
        let backwards = window.backwards;
        let order = if backwards { " ORDER BY version DESC, kind DESC" } else { " ORDER BY version, kind" };
        let page = of_document("SELECT version, kind, at, user_id, detail").text(order).window(window);
        let mut items = self
            .rows(page)
            .await?
            .iter()
            .map(|row| {
                Ok(HistoryEntry {
                    version: Cell::take(row, "version")?,
                    at: Cell::take(row, "at")?,
                    by: Cell::take(row, "user_id")?,
                    kind: Cell::take(row, "kind")?,
                    detail: Cell::take(row, "detail")?,
                })
            })
            .collect::<Result<Vec<_>, StoreError>>()?;
        if backwards {
            items.reverse();
        }
        Ok(Some(Page { items, total, request }))
    }

    async fn chain_head(&self, company: AccountId) -> Result<Option<ChainHead>, StoreError> {
        let last = self.sql("SELECT place, hash FROM svc_verifactu_records WHERE company_id = ");
        let last = last.bind(company.uuid()).text(" ORDER BY place DESC LIMIT 1");
        let rows = self.rows(last).await?;
        let head = |row| Ok(ChainHead { place: Cell::take(row, "place")?, hash: Cell::take(row, "hash")? });
        rows.first().map(head).transpose()
    }

    async fn chain_after(
        &self,
        company: AccountId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<AnyRecord>, StoreError> {
        let text = format!(
            "SELECT {} FROM svc_verifactu_records WHERE company_id = ",
            tax_record::COLUMNS.join(", ")
        );
        let found = self.sql(&text).bind(company.uuid()).text(" AND place > ").bind(after.to_sql());
        let rows = self.rows(found.text(" ORDER BY place LIMIT ").bind(i64::from(limit))).await?;
        rows.iter().map(tax_record::read).collect()
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> SalesStore for SeaStore<C> {
    async fn note(&self, document: &SalesDocument, entry: &HistoryEntry) -> Result<(), StoreError> {
        let into =
            "INSERT INTO svc_sales_history (company_id, document_id, version, kind, at, user_id, detail)";
        let row = vec![
            document.company.put(),
            document.id.put(),
            entry.version.put(),
            entry.kind.put(),
            entry.at.put(),
            entry.by.put(),
            entry.detail.put(),
        ];
        self.conn.defer(Insertion::of_rows(into.to_owned(), vec![row])).await.map_err(backend)
    }
}

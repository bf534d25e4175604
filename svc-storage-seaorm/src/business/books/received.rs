//! The received documents that entries stand for.

use std::collections::HashMap;

use sea_orm::QueryResult;
use svc_business::books::report::ReceivedDocument;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, JournalEntryId, SupplierDocumentId, TypedId};

use crate::business::cell::Cell;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;

/// What made an entry of a received document.
const RECEIVED: &str = "supplier_document";

type Documents = HashMap<JournalEntryId, SupplierDocumentId>;

impl<C: DeferInsert + Send + Sync> SeaStore<C> {
    /// The received documents of these rows of entries, each with `source_type`, `source_id` and `reverses_id`: that of
    /// an entry that undoes another is that of the other.
    pub(super) async fn received(
        &self,
        company: AccountId,
        entries: &HashMap<JournalEntryId, QueryResult>,
    ) -> Result<HashMap<JournalEntryId, ReceivedDocument>, StoreError> {
        let (mut documents, mut undone) = (Documents::new(), HashMap::new());
        for (id, row) in entries {
            match (document(row)?, <Option<JournalEntryId> as Cell>::take(row, "reverses_id")?) {
                (Some(document), _) => drop(documents.insert(*id, document)),
                (None, Some(other)) => drop(undone.insert(*id, other)),
                (None, None) => {}
            }
        }
        let of_undone = self.documents_of(company, undone.values().copied()).await?;
        documents.extend(undone.iter().filter_map(|(id, other)| Some((*id, *of_undone.get(other)?))));
        let ids: Vec<_> = documents.values().map(|document| document.uuid()).collect();
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let found = self
            .sql("SELECT id, issue_date, register_number FROM svc_supplier_documents WHERE company_id = ");
        let found = found.bind(company.uuid()).text(" AND id").one_or_among(ids);
        let mut received = HashMap::new();
        for row in self.rows(found).await? {
            let (issue_date, register_number) =
                (Cell::take(&row, "issue_date")?, Cell::take(&row, "register_number")?);
            let known = ReceivedDocument { issue_date, register_number };
            received.insert(<SupplierDocumentId as Cell>::take(&row, "id")?, known);
        }
        let known =
            |(id, document): (JournalEntryId, SupplierDocumentId)| Some((id, *received.get(&document)?));
        Ok(documents.into_iter().filter_map(known).collect())
    }

    async fn documents_of(
        &self,
        company: AccountId,
        entries: impl Iterator<Item = JournalEntryId>,
    ) -> Result<Documents, StoreError> {
        let ids: Vec<_> = entries.map(TypedId::uuid).collect();
        if ids.is_empty() {
            return Ok(Documents::new());
        }
        let found =
            self.sql("SELECT id, source_type, source_id FROM svc_journal_entries WHERE company_id = ");
        let found = found.bind(company.uuid()).text(" AND id").one_or_among(ids);
        let mut documents = Documents::new();
        for row in self.rows(found).await? {
            if let Some(document) = document(&row)? {
                documents.insert(Cell::take(&row, "id")?, document);
            }
        }
        Ok(documents)
    }
}

/// The received document that made the entry of this row.
fn document(row: &QueryResult) -> Result<Option<SupplierDocumentId>, StoreError> {
    let kind: Option<String> = Cell::take(row, "source_type")?;
    let id: Option<String> = Cell::take(row, "source_id")?;
    Ok(id.filter(|_| kind.as_deref() == Some(RECEIVED)).and_then(|id| id.parse().ok()))
}

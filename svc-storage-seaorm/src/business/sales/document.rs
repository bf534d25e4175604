//! Documents as rows.

use sea_orm::{QueryResult, Value};
use serde::{Deserialize, Serialize};
use svc_business::sales::document::{
    Acceptance, DocType, Kind, Method, PaymentStatus, ReasonCode, Rectification, RectificationStatus,
    SalesDocument, State,
};
use svc_business::sales::{SalesFilter, SalesSort};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, SalesDocumentId};
use svc_core::money::Amount;

use super::{list, payment, tax_record};
use crate::business::cell::{Cell, Columns, Stored, named, numbered};
use crate::business::contact::TABLE as CONTACTS;
use crate::business::record::{Child, Count, Reference, Row, columns};
use crate::statement::Sql;
use crate::value::{broken, from_json, json};

impl Row for SalesDocument {
    const TABLE: &'static str = "svc_sales_documents";
    const REFERENCES: &'static [Reference] = &[Reference::once("contact_id", CONTACTS)];
    const LOGS: &'static [(&'static str, &'static str)] = &[("svc_sales_history", "document_id")];
    const CHILDREN: &'static [Child<Self>] = &[
        Child {
            table: "svc_verifactu_records",
            owner: "document_id",
            of_company: true,
            columns: tax_record::COLUMNS,
            references: &[],
            rows: tax_record::rows_of,
            add: Some(tax_record::add),
        },
        payment::CHILD,
    ];

    columns! {
        {
        id: "id",
        company: "company_id",
        kind: "doc_type" | "acceptance" | "rectifies",
        status: "status" | "series_id" | "issue_date" | "due_date" | "fx_rate" | "number" | "sequence" | "late_tax"
            | "customer" | "issuer" | "replaced" | "issued_at" | "payments" | "rectifications" | "sent_at"
            | "send_status" | "send_at" | "journal_entry_id" | "void_reason" | "voided_at",
        contact: "contact_id",
        content: "currency" | "prices_include_tax" | "discount_type" | "discount_value" | "lines",
        base_currency: "base_currency",
        operation_date: "operation_date",
        notes: "notes",
        internal_notes: "internal_notes",
        reference: "reference",
        payment_method: "payment_method",
        iban: "iban",
        source: "source_id",
        tags: "tags",
        extension: "external_id" | "metadata",
        version: "version",
        created_at: "created_at",
        updated_at: "updated_at",
        }
        children {  }
        derived {
            "number_year" = |document| document.issue_data().map(|issue| issue.issue_date.year()),
            "payment_status" = SalesDocument::payment_status,
            "rectification_status" = SalesDocument::rectification_status,
            "customer_name" = customer_name,
            "lines_total" = |document| document.content.totals().lines.minor(),
            "discount_total" = |document| document.content.totals().discount.minor(),
            "taxable_total" = |document| document.content.totals().taxable.minor(),
            "tax_total" = |document| document.content.totals().tax.minor(),
            "total" = |document| document.content.totals().total.minor(),
            "withholding_total" = |document| document.content.totals().withholding.minor(),
            "payable" = |document| document.content.totals().payable.minor(),
            "paid" = |document| document.paid().minor(),
            "due" = |document| document.due().minor(),
            "base_total" = |document| document.base_total().map(Amount::minor),
            "base_payable" = |document| document.base_payable().map(Amount::minor),
            "total_rank" = list::total_rank,
            "order_key" = list::order_key,
            "number_key" = list::number_key,
            "number_compact" = list::number_compact,
            "due_key" = list::due_key,
            "owed_key" = list::owed_key,
            "search_key" = list::searched,
        }
    }

    fn companies(filter: &SalesFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, filter: &SalesFilter) -> Sql {
        list::filtered(sql, filter)
    }

    fn count(filter: &SalesFilter) -> Count<'_, SalesFilter> {
        list::count(filter)
    }

    fn is_narrow(filter: &SalesFilter, total: u64) -> bool {
        list::is_narrow(filter, total)
    }

    fn apart(filter: &SalesFilter) -> Option<&'static str> {
        list::apart(filter)
    }

    fn text(filter: &SalesFilter) -> Option<&str> {
        filter.text.as_deref()
    }

    fn sort_column(key: SalesSort) -> &'static str {
        list::sort_column(key)
    }
}

fn customer_name(document: &SalesDocument) -> Option<String> {
    document.issue_data()?.customer.as_ref().map(|customer| customer.name.clone())
}

named!(
    DocType: name, Acceptance: name, PaymentStatus: name, RectificationStatus: name
);

// `draft`, `issued` and `voided`, in this order from zero.
numbered!(State { Draft = 0, Issued = 1, Voided = 2 });

#[derive(Serialize, Deserialize)]
struct StoredRectification {
    originals: Vec<SalesDocumentId>,
    method: Method,
    reason_code: ReasonCode,
    reason: String,
}

/// `doc_type`, `acceptance`, `rectifies`
impl Columns for Kind {
    fn store(&self, values: &mut Vec<Value>) {
        let rectifies = self.rectification().map(|one| {
            json(&StoredRectification {
                originals: one.originals.clone(),
                method: one.method,
                reason_code: one.reason_code,
                reason: one.reason.clone(),
            })
        });
        values.extend([self.doc_type().put(), self.acceptance().put(), rectifies.put()]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [doc_type, acceptance, rectifies] = columns else {
            return Err(StoreError::backend("three columns"));
        };
        let rectifies: Option<String> = Cell::take(row, rectifies)?;
        match (Cell::take(row, doc_type)?, Cell::take(row, acceptance)?, rectifies) {
            (DocType::Invoice, None, None) => Ok(Self::Invoice),
            (DocType::SimplifiedInvoice, None, None) => Ok(Self::SimplifiedInvoice),
            (DocType::Proforma, None, None) => Ok(Self::Proforma),
            (DocType::Quote, Some(acceptance), None) => Ok(Self::Quote { acceptance }),
            (DocType::Rectifying, None, Some(text)) => {
                let stored: StoredRectification = from_json("sales_documents.rectifies", &text)?;
                let StoredRectification { originals, method, reason_code, reason } = stored;
                let rectification = Rectification { originals, method, reason_code, reason };
                Ok(Self::Rectifying { rectification })
            }
            _ => Err(broken("sales_documents.doc_type")),
        }
    }
}

/// A list of texts as JSON.
impl Stored for Vec<String> {
    type Sql = String;

    fn to_sql(&self) -> String {
        json(self)
    }

    fn from_sql(sql: String) -> Option<Self> {
        serde_json::from_str(&sql).ok()
    }
}

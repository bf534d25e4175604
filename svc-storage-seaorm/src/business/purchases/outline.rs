//! Outlines of documents: rows of which the lines are not read.

use sea_orm::{QueryResult, Value};
use svc_business::purchases::document::SupplierDocument;
use svc_business::purchases::{Outline, PurchaseFilter, PurchaseSort};
use svc_business::trade::calculation::Totals;
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::money::Currency;

use super::list;
use crate::business::cell::{Cell, Columns};
use crate::business::invoicing;
use crate::business::record::{Count, Row};
use crate::statement::Sql;

const TOTAL: &str = "supplier_documents.total";

impl Row for Outline {
    const TABLE: &'static str = SupplierDocument::TABLE;
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "company_id",
        "doc_type",
        "status",
        "payment_status",
        "supplier_id",
        "supplier_name",
        "number",
        "register_number",
        "issue_date",
        "received_date",
        "operation_date",
        "booked_on",
        "due_date",
        "currency",
        "base_currency",
        "lines_total",
        "discount_total",
        "taxable_total",
        "tax_total",
        "total",
        "withholding_total",
        "net_payable",
        "payable",
        "paid",
        "due",
        "base_total",
        "base_payable",
        "origin",
        "journal_entry_id",
        "tags",
        "external_id",
        "metadata",
        "version",
        "created_at",
        "updated_at",
    ];

    /// Outlines are read alone.
    fn values(&self) -> Vec<Value> {
        Vec::new()
    }

    fn read(row: &QueryResult) -> Result<Self, StoreError> {
        let (own, base) = (Currency::take(row, "currency")?, Currency::take(row, "base_currency")?);
        let amount = |column| invoicing::amount(TOTAL, Cell::take(row, column)?, own);
        let in_base = |column| {
            let minor: Option<i64> = Cell::take(row, column)?;
            minor.map(|minor| invoicing::amount(TOTAL, minor, base)).transpose()
        };
        Ok(Self {
            id: Cell::take(row, "id")?,
            company: Cell::take(row, "company_id")?,
            doc_type: Cell::take(row, "doc_type")?,
            state: Cell::take(row, "status")?,
            payment_status: Cell::take(row, "payment_status")?,
            supplier: Cell::take(row, "supplier_id")?,
            supplier_name: Cell::take(row, "supplier_name")?,
            number: Cell::take(row, "number")?,
            register_number: Cell::take(row, "register_number")?,
            issue_date: Cell::take(row, "issue_date")?,
            received_date: Cell::take(row, "received_date")?,
            operation_date: Cell::take(row, "operation_date")?,
            accounting_date: Cell::take(row, "booked_on")?,
            due_date: Cell::take(row, "due_date")?,
            base_currency: base,
            totals: Totals {
                lines: amount("lines_total")?,
                discount: amount("discount_total")?,
                taxable: amount("taxable_total")?,
                tax: amount("tax_total")?,
                total: amount("total")?,
                withholding: amount("withholding_total")?,
                payable: amount("net_payable")?,
            },
            payable: amount("payable")?,
            paid: amount("paid")?,
            due: amount("due")?,
            base_total: in_base("base_total")?,
            base_payable: in_base("base_payable")?,
            origin: Cell::take(row, "origin")?,
            journal_entry: Cell::take(row, "journal_entry_id")?,
            tags: Vec::take(row, "tags")?,
            extension: Columns::load(row, &["external_id", "metadata"])?,
            version: Cell::take(row, "version")?,
            created_at: Cell::take(row, "created_at")?,
            updated_at: Cell::take(row, "updated_at")?,
        })
    }

    fn companies(filter: &PurchaseFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, filter: &PurchaseFilter) -> Sql {
        list::filtered(sql, filter)
    }

    fn count(filter: &PurchaseFilter) -> Count<'_, PurchaseFilter> {
        list::count(filter)
    }

    fn is_narrow(filter: &PurchaseFilter, total: u64) -> bool {
        list::is_narrow(filter, total)
    }

    fn apart(filter: &PurchaseFilter) -> Option<&'static str> {
        list::apart(filter)
    }

    fn text(filter: &PurchaseFilter) -> Option<&str> {
        filter.text.as_deref()
    }

    fn sort_column(key: PurchaseSort) -> &'static str {
        list::sort_column(key)
    }
}

//! Outlines of documents: rows of which the lines are not read.

use sea_orm::{QueryResult, Value};
use svc_business::sales::document::{DocType, SalesDocument};
use svc_business::sales::{Outline, SalesFilter, SalesSort};
use svc_business::trade::calculation::Totals;
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::money::{Amount, Currency};

use super::list;
use crate::business::cell::{Cell, Columns};
use crate::business::record::{Count, Row};
use crate::statement::Sql;
use crate::value::broken;

impl Row for Outline {
    const TABLE: &'static str = SalesDocument::TABLE;
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "company_id",
        "doc_type",
        "status",
        "acceptance",
        "payment_status",
        "rectification_status",
        "series_id",
        "number",
        "issue_date",
        "operation_date",
        "due_date",
        "contact_id",
        "customer_name",
        "reference",
        "currency",
        "base_currency",
        "lines_total",
        "discount_total",
        "taxable_total",
        "tax_total",
        "total",
        "withholding_total",
        "payable",
        "paid",
        "due",
        "base_total",
        "base_payable",
        "source_id",
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
        let amount = |column| amount(Cell::take(row, column)?, own);
        let in_base = |column| {
            let minor: Option<i64> = Cell::take(row, column)?;
            minor.map(|minor| self::amount(minor, base)).transpose()
        };
        Ok(Self {
            id: Cell::take(row, "id")?,
            company: Cell::take(row, "company_id")?,
            doc_type: DocType::take(row, "doc_type")?,
            state: Cell::take(row, "status")?,
            acceptance: Cell::take(row, "acceptance")?,
            payment_status: Cell::take(row, "payment_status")?,
            rectification_status: Cell::take(row, "rectification_status")?,
            series: Cell::take(row, "series_id")?,
            number: Cell::take(row, "number")?,
            issue_date: Cell::take(row, "issue_date")?,
            operation_date: Cell::take(row, "operation_date")?,
            due_date: Cell::take(row, "due_date")?,
            contact: Cell::take(row, "contact_id")?,
            customer_name: Cell::take(row, "customer_name")?,
            reference: Cell::take(row, "reference")?,
            base_currency: base,
            totals: Totals {
                lines: amount("lines_total")?,
                discount: amount("discount_total")?,
                taxable: amount("taxable_total")?,
                tax: amount("tax_total")?,
                total: amount("total")?,
                withholding: amount("withholding_total")?,
                payable: amount("payable")?,
            },
            paid: amount("paid")?,
            due: amount("due")?,
            base_total: in_base("base_total")?,
            base_payable: in_base("base_payable")?,
            source: Cell::take(row, "source_id")?,
            journal_entry: Cell::take(row, "journal_entry_id")?,
            tags: Vec::take(row, "tags")?,
            extension: Columns::load(row, &["external_id", "metadata"])?,
            version: Cell::take(row, "version")?,
            created_at: Cell::take(row, "created_at")?,
            updated_at: Cell::take(row, "updated_at")?,
        })
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

fn amount(minor: i64, currency: Currency) -> Result<Amount, StoreError> {
    Amount::from_minor(minor, currency).map_err(|_| broken("sales_documents.total"))
}

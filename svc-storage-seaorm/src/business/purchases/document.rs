//! Documents as rows.

use svc_business::purchases::document::{DocType, Origin, State, SupplierDocument, SupplierNumber};
use svc_business::purchases::{PurchaseFilter, PurchaseSort};
use svc_core::id::AccountId;
use svc_core::money::Amount;

use super::supplier::TABLE as SUPPLIERS;
use super::{list, payment};
use crate::business::cell::{Stored, named, numbered};

use crate::business::contact::TABLE as CONTACTS;
use crate::business::record::{Child, Count, Reference, Row, columns};
use crate::statement::Sql;

impl Row for SupplierDocument {
    const TABLE: &'static str = "svc_supplier_documents";
    const REFERENCES: &'static [Reference] =
        &[Reference::once("contact_id", CONTACTS), Reference::once("supplier_id", SUPPLIERS)];
    const CHILDREN: &'static [Child<Self>] = &[payment::CHILD];

    columns! {
        {
        id: "id",
        company: "company_id",
        doc_type: "doc_type",
        status: "status" | "accounting_date" | "due_date" | "fx_rate" | "register_year" | "register_number"
            | "contact_id" | "supplier" | "supplier_type" | "withholding_key" | "pro_rata" | "late_tax"
            | "approved_at" | "payments" | "journal_entry_id" | "assets" | "reason" | "ended_at",
        supplier: "supplier_id",
        number: "number",
        shares_number: "shares_number",
        content: "currency" | "prices_include_tax" | "discount_type" | "discount_value" | "adjustments" | "lines",
        base_currency: "base_currency",
        issue_date: "issue_date",
        received_date: "received_date",
        operation_date: "operation_date",
        notes: "notes",
        payment_method: "payment_method",
        iban: "iban",
        origin: "origin",
        tags: "tags",
        extension: "external_id" | "metadata",
        version: "version",
        created_at: "created_at",
        updated_at: "updated_at",
        }
        children {  }
        derived {
            "payment_status" = SupplierDocument::payment_status,
            "supplier_name" = |document| {
                document.approval_data().map(|approval| approval.supplier.name.clone())
            },
            "booked_on" = SupplierDocument::accounting_date,
            "lines_total" = |document| document.content.totals().lines.minor(),
            "discount_total" = |document| document.content.totals().discount.minor(),
            "taxable_total" = |document| document.content.totals().taxable.minor(),
            "tax_total" = |document| document.content.totals().tax.minor(),
            "total" = |document| document.content.totals().total.minor(),
            "withholding_total" = |document| document.content.totals().withholding.minor(),
            "net_payable" = |document| document.content.totals().payable.minor(),
            "payable" = |document| document.payable().minor(),
            "paid" = |document| document.paid().minor(),
            "due" = |document| document.due().minor(),
            "base_total" = |document| document.base_total().map(Amount::minor),
            "base_payable" = |document| document.base_payable().map(Amount::minor),
            "total_rank" = list::total_rank,
            "number_compact" = list::number_compact,
            "due_key" = list::due_key,
            "owed_key" = list::owed_key,
            "register_key" = list::register_key,
            "number_key" = list::number_key,
            "duplicate_key" = list::duplicate_key,
            "search_key" = list::searched,
        }
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

named!(DocType: name, Origin: name);

// `received`, `approved`, `rejected` and `voided`, in this order from zero.
numbered!(State { Received = 0, Approved = 1, Rejected = 2, Voided = 3 });

impl Stored for SupplierNumber {
    type Sql = String;

    fn to_sql(&self) -> String {
        self.as_str().to_owned()
    }

    fn from_sql(sql: String) -> Option<Self> {
        Some(Self::from_stored(sql))
    }
}

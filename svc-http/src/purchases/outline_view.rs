//! A document without its lines, as a list carries it. Nothing in it is masked.

use std::collections::BTreeMap;

use svc_business::purchases::Outline;
use svc_business::purchases::document::{DocType, Origin, PaymentStatus, State};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, JournalEntryId, SupplierDocumentId, SupplierId};
use svc_core::money::Amount;
use svc_core::resource::Resource;
use svc_core::wire::Form;
use svc_core::wire_view;
use time::Date;

/// A decimal string with the digits of the currency.
pub(super) const AMOUNT: Form = Form::ANY.example("1210.00");
const NOTHING: Form = Form::ANY.example("0.00");

wire_view! {
    /// A supplier document without its lines.
    #[derive(Debug)]
    pub(crate) struct Summary as "SupplierDocumentSummary" {
        id: SupplierDocumentId,
        object: &'static str => Form::one_of(&["supplier_document"]),
        company_id: AccountId,
        version: i64,
        doc_type: DocType,
        status: State,
        payment_status: PaymentStatus,
        /// Whether something was due before today.
        is_overdue: bool,
        supplier_id: Option<SupplierId>,
        /// As of the approval; null before it.
        supplier_name: Option<String> => Form::ANY.example("Papelería Mar SL"),
        /// The supplier's own number.
        number: Option<String> => Form::ANY.example("2025/0815"),
        /// Its number in the book of received documents of the year of `accountingDate`.
        register_number: Option<u32> => Form::ANY.number(42),
        issue_date: String => Form::DATE,
        received_date: String => Form::DATE,
        /// When what is bought was done or delivered, if not on the day of issue.
        operation_date: Option<String> => Form::DATE.json("null"),
        /// The day on which tax falls due.
        tax_date: String => Form::DATE,
        /// The day on which it is booked and its tax deducted.
        accounting_date: String => Form::DATE,
        due_date: Option<String> => Form::DATE,
        /// ISO 4217
        currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        /// ISO 4217: the currency of the company's books.
        base_currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        totals: TotalsView,
        /// How it came in.
        origin: Origin,
        /// Its entry in the journal.
        journal_entry_id: Option<JournalEntryId> => Form::ANY.json("null"),
        tags: Vec<String> => Form::ANY.json("[]"),
        external_id: Option<String>,
        metadata: BTreeMap<String, String> => Form::ANY.json(r#"{"region":"north"}"#),
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

wire_view! {
    /// The sums of a supplier document, in its currency unless said otherwise.
    #[derive(Debug)]
    pub(crate) struct TotalsView as "SupplierDocumentTotals" {
        /// The lines, each after its own discount.
        lines_total: String => Form::ANY.example("1000.00"),
        /// What is taken off the whole.
        discount_total: String => NOTHING,
        /// What is taxed.
        taxable_total: String => Form::ANY.example("1000.00"),
        /// The tax that the document charges.
        tax_total: String => Form::ANY.example("210.00"),
        /// What is taxed, and the tax.
        total: String => AMOUNT,
        /// What the company keeps back.
        withholding_total: String => NOTHING,
        /// What is owed by it: of an import the tax alone.
        payable: String => AMOUNT,
        paid: String => NOTHING,
        /// What is left to pay.
        due: String => AMOUNT,
        /// The total in the base currency; null while its rate of exchange is not known.
        base_total: Option<String> => AMOUNT,
        /// What is payable in the base currency.
        base_payable: Option<String> => AMOUNT,
    }
}

impl Summary {
    /// The document on this day of its company.
    pub(super) fn of(outline: &Outline, today: Date) -> Self {
        let date = |date: Option<Date>| date.map(|date| date.to_string());
        Self {
            id: outline.id,
            object: Outline::NAME,
            company_id: outline.company,
            version: outline.version.as_i64(),
            doc_type: outline.doc_type,
            status: outline.state,
            payment_status: outline.payment_status,
            is_overdue: outline.is_overdue(today),
            supplier_id: outline.supplier,
            supplier_name: outline.supplier_name.clone(),
            number: outline.number.clone(),
            register_number: outline.register_number,
            issue_date: outline.issue_date.to_string(),
            received_date: outline.received_date.to_string(),
            operation_date: date(outline.operation_date),
            tax_date: outline.tax_date().to_string(),
            accounting_date: outline.accounting_date.to_string(),
            due_date: date(outline.due_date),
            currency: outline.totals.total.currency().code(),
            base_currency: outline.base_currency.code(),
            totals: TotalsView::of(outline),
            origin: outline.origin,
            journal_entry_id: outline.journal_entry,
            tags: outline.tags.clone(),
            external_id: outline.extension.external_id.clone(),
            metadata: outline.extension.metadata.clone(),
            created_at: outline.created_at,
            updated_at: outline.updated_at,
        }
    }
}

impl TotalsView {
    fn of(outline: &Outline) -> Self {
        let totals = &outline.totals;
        let base = |amount: Option<Amount>| amount.map(|amount| amount.to_string());
        Self {
            lines_total: totals.lines.to_string(),
            discount_total: totals.discount.to_string(),
            taxable_total: totals.taxable.to_string(),
            tax_total: totals.tax.to_string(),
            total: totals.total.to_string(),
            withholding_total: totals.withholding.to_string(),
            payable: outline.payable.to_string(),
            paid: outline.paid.to_string(),
            due: outline.due.to_string(),
            base_total: base(outline.base_total),
            base_payable: base(outline.base_payable),
        }
    }
}

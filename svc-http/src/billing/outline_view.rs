//! A document without its lines, as a list carries it. Nothing in it is masked.

use std::collections::BTreeMap;

use svc_business::sales::Outline;
use svc_business::sales::document::{Acceptance, DocType, PaymentStatus, RectificationStatus, State};
use svc_business::trade::calculation::Totals;
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, ContactId, JournalEntryId, SalesDocumentId, SeriesId};
use svc_core::money::Amount;
use svc_core::resource::Resource;
use svc_core::wire::Form;
use svc_core::wire_view;
use time::Date;

/// A decimal string with the digits of the currency.
pub(super) const AMOUNT: Form = Form::ANY.example("1210.00");
const NOTHING: Form = Form::ANY.example("0.00");

wire_view! {
    /// A sales document without its lines.
    #[derive(Debug)]
    pub(crate) struct Summary as "SalesDocumentSummary" {
        id: SalesDocumentId,
        object: &'static str => Form::one_of(&["invoice"]),
        company_id: AccountId,
        version: i64,
        doc_type: DocType,
        status: State,
        payment_status: PaymentStatus,
        /// Whether something was due before today.
        is_overdue: bool,
        /// What the customer says to a quote.
        acceptance: Option<Acceptance> => Form::ANY.json("null"),
        /// How far other documents put it right.
        rectification_status: RectificationStatus,
        /// The series that numbered it, or is to.
        series_id: Option<SeriesId> => Form::ANY.json("null"),
        /// Null until it is issued.
        number: Option<String> => Form::ANY.example("F2025-00042"),
        issue_date: Option<String> => Form::DATE,
        /// When what is sold was done or delivered, if not on the day of issue.
        operation_date: Option<String> => Form::DATE.json("null"),
        /// The day on which tax falls due.
        tax_date: Option<String> => Form::DATE,
        due_date: Option<String> => Form::DATE,
        contact_id: Option<ContactId>,
        /// As of the issue; null for a draft.
        customer_name: Option<String> => Form::ANY.example("Ferretería Sol SL"),
        /// The customer's order.
        reference: Option<String>,
        /// ISO 4217
        currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        /// ISO 4217: the currency of the company's books.
        base_currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        totals: TotalsView,
        /// The document that it was made of.
        source_id: Option<SalesDocumentId> => Form::ANY.json("null"),
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
    /// The sums of a sales document, in its currency unless said otherwise.
    #[derive(Debug)]
    pub(crate) struct TotalsView as "SalesDocumentTotals" {
        /// The lines, each after its own discount.
        lines_total: String => Form::ANY.example("1000.00"),
        /// What is taken off the whole.
        discount_total: String => NOTHING,
        /// What is taxed.
        taxable_total: String => Form::ANY.example("1000.00"),
        /// Quotas and surcharges.
        tax_total: String => Form::ANY.example("210.00"),
        /// What is taxed, and the tax.
        total: String => AMOUNT,
        /// What the customer keeps back.
        withholding_total: String => NOTHING,
        /// The total without what is kept back.
        payable: String => AMOUNT,
        paid: String => NOTHING,
        /// What is left to pay.
        due: String => AMOUNT,
        /// The total in the base currency; null while a draft does not know its rate of exchange.
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
            acceptance: outline.acceptance,
            rectification_status: outline.rectification_status,
            series_id: outline.series,
            number: outline.number.clone(),
            issue_date: date(outline.issue_date),
            operation_date: date(outline.operation_date),
            tax_date: date(outline.tax_date()),
            due_date: date(outline.due_date),
            contact_id: outline.contact,
            customer_name: outline.customer_name.clone(),
            reference: outline.reference.clone(),
            currency: outline.totals.total.currency().code(),
            base_currency: outline.base_currency.code(),
            totals: TotalsView::of(outline),
            source_id: outline.source,
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
        let Totals { lines, discount, taxable, tax, total, withholding, payable } = outline.totals;
        let base = |amount: Option<Amount>| amount.map(|amount| amount.to_string());
        Self {
            lines_total: lines.to_string(),
            discount_total: discount.to_string(),
            taxable_total: taxable.to_string(),
            tax_total: tax.to_string(),
            total: total.to_string(),
            withholding_total: withholding.to_string(),
            payable: payable.to_string(),
            paid: outline.paid.to_string(),
            due: outline.due.to_string(),
            base_total: base(outline.base_total),
            base_payable: base(outline.base_payable),
        }
    }
}

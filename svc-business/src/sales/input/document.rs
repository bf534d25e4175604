//! A document as a client writes it.

use std::collections::BTreeMap;

use svc_core::id::{ContactId, SalesDocumentId, SeriesId};
use svc_core::patch::Patch;
use svc_core::wire::Form;
use svc_core::{wire_patch, wire_request};

use super::SalesLineInput;
use crate::contact::PaymentMethod;
use crate::invoicing::input::{DiscountInput, FX_RATE};
use crate::party::form;
use crate::sales::document::{DocType, Method, ReasonCode};

wire_patch! {
    /// A sales document, as a client writes it. A draft may change in everything; of an issued one only `dueDate`,
    /// `reference`, `internalNotes`, `tags` and `metadata` may.
    pub struct SalesDocumentInput as "SalesDocument" in company computed [
        status, paymentStatus, isOverdue, acceptance, number, sequence, customer, issuer, rectificationStatus,
        voidReason, issuedAt, sentAt, voidedAt, paidAt, lastSend, totals, taxes, withholdings, payments, compliance,
        sourceId, derivedIds, journalEntryId, baseCurrency, taxDate,
    ] {
        /// What it is.
        [always] doc_type: Patch<DocType> => Form::ANY.example("invoice"),
        /// The series that numbers it; the default one of its type when left out.
        series as "seriesId": Patch<SeriesId>,
        /// The day of issue: not in the future, and not before the last document of the series.
        issue_date: Patch<String> => Form::DATE,
        /// When what is sold was done or delivered, if not on the day of issue.
        operation_date: Patch<String> => Form::DATE,
        /// When it is to be paid, or until when a quote holds; by the customer's term when left out.
        due_date: Patch<String> => Form::DATE,
        /// The customer; a simplified invoice need not have one.
        contact as "contactId": Patch<ContactId>,
        /// ISO 4217; the company's when left out.
        currency: Patch<String> => form::CURRENCY,
        /// How many units of the company's currency one of the document's is.
        fx_rate: Patch<String> => FX_RATE,
        /// Whether unit prices include tax.
        [kept] prices_include_tax: Patch<bool>,
        /// What is sold.
        lines: Patch<Vec<SalesLineInput>> => Form::list(0, 500, &Form::ANY),
        /// What is taken off the whole.
        discount: Patch<DiscountInput>,
        /// Text on the document.
        notes: Patch<String> => Form::text(0, 10_000),
        /// Text for the company alone.
        internal_notes: Patch<String> => Form::text(0, 10_000),
        /// The customer's order.
        reference: Patch<String> => Form::text(1, 200).example("PO-4711"),
        /// How it is to be paid.
        payment_method: Patch<PaymentMethod>,
        /// Where it is to be paid to; masked values are refused.
        iban: Patch<String> => form::IBAN,
        /// What a rectifying document puts right.
        rectifies: Patch<RectifiesInput>,
        /// Free labels, no two alike.
        tags: Patch<Vec<String>> => form::TAGS,
        /// An integrator's own id, unique per company.
        external_id: Patch<String> => form::EXTERNAL_ID,
        /// An integrator's own pairs, at most 50; null for a key removes it.
        metadata: Patch<BTreeMap<String, Option<String>>> => form::METADATA,
        /// A new document is issued at once.
        issue: bool,
    }
}

wire_request! {
    /// What a rectifying document puts right.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct RectifiesInput as "RectifiesInput" {
        /// Issued documents of the same customer, each once.
        pub documents as "documentIds": Vec<SalesDocumentId> => Form::list(1, 100, &Form::ANY),
        /// By differences or by substitution.
        pub method: Method => Form::ANY.example("differences"),
        /// Why, for the tax office.
        pub reason_code: ReasonCode => Form::ANY.example("R1"),
        /// Why, for people.
        pub reason: String => Form::text(1, 500).example("Goods came back"),
    }
}

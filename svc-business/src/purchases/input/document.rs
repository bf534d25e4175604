//! A document as a client writes it.

use std::collections::BTreeMap;

use svc_core::id::SupplierId;
use svc_core::patch::Patch;
use svc_core::wire::Form;
use svc_core::{wire_patch, wire_request};

use super::SupplierLineInput;
use crate::contact::PaymentMethod;
use crate::invoicing::input::{AMOUNT, DiscountInput, FX_RATE, TAX_CODE};
use crate::party::form;
use crate::purchases::document::DocType;

wire_patch! {
    /// A document that a company received, as a client writes it. Until it is judged it may change in everything; of an
    /// approved one only `dueDate`, `notes`, `tags` and `metadata` may.
    pub struct SupplierDocumentInput as "SupplierDocument" in company computed [
        status, paymentStatus, isOverdue, registerNumber, supplier, origin, totals, taxes, withholdings, payments,
        rejectionReason, voidReason, approvedAt, rejectedAt, voidedAt, paidAt, journalEntryId, assetIds, baseCurrency,
        taxDate, proRata,
    ] {
        /// What it is.
        [always] doc_type: Patch<DocType> => Form::ANY.example("invoice"),
        /// The supplier; needed to approve the document.
        supplier as "supplierId": Patch<SupplierId>,
        /// The supplier's own number; needed to approve the document.
        number: Patch<String> => Form::text(1, 60).example("2025/0815"),
        /// The day of issue.
        [always] issue_date: Patch<String> => Form::DATE,
        /// The day on which it came in: not in the future, and not before the day of issue; today when left out.
        received_date: Patch<String> => Form::DATE,
        /// When what is bought was done or delivered, if not on the day of issue.
        operation_date: Patch<String> => Form::DATE,
        /// The day on which it is booked and its tax deducted; that of the receipt when left out.
        accounting_date: Patch<String> => Form::DATE,
        /// When it is to be paid; by the supplier's term when left out.
        due_date: Patch<String> => Form::DATE,
        /// ISO 4217; the company's when left out.
        currency: Patch<String> => form::CURRENCY,
        /// How many units of the company's currency one of the document's is.
        fx_rate: Patch<String> => FX_RATE,
        /// Whether unit prices include tax.
        [kept] prices_include_tax: Patch<bool>,
        /// What is bought.
        lines: Patch<Vec<SupplierLineInput>> => Form::list(0, 500, &Form::ANY),
        /// What is taken off the whole.
        discount: Patch<DiscountInput>,
        /// The quotas of a supplier that rounds otherwise: each at most 5 minor units away, or one for each line.
        tax_adjustments: Patch<Vec<TaxAdjustmentInput>> => Form::list(0, 50, &Form::ANY),
        /// How it is to be paid.
        payment_method: Patch<PaymentMethod>,
        /// Where it is to be paid to; masked values are refused.
        iban: Patch<String> => form::IBAN,
        /// Text for the company alone.
        notes: Patch<String> => Form::text(0, 10_000),
        /// Free labels, no two alike.
        tags: Patch<Vec<String>> => form::TAGS,
        /// An integrator's own id, unique per company.
        external_id: Patch<String> => form::EXTERNAL_ID,
        /// An integrator's own pairs, at most 50; null for a key removes it.
        metadata: Patch<BTreeMap<String, Option<String>>> => form::METADATA,
        /// Another document of the supplier may have the same number and year.
        allow_duplicate: bool,
    }
}

wire_request! {
    /// The quota that a document states for one of its taxes.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct TaxAdjustmentInput as "TaxAdjustment" {
        /// The tax.
        pub tax_code: String => TAX_CODE,
        /// Its quota, in the currency of the document.
        pub quota: String => AMOUNT,
    }
}

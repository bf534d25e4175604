//! What a client says with what is done with a document.

use svc_core::id::{BankAccountId, BankMovementId, SupplierDocumentId};
use svc_core::wire::Form;
use svc_core::wire_request;

use crate::invoicing::input::{AMOUNT, FX_RATE, PayMethod};

wire_request! {
    /// How a document is approved.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct ApproveRequest as "SupplierDocumentApprove" {
        /// The day on which it is booked and its tax deducted; that of the document when left out.
        pub accounting_date: Option<String> => Form::DATE.example("2025-03-14"),
        /// Tax that the company owes itself and that fell due in a period whose return has gone out is declared with the
        /// day of accounting.
        #[serde(default)]
        pub accept_late_tax: bool,
    }
}

wire_request! {
    /// Why a document is rejected.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct RejectRequest as "SupplierDocumentReject" {
        /// For people.
        pub reason: String => Form::text(1, 500).example("Never ordered"),
    }
}

wire_request! {
    /// Why a document is voided.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct VoidRequest as "SupplierDocumentVoid" {
        /// For people.
        pub reason: String => Form::text(1, 500).example("Entered twice"),
    }
}

wire_request! {
    /// A payment of a document.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct PaymentRequest as "SupplierDocumentPayment" {
        /// In the currency of the document and with the sign of what is payable.
        pub amount: String => AMOUNT,
        /// When it was paid.
        pub date: String => Form::DATE,
        /// How.
        pub method: PayMethod => Form::ANY.example("transfer"),
        /// The bank account that the money moved on.
        pub bank_account as "bankAccountId": Option<BankAccountId>,
        /// The movement that it is reconciled with.
        pub movement as "movementId": Option<BankMovementId>,
        /// What the payer wrote.
        pub reference: Option<String> => Form::text(1, 200),
        /// The document of the opposite sign that it is offset against, of the method `offset`.
        pub offset_document as "offsetDocumentId": Option<SupplierDocumentId>,
        /// How many units of the company's currency one of the document's was on that day; as at the approval when left
        /// out.
        pub fx_rate: Option<String> => FX_RATE,
    }
}

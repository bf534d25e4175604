//! What a client says with what is done with a document.

use svc_core::id::{BankAccountId, BankMovementId, SalesDocumentId, SeriesId};
use svc_core::wire::Form;
use svc_core::wire_request;

use super::SalesLineInput;
use crate::invoicing::input::{AMOUNT, FX_RATE, PayMethod};
use crate::sales::document::{DocType, Method, ReasonCode};

wire_request! {
    /// How a document is issued.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct IssueRequest as "SalesDocumentIssue" {
        /// The day of issue; that of the draft, or else today, when left out.
        pub issue_date: Option<String> => Form::DATE.example("2025-03-14"),
        /// The series; that of the draft, or else the default one of its type, when left out.
        pub series as "seriesId": Option<SeriesId>,
        /// Tax of a period whose return has gone out is declared with the day of issue.
        #[serde(default)]
        pub accept_late_tax: bool,
    }
}

wire_request! {
    /// A payment of a document.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct PaymentRequest as "SalesPayment" {
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
        pub offset_document as "offsetDocumentId": Option<SalesDocumentId>,
        /// How many units of the company's currency one of the document's was on that day; as at the issue when left
        /// out.
        pub fx_rate: Option<String> => FX_RATE,
    }
}

wire_request! {
    /// Why a document is voided.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct VoidRequest as "SalesDocumentVoid" {
        /// For people.
        pub reason: String => Form::text(1, 500).example("Wrong customer"),
    }
}

wire_request! {
    /// How a document is put right: with these lines, or with all of its own.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct RectifyRequest as "SalesDocumentRectify" {
        /// By differences or by substitution.
        pub method: Method => Form::ANY.example("differences"),
        /// Why, for the tax office.
        pub reason_code: ReasonCode => Form::ANY.example("R1"),
        /// Why, for people.
        pub reason: String => Form::text(1, 500).example("Goods came back"),
        /// The lines of the new document.
        pub lines: Option<Vec<SalesLineInput>> => Form::list(1, 500, &Form::ANY),
        /// All lines of the original: taken back by differences, said again by substitution.
        #[serde(default)]
        pub full: bool,
    }
}

wire_request! {
    /// To whom a document is sent, and how.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct SendRequest as "SalesDocumentSend" {
        /// E-mail addresses.
        pub to: Vec<String> => Form::list(1, 20, &Form::EMAIL).json("[\"admin@luna.example\"]"),
        /// E-mail addresses of copies.
        #[serde(default)]
        pub cc: Vec<String> => Form::list(0, 20, &Form::EMAIL).json("[]"),
        /// Of the mail; the number of the document when left out.
        pub subject: Option<String> => Form::text(1, 200),
        /// Of the mail.
        pub message: Option<String> => Form::text(1, 10_000),
        /// Whether the PDF goes with it; true when left out.
        pub attach_pdf: Option<bool>,
        /// Whether the electronic invoice goes with it.
        #[serde(default)]
        pub attach_xml: bool,
    }
}

wire_request! {
    /// What is made of a quote or a proforma.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ConvertRequest as "SalesDocumentConvert" {
        /// An invoice, a simplified one or, of a quote, a proforma.
        pub doc_type: DocType => Form::ANY.example("invoice"),
    }
}

//! Why a document cannot be written or read.

use svc_core::money::MoneyError;
use thiserror::Error;

use crate::model::Invoice;

/// Why a document cannot be written in a format.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum WriteError {
    /// The format has no place for it.
    #[error("{format} has no place for {what}")]
    Unsupported {
        /// The format.
        format: &'static str,
        /// What it is.
        what: &'static str,
    },
    /// The format demands something that the document lacks.
    #[error("the document lacks {what} ({term})")]
    Missing {
        /// The business term of EN 16931, or the element of the format.
        term: &'static str,
        /// In words.
        what: &'static str,
    },
    /// A text is longer than its element may be, or is not of its form.
    #[error("{element} cannot hold its text: {expected}")]
    Text {
        /// The element.
        element: &'static str,
        /// What it may hold.
        expected: &'static str,
    },
    /// An amount cannot be counted.
    #[error("an amount cannot be counted")]
    Amount(#[from] MoneyError),
    /// The file cannot be laid out.
    #[error("the file cannot be made: {0}")]
    Layout(String),
}

/// Why bytes cannot be read as a document. Elements are named by their path: `Invoice/InvoiceLine[3]/Item`.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ReadError {
    /// Larger or deeper than any invoice is.
    #[error("beyond the limit of {0}")]
    Limit(&'static str),
    /// It has a document type definition, which no invoice needs and which may hide bombs.
    #[error("a document type definition is not accepted")]
    DocumentType,
    /// It is no well-formed XML.
    #[error("no well-formed XML at byte {position}: {reason}")]
    Xml {
        /// Where.
        position: u64,
        /// Why.
        reason: String,
    },
    /// It is XML of another kind.
    #[error("the root element is {found}, expected {expected}")]
    Root {
        /// What it begins with.
        found: String,
        /// What was looked for.
        expected: &'static str,
    },
    /// An element does not hold what it must.
    #[error("{element}: expected {expected}")]
    Value {
        /// Its path.
        element: String,
        /// What it should be.
        expected: &'static str,
    },
    /// It is no PDF file that can be read.
    #[error("the PDF file cannot be read: {0}")]
    Pdf(String),
    /// There is no invoice in the PDF file.
    #[error("the PDF file has no embedded invoice")]
    NothingEmbedded,
}

/// A document that was read, and what it lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Everything that is there.
    pub invoice: Invoice,
    /// What the format demands and the document has not, in the order of the document.
    ///
    /// A member of the model that must have a value has an empty text, zero, or the euro there.
    pub missing: Vec<Missing>,
}

/// Something that a document lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The path of the element: `Invoice/InvoiceLine[3]/Item/Name`.
    pub element: String,
    /// The business term of EN 16931, or empty.
    pub term: &'static str,
}

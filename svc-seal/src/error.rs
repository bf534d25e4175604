//! Why a file cannot be sealed, and what is broken in a sealed one.

use thiserror::Error;

use svc_core::trail::Broken;

/// Why a file cannot be sealed. The text says what a person can do about it.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PdfRefused {
    /// Larger than [`MOST_BYTES`](crate::MOST_BYTES).
    #[error("the file is larger than 25 MiB: make its images smaller, or split it")]
    TooLarge,
    /// It does not begin as a PDF file does.
    #[error("the file is no PDF: export the document as PDF")]
    NotPdf,
    /// Something in it cannot be read.
    #[error("{what} of the PDF cannot be read: open it and print it to a new PDF")]
    Damaged {
        /// What.
        what: &'static str,
    },
    /// It has a password, or restricts what may be done with it.
    #[error("the PDF is encrypted: remove its password and its restrictions")]
    Encrypted,
    /// Its pages are made by a form program.
    #[error("the PDF is an XFA form, whose pages change: print it to a new PDF")]
    Xfa,
    /// It has a digital signature, which a page of signatures would put in doubt.
    #[error("the PDF is digitally signed already: send the version before that signature")]
    Signed,
    /// It has no pages.
    #[error("the PDF has no pages: export the document again")]
    NoPages,
    /// More than [`MOST_PAGES`](crate::MOST_PAGES).
    #[error("the PDF has more than 2,000 pages: split it")]
    TooManyPages,
    /// More objects than any document needs.
    #[error("the PDF has too many objects: print it to a new PDF")]
    TooManyObjects,
    /// Objects or pages within each other, deeper than in any document.
    #[error("the PDF is nested too deep: print it to a new PDF")]
    TooDeep,
    /// It unpacks to more than any document needs.
    #[error("the PDF unpacks to too much: print it to a new PDF")]
    TooMuchContent,
}

impl PdfRefused {
    /// Its stable name.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooLarge => "pdf_too_large",
            Self::NotPdf => "not_pdf",
            Self::Damaged { .. } => "pdf_damaged",
            Self::Encrypted => "pdf_encrypted",
            Self::Xfa => "pdf_xfa",
            Self::Signed => "pdf_signed",
            Self::NoPages => "pdf_no_pages",
            Self::TooManyPages => "pdf_too_many_pages",
            Self::TooManyObjects => "pdf_too_many_objects",
            Self::TooDeep => "pdf_too_deep",
            Self::TooMuchContent => "pdf_too_much_content",
        }
    }
}

/// Why a file was not sealed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SealError {
    /// The document.
    #[error(transparent)]
    Pdf(#[from] PdfRefused),
    /// The document is none of those that the evidence names.
    #[error("the evidence names no document with the digest of this one")]
    OtherDocument,
    /// The entries do not fit their chain.
    #[error(transparent)]
    Chain(#[from] Broken),
    /// The evidence is longer than [`MOST_EVIDENCE`](crate::MOST_EVIDENCE), or has more than
    /// [`MOST_SIGNERS`](crate::MOST_SIGNERS) signers.
    #[error("the evidence is larger than any envelope needs")]
    TooMuchEvidence,
    /// A picture of a signature is no PNG, or is too large.
    #[error("the signature of {signer} cannot be drawn: {reason}")]
    Ink {
        /// The id of the signer.
        signer: String,
        /// Why.
        reason: &'static str,
    },
    /// The pages cannot be made.
    #[error("the pages cannot be made: {0}")]
    Layout(String),
    /// The [`Sealer`](crate::Sealer) did not sign.
    #[error("the platform seal was not made")]
    Sealer(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The [`Sealer`](crate::Sealer) answered with nothing, or with more than it asked room for.
    #[error("the platform seal does not fit its room of {room} bytes")]
    SealerRoom {
        /// What it asked for.
        room: usize,
    },
}

impl SealError {
    /// Its stable name.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Pdf(refused) => refused.code(),
            Self::OtherDocument => "other_document",
            Self::Chain(_) => "chain_broken",
            Self::TooMuchEvidence => "too_much_evidence",
            Self::Ink { .. } => "signature_not_drawable",
            Self::Layout(_) => "layout_failed",
            Self::Sealer(_) => "platform_seal_failed",
            Self::SealerRoom { .. } => "platform_seal_too_large",
        }
    }
}

/// What is broken in a sealed file.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// It has no seal that can be read.
    #[error("the file has no seal of this service, or its seal was damaged")]
    NoSeal,
    /// The seal covers a file of another length.
    #[error("bytes were added to the file after its seal, or cut off")]
    Length,
    /// The seal was made with another key.
    #[error("the file was sealed with key {key}, which is not the key given")]
    OtherKey {
        /// The id of that key.
        key: u32,
    },
    /// Some byte of the file is not the one that was sealed.
    #[error("the file was changed after it was sealed")]
    Changed,
    /// The document within the file is not the one that the seal names.
    #[error("the original document was changed")]
    Original,
    /// The evidence within the file cannot be read.
    #[error("the evidence in the file cannot be read")]
    Evidence,
    /// The entries do not fit their chain.
    #[error(transparent)]
    Chain(#[from] Broken),
}

impl VerifyError {
    /// Its stable name.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoSeal => "no_seal",
            Self::Length => "seal_length",
            Self::OtherKey { .. } => "seal_other_key",
            Self::Changed => "sealed_file_changed",
            Self::Original => "original_changed",
            Self::Evidence => "evidence_unreadable",
            Self::Chain(_) => "chain_broken",
        }
    }
}

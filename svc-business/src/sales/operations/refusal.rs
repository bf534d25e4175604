//! Why something is not done with a document.

use thiserror::Error;

use crate::books::bookkeeping::BooksRefused;
use crate::sales::document::{ConvertRefused, WrongState};
use crate::sales::issue::IssueRefused;
use crate::sales::journal::JournalRefused;
use crate::sales::pay::{PayRefused, RemoveRefused};
use crate::sales::quote::QuoteRefused;
use crate::sales::rectify::{RectifyRefused, ReleaseRefused};
use crate::sales::rules::AmendRefused;
use crate::sales::void::VoidRefused;

/// Why something is not done with a document; nothing was changed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SalesRefused {
    /// The document is not where this begins.
    #[error(transparent)]
    State(#[from] WrongState),
    /// It is issued, and the change is one of a draft.
    #[error(transparent)]
    Amend(#[from] AmendRefused),
    /// It cannot be issued.
    #[error(transparent)]
    Issue(#[from] IssueRefused),
    /// It cannot be paid.
    #[error(transparent)]
    Pay(#[from] PayRefused),
    /// The payment cannot be taken back.
    #[error(transparent)]
    Remove(#[from] RemoveRefused),
    /// It cannot be voided.
    #[error(transparent)]
    Void(#[from] VoidRefused),
    /// What it put right cannot be as it was before.
    #[error(transparent)]
    Release(#[from] ReleaseRefused),
    /// It cannot be put right.
    #[error(transparent)]
    Rectify(#[from] RectifyRefused),
    /// It cannot be converted.
    #[error(transparent)]
    Convert(#[from] ConvertRefused),
    /// The customer's answer cannot be noted.
    #[error(transparent)]
    Quote(#[from] QuoteRefused),
    /// So many mails of the company wait already: `too_many_mails`, a conflict.
    #[error("500 mails of the company wait to be sent")]
    TooManyMails,
    /// Its files show what the caller sees masked: `personal_data_withheld`.
    #[error(
        "a file shows personal data, which the token does not see: send without `attachPdf` and `attachXml`"
    )]
    FilesMasked,
    /// There is no entry for it.
    #[error(transparent)]
    Journal(#[from] JournalRefused),
    /// The books do not take its entry.
    #[error(transparent)]
    Books(#[from] BooksRefused),
}

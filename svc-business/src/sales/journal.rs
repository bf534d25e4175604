//! The journal entries of sales documents: lines and tax tags, as drafts that the books judge and post.
//!
//! - *Issue*: the customer owes what is payable, the tax office what was withheld; sales and output VAT are credited. A
//!   rectifying document has the same with its signs turned, so its amounts change sides.
//! - *Substitution*: the entry of the new document without those of the originals; what cancels out is not posted.
//! - *Payment*: money comes in and the customer owes less. What a rate of exchange changed meanwhile is a gain or a
//!   loss.
//!
//! Each line is converted at the rate of the document, and each quota by itself, so that the tags are what the
//! accounts of VAT get. The customer and VAT stay what they are (I-13): the cents by which the sides then differ go to
//! the largest line of sales.

mod effect;
mod entry;
mod payment;

use svc_core::money::MoneyError;
use thiserror::Error;

pub use self::payment::{offset_entry, payment_entry};
use crate::books::account::AccountCode;
use crate::books::default_accounts::{DefaultAccounts, Purpose};
use crate::books::entry::{Entry, EntryKind};
use crate::invoicing::journal::made_by;
use crate::sales::document::{Action, Ids, Method, SalesDocument, WrongState};
use effect::Effect;
use entry::Heading;

/// What entries are made with.
#[derive(Clone, Copy)]
pub struct JournalSetting<'a> {
    /// The accounts that the books use when nothing else is said.
    pub accounts: &'a DefaultAccounts,
    /// The account of the customer; the one that all share when there is none.
    pub receivable: Option<AccountCode>,
    /// Where rectifying documents post what they take off; the account of the line when there is none.
    pub reductions: Option<AccountCode>,
    /// The instant, and ids.
    pub ids: Ids<'a>,
}

/// Why there is no entry.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum JournalRefused {
    /// The document is not issued.
    #[error(transparent)]
    State(#[from] WrongState),
    /// The books name no account for this: `default_account_missing`.
    #[error("the books name no account for {0}")]
    Account(Purpose),
    /// Amounts that cannot be counted.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

impl JournalSetting<'_> {
    fn account(&self, purpose: Purpose) -> Result<AccountCode, JournalRefused> {
        self.accounts.find(purpose).ok_or(JournalRefused::Account(purpose))
    }

    fn receivable(&self) -> Result<AccountCode, JournalRefused> {
        self.receivable.map_or_else(|| self.account(Purpose::Receivable), Ok)
    }
}

/// The entry of an issued document, of the kind `sales` and the source `invoice/{id}/issue`; `None` when it moves
/// nothing: a proforma, a quote, and one that comes to nothing. `originals` are those that it puts right.
///
/// # Errors
/// [`JournalRefused`].
pub fn issue_entry(
    document: &SalesDocument,
    originals: &[SalesDocument],
    setting: &JournalSetting<'_>,
) -> Result<Option<Entry>, JournalRefused> {
    let issue = document.issued(Action::Issue)?;
    if !document.is_fiscal() {
        return Ok(None);
    }
    let substitutes = document.kind.rectification().is_some_and(|one| one.method == Method::Substitution);
    let replaced = if substitutes { originals } else { &[] };
    let due = |originals: &[SalesDocument]| originals.iter().filter_map(SalesDocument::tag_date).min();
    let rectified = document.kind.rectification().and_then(|_| due(originals).or(document.tag_date()));
    let effect = Effect::whole(document, replaced, rectified, setting)?;
    let heading = Heading {
        kind: EntryKind::Sales,
        date: issue.issue_date,
        fx_rate: issue.fx_rate,
        source: made_by("invoice", &document.id, "issue"),
    };
    Ok(entry::build(document, heading, effect, setting))
}

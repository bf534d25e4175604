//! The journal entries of supplier documents: lines and tax tags, as drafts that the books judge and post.
//!
//! - *Approval*: what was bought is debited with the tax that cannot be deducted, input VAT with what can; the supplier
//!   is owed what is payable, the tax office what was withheld. Tax that the company owes itself is output VAT as well
//!   as input VAT. A credit note has negative amounts, which change sides.
//! - *Import*: only the tax is owed and booked; the goods are those of their supplier's own document.
//! - *Payment*: the supplier is owed less and money goes out. What a rate of exchange changed meanwhile is a gain or a
//!   loss.
//!
//! Each line is converted at the rate of the document, and each quota by itself, so that the tags are what the
//! accounts of VAT get. The supplier and VAT stay what they are (I-13): the cents by which the sides then differ go to
//! the largest line of costs.
//!
//! What is deducted is tagged with the day of accounting, tax that the company owes itself with the day on which it fell
//! due. A document that gives no right to deduct has no tags of VAT.

mod effect;
mod payment;

use svc_core::money::MoneyError;
use thiserror::Error;

pub use self::payment::{offset_entry, payment_entry};
use crate::books::account::{AccountCode, CodeLength};
use crate::books::default_accounts::{DefaultAccounts, Purpose};
use crate::books::entry::{Entry, EntryKind, FxRate, Source};
use crate::invoicing::journal;
use crate::purchases::document::{Action, Ids, SupplierDocument, WrongState};
use crate::purchases::supplier::SupplierType;
use effect::Effect;
use time::Date;

/// What entries are made with.
#[derive(Clone, Copy)]
pub struct JournalSetting<'a> {
    /// The accounts that the books use when nothing else is said.
    pub accounts: &'a DefaultAccounts,
    /// The account of the supplier; the one that all of its type share when there is none.
    pub payable: Option<AccountCode>,
    /// How many digits accounts of fixed assets have.
    pub code_length: CodeLength,
    /// The instant, and ids.
    pub ids: Ids<'a>,
}

/// Why there is no entry.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum JournalRefused {
    /// The document is not approved.
    #[error(transparent)]
    State(#[from] WrongState),
    /// The books name no account for this: `account_missing`.
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

    fn payable(&self, supplier_type: SupplierType) -> Result<AccountCode, JournalRefused> {
        let purpose = match supplier_type {
            SupplierType::Trade => Purpose::Payable,
            SupplierType::Creditor => Purpose::Creditor,
        };
        self.payable.map_or_else(|| self.account(purpose), Ok)
    }
}

/// The entry of an approved document, of the kind `purchase` and the source `supplier_document/{id}/approve`; `None` when
/// it moves nothing. Voiding the document reverses it.
///
/// # Errors
/// [`JournalRefused`].
pub fn approval_entry(
    document: &SupplierDocument,
    setting: &JournalSetting<'_>,
) -> Result<Option<Entry>, JournalRefused> {
    let approval = document.approved(Action::Approve)?;
    let effect = Effect::whole(document, approval, setting)?;
    let source = journal::made_by("supplier_document", &document.id, "approve");
    let heading = heading(document, EntryKind::Purchase, approval.accounting_date, approval.fx_rate, source);
    Ok(journal::build(heading, &effect.parts, effect.tags, &setting.ids))
}

fn heading(
    document: &SupplierDocument,
    kind: EntryKind,
    date: Date,
    fx_rate: FxRate,
    source: Source,
) -> journal::Heading {
    let supplier = document.approval_data().map(|approval| approval.supplier.name.clone());
    journal::Heading {
        company: document.company,
        kind,
        date,
        base_currency: document.base_currency,
        currency: document.content.currency(),
        fx_rate,
        source,
        reference: document.number.as_ref().map(ToString::to_string),
        name: supplier.unwrap_or_default(),
    }
}

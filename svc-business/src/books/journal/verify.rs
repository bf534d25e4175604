//! Whether the journal is what was posted: chains and sums computed anew.

use svc_core::error::StoreError;
use svc_core::id::{FiscalYearId, JournalEntryId};

use crate::account::Account;
use crate::books::entry::{Broken, Entry, verify_chain};
use crate::books::fiscal_year::FiscalYear;
use crate::ports::BooksStorage;

/// So many entries are read at once.
const AT_ONCE: u32 = 500;

/// What became of the verification of a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// Year by year, in their order.
    pub years: Vec<YearVerification>,
}

/// What became of the verification of a year.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YearVerification {
    /// The year.
    pub year: FiscalYear,
    /// How many posted entries were read.
    pub entries: u64,
    /// The first entry at which the chain stops being the one that was written.
    pub broken: Option<Broken>,
    /// Entries whose debits are not their credits.
    pub unbalanced: Vec<JournalEntryId>,
    /// Whether the last entry is the one that the books keep as the last: one that was cut off leaves no trace else.
    pub ends_as_kept: bool,
}

impl YearVerification {
    /// Whether nothing was found.
    #[must_use]
    pub const fn holds(&self) -> bool {
        self.broken.is_none() && self.unbalanced.is_empty() && self.ends_as_kept
    }
}

/// Reads every posted entry of a company and computes chains and sums anew.
///
/// # Errors
/// When the store failed.
pub async fn verify<S: BooksStorage + ?Sized>(
    storage: &S,
    company: &Account,
) -> Result<Verification, StoreError> {
    let mut years = Vec::new();
    for year in storage.fiscal_years().of_company(company.id).await? {
        years.push(verify_year(storage, company, year).await?);
    }
    Ok(Verification { years })
}

async fn verify_year<S: BooksStorage + ?Sized>(
    storage: &S,
    company: &Account,
    year: FiscalYear,
) -> Result<YearVerification, StoreError> {
    let id: FiscalYearId = year.id;
    let kept = storage.journal().head(company.id, id).await?;
    let (mut last, mut count, mut broken, mut unbalanced) = (None, 0_u64, None, Vec::new());
    let mut after = 0;
    loop {
        let entries = storage.journal().posted_after(company.id, id, after, AT_ONCE).await?;
        let Some(number) = entries.last().and_then(number) else { break };
        after = number;
        count = count.saturating_add(u64::try_from(entries.len()).unwrap_or(u64::MAX));
        unbalanced.extend(entries.iter().filter(|entry| !is_balanced(entry)).map(|entry| entry.id));
        if broken.is_none() {
            match verify_chain(id, last, &entries) {
                Ok(head) => last = head,
                Err(found) => broken = Some(found),
            }
        }
    }
    // Entries that were posted after the head was read come after it.
    let ends_as_kept = match (kept, last) {
        (None, _) => true,
        (Some(kept), Some(last)) => last.number > kept.number || last == kept,
        (Some(_), None) => false,
    };
    let ends_as_kept = broken.is_some() || ends_as_kept;
    Ok(YearVerification { year, entries: count, broken, unbalanced, ends_as_kept })
}

fn number(entry: &Entry) -> Option<u64> {
    entry.status.posting().map(|posting| posting.number)
}

fn is_balanced(entry: &Entry) -> bool {
    entry.totals().is_ok_and(crate::books::entry::Totals::is_balanced)
}

//! Changing books.

use std::collections::BTreeSet;

use svc_core::error::{StoreError, Validator};
use svc_core::refused::Refused;
use svc_core::resource::Version;
use thiserror::Error;
use time::Date;

use super::begin::chart;
use super::rules::apply;
use super::{Book, BookInput};
use crate::books::account::AccountCode;
use crate::books::fiscal_year::Span;
use crate::books::ledger::LedgerAccount;
use crate::record::Opened;

/// Why books are not changed so.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum BookError {
    /// They have entries, fixed assets, or accounts that the company added or changed.
    #[error(
        "chart and accountCodeLength change only while the books have no entry, no fixed asset, and no account that \
         was added or changed"
    )]
    InUse,
    /// Drafts are dated in the days that would be locked for ever: they could not be posted any more, nor deleted where
    /// the service made them.
    #[error(
        "{count} drafts are dated up to {until}: post or delete them before these days are locked for ever"
    )]
    Drafts {
        /// How many.
        count: u64,
        /// The last day that would be locked.
        until: Date,
    },
}

/// Applies a merge patch to books that were opened [alone](crate::record::alone). One that changes nothing keeps the
/// version; no change emits an event.
///
/// # Errors
/// [`Refused`] with [`BookError`]; nothing was changed.
pub async fn update(opened: Opened<'_, Book>, input: BookInput) -> Result<Book, Refused<BookError>> {
    let (home, before) = (&opened.home, &opened.before);
    let mut validator = Validator::new();
    let after = apply(&mut validator, before, input);
    let ledger = home.unit.ledger();
    let begins_anew = (after.chart, after.code_length) != (before.chart, before.code_length);
    let accounts = chart(&after, home.call);
    let postable: BTreeSet<AccountCode> = if begins_anew {
        accounts.iter().filter(|account| account.postable).map(|account| account.code).collect()
    } else {
        let named: Vec<_> = after.default_accounts.iter().map(|(_, code)| code).collect();
        let known = ledger.with_codes(before.company, &named).await?;
        known.iter().filter(|account| account.takes_entries()).map(|account| account.code).collect()
    };
    after.default_accounts.judge(&mut validator, "defaultAccounts", |code| postable.contains(&code));
    validator.finish()?;
    if begins_anew {
        let is_blank = !home.unit.accounts().has_entries(before.company).await?
            && is_as_shipped(&ledger.all(before.company).await?, before, &opened);
        if !is_blank {
            return Err(Refused::Own(BookError::InUse));
        }
        ledger.replace_all(before.company, &accounts).await?;
    }
    if let Some(until) = after.locks.hard.filter(|until| before.locks.hard != Some(*until)) {
        let count = drafts(&opened, until).await?;
        if count > 0 {
            return Err(Refused::Own(BookError::Drafts { count, until }));
        }
    }
    opened.save(after).await
}

/// How many drafts are dated in the fiscal years up to this day.
async fn drafts(opened: &Opened<'_, Book>, until: Date) -> Result<u64, StoreError> {
    let (unit, company) = (opened.home.unit, opened.before.company);
    let mut count = 0_u64;
    for year in unit.fiscal_years().of_company(company).await? {
        let Ok(days) = Span::new(year.span.start(), year.span.end().min(until)) else { continue };
        count = count.saturating_add(unit.journal().drafts_in(company, days).await?);
    }
    Ok(count)
}

/// Whether these are the accounts that the chart of the books has, and none was changed.
fn is_as_shipped(accounts: &[LedgerAccount], book: &Book, opened: &Opened<'_, Book>) -> bool {
    let codes =
        |accounts: &[LedgerAccount]| accounts.iter().map(|account| account.code).collect::<BTreeSet<_>>();
    let unchanged = accounts.iter().all(|account| account.version == Version::FIRST);
    unchanged && codes(accounts) == codes(&chart(book, opened.home.call))
}

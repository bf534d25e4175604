//! The entries of a journal.

use super::{MOST_LINES, ReportError};
use crate::account::Account;
use crate::books::report::{Journal, Period};
use crate::ports::BooksStorage;

/// So many entries are read at once.
const AT_ONCE: u32 = 500;

/// The journal of a company in some days.
///
/// # Errors
/// [`ReportError`].
pub async fn journal<S: BooksStorage + ?Sized>(
    storage: &S,
    company: &Account,
    period: Period,
) -> Result<Journal, ReportError> {
    let (mut entries, mut lines, mut after) = (Vec::new(), 0_usize, None);
    loop {
        let next = storage.journal().posted_within(company.id, period, after, AT_ONCE).await?;
        let last = next.last().and_then(|entry| Some((entry.date, entry.status.posting()?.number)));
        let Some(last) = last else { break };
        after = Some(last);
        lines = next.iter().fold(lines, |lines, entry| lines.saturating_add(entry.lines.len()));
        if lines > MOST_LINES {
            return Err(ReportError::TooMany);
        }
        entries.extend(next);
    }
    let accounts = storage.ledger().all(company.id).await?;
    let names = accounts.into_iter().map(|account| (account.code, account.name)).collect();
    Ok(Journal::of(period, company.base_currency, &entries, &names)?)
}

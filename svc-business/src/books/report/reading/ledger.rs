//! The lines of a general ledger.

use std::collections::BTreeMap;

use svc_core::money::Amount;

use super::{LedgerQuery, MOST_LINES, ONE_MORE, ReportError};
use crate::account::Account;
use crate::books::account::AccountCode;
use crate::books::ledger::{Sum, Sums};
use crate::books::report::{AccountLines, GeneralLedger, PostedLine, ReportAccount};
use crate::ports::BooksStorage;

/// The general ledger of a company: accounts that held something before the days, or moved in them. What closed
/// earlier years counts, and what closes a year within the days is shown.
///
/// # Errors
/// [`ReportError`].
pub async fn general_ledger<S: BooksStorage + ?Sized>(
    storage: &S,
    company: &Account,
    asked: LedgerQuery,
) -> Result<GeneralLedger, ReportError> {
    let currency = company.base_currency;
    let mut openings = BTreeMap::new();
    for Sum { account, debit, credit } in held_before(storage, company, asked).await? {
        let opening = debit.minus(credit)?;
        if opening.minor() != 0 && asked.shows(account) {
            openings.insert(account, opening);
        }
    }
    let lines = storage.journal().ledger_lines(company.id, currency, &asked, ONE_MORE).await?;
    if lines.len() > MOST_LINES {
        return Err(ReportError::TooMany);
    }
    let mut moved: BTreeMap<AccountCode, Vec<PostedLine>> = BTreeMap::new();
    for (account, line) in lines {
        moved.entry(account).or_default().push(line);
    }
    let zero = Amount::zero(currency);
    let shown = storage.ledger().all(company.id).await?.into_iter().filter_map(|account| {
        let (opening, lines) = (openings.get(&account.code).copied(), moved.remove(&account.code));
        (opening.is_some() || lines.is_some()).then(|| AccountLines {
            account: ReportAccount {
                code: account.code,
                account_type: account.account_type,
                normal_balance: account.normal_balance(),
                name: account.name,
            },
            opening: opening.unwrap_or(zero),
            lines: lines.unwrap_or_default(),
        })
    });
    Ok(GeneralLedger::of(asked.period, currency, shown.collect())?)
}

/// What the accounts held before the first day.
async fn held_before<S: BooksStorage + ?Sized>(
    storage: &S,
    company: &Account,
    asked: LedgerQuery,
) -> Result<Vec<Sum>, ReportError> {
    let (from, currency) = (asked.period.from(), company.base_currency);
    if let Some(contact) = asked.contact {
        return Ok(storage.journal().contact_sums(company.id, currency, contact, from).await?);
    }
    let Some(through) = from.previous_day() else { return Ok(Vec::new()) };
    let sums = Sums { through, closings_before: from, prefix: asked.digits() };
    Ok(storage.ledger().sums(company.id, currency, &sums).await?)
}

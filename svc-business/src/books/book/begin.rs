//! The beginning of books.

use svc_core::error::StoreError;
use svc_core::resource::Version;
use svc_core::unit::CallContext;

use super::{Automation, Book, Subledger, YearStart};
use crate::account::{Account, newborn};
use crate::books::account::CodeLength;
use crate::books::chart::Chart;
use crate::books::default_accounts::DefaultAccounts;
use crate::books::fiscal_year::FiscalYear;
use crate::books::ledger::LedgerAccount;
use crate::books::lock::Locks;
use crate::party::Extension;
use crate::ports::DynBooksUnit;

/// Begins the books of a new company: the chart of small companies, and the calendar year of today. Emits nothing.
///
/// # Errors
/// When the store failed; nothing was added.
pub async fn begin(
    unit: &DynBooksUnit,
    call: CallContext<'_>,
    company: &Account,
) -> Result<Book, StoreError> {
    let scope = newborn(company.id);
    let book = blank(company, call);
    unit.books().insert(&scope, &book).await?;
    unit.ledger().insert_all(&chart(&book, call)).await?;
    if let Some(span) = book.year_start.year_of(company.local_date(call.now)) {
        let year = FiscalYear::blank(company.id, call, span);
        unit.fiscal_years().insert(&scope, &year).await?;
    }
    Ok(book)
}

fn blank(company: &Account, call: CallContext<'_>) -> Book {
    let (chart, code_length) = (Chart::default(), CodeLength::default());
    Book {
        company: company.id,
        chart,
        code_length,
        subledger: Subledger::default(),
        year_start: YearStart::default(),
        default_accounts: DefaultAccounts::of(chart, code_length),
        locks: Locks::default(),
        automation: Automation::default(),
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: call.now,
        updated_at: call.now,
    }
}

/// The headings and accounts of the chart of these books.
pub(super) fn chart(book: &Book, call: CallContext<'_>) -> Vec<LedgerAccount> {
    let account = |known: crate::books::chart::ChartAccount| LedgerAccount {
        name: known.name.to_owned(),
        account_type: known.account_type,
        postable: known.postable,
        reconcilable: known.reconcilable,
        tax_role: known.tax_role,
        ..LedgerAccount::blank(book.company, known.code, book.code_length, call)
    };
    book.chart.accounts(book.code_length).into_iter().map(account).collect()
}

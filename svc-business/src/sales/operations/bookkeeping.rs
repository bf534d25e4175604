//! The books behind sales.

use svc_core::refused::Refused;

use super::SalesRefused;
use crate::books::account::AccountCode;
use crate::books::book::Subledger;
use crate::books::bookkeeping::{Books, BooksRefused};
use crate::contact::Contact;
use crate::ports::{DynBankUnit, DynBooksUnit, DynSalesUnit};
use crate::record::Home;
use crate::sales::document::Ids;
use crate::sales::journal::JournalSetting;

/// The books of the company.
pub(super) async fn open<'u>(home: &Home<'u, DynSalesUnit>) -> Result<Books<'u>, Refused<SalesRefused>> {
    Books::open(home.within(home.unit as &DynBooksUnit)).await.map_err(own)
}

/// The bank accounts of the company.
pub(super) fn bank<'u>(home: &Home<'u, DynSalesUnit>) -> Home<'u, DynBankUnit> {
    home.within(home.unit)
}

/// What the entries of a document are made with.
pub(super) fn setting<'a>(
    books: &'a Books<'_>,
    customer: Option<&Contact>,
    ids: Ids<'a>,
) -> JournalSetting<'a> {
    let code = customer.and_then(|contact| contact.receivable_account_code.as_deref());
    let code = code.filter(|_| books.book.subledger == Subledger::Individual);
    let receivable = code.and_then(|code| code.parse::<AccountCode>().ok());
    JournalSetting { accounts: &books.book.default_accounts, receivable, reductions: None, ids }
}

/// What the books refuse, as a refusal of sales.
pub(super) fn own(refused: Refused<BooksRefused>) -> Refused<SalesRefused> {
    refused.map(SalesRefused::Books)
}

//! The books behind purchases.

use svc_core::refused::Refused;

use super::PurchaseRefused;
use crate::books::account::AccountCode;
use crate::books::book::Subledger;
use crate::books::bookkeeping::{Books, BooksRefused};
use crate::contact::Contact;
use crate::ports::{DynBankUnit, DynBooksUnit, DynPurchaseUnit};
use crate::purchases::document::Ids;
use crate::purchases::journal::JournalSetting;
use crate::record::Home;

/// The books of the company.
pub(super) async fn open<'u>(
    home: &Home<'u, DynPurchaseUnit>,
) -> Result<Books<'u>, Refused<PurchaseRefused>> {
    Books::open(home.within(home.unit as &DynBooksUnit)).await.map_err(own)
}

/// The bank accounts of the company.
pub(super) fn bank<'u>(home: &Home<'u, DynPurchaseUnit>) -> Home<'u, DynBankUnit> {
    home.within(home.unit)
}

/// What the entries of a document are made with.
pub(super) fn setting<'a>(
    books: &'a Books<'_>,
    supplier: Option<&Contact>,
    ids: Ids<'a>,
) -> JournalSetting<'a> {
    let code = supplier.and_then(|contact| contact.payable_account_code.as_deref());
    let code = code.filter(|_| books.book.subledger == Subledger::Individual);
    JournalSetting {
        accounts: &books.book.default_accounts,
        payable: code.and_then(|code| code.parse::<AccountCode>().ok()),
        code_length: books.book.code_length,
        ids,
    }
}

/// What the books refuse, as a refusal of purchases.
pub(super) fn own(refused: Refused<BooksRefused>) -> Refused<PurchaseRefused> {
    refused.map(PurchaseRefused::Books)
}

//! What a movement is to stand for, as it is known.

use svc_core::error::{StoreError, ValidationErrors};
use svc_core::id::{
    BankAccountId, BankMovementId, ContactId, JournalLineId, SalesDocumentId, SupplierDocumentId,
};
use svc_core::money::Amount;
use svc_core::page::{Direction, PageRules, Sort};
use svc_core::resource::ResourceReader;
use time::Duration;

use crate::bank::BankAccount;
use crate::bank::movement::BankMovement;
use crate::books::account::AccountCode;
use crate::books::entry::{Entry, EntryKind, EntryStatus};
use crate::books::journal::{LineFilter, LineSort};
use crate::books::ledger::LedgerStatus;
use crate::contact::Contact;
use crate::ports::DynTreasuryUnit;
use crate::purchases::document::SupplierDocument;
use crate::record::Home;
use crate::sales::document::SalesDocument;

/// How many days may be between the movements of both accounts of a transfer.
const TRANSFER_DAYS: i64 = 5;
/// Nothing within reach has the id.
pub(super) const UNKNOWN: &str = "nothing of the company has this id";

/// The bank account of the movement, and the account of the ledger that counts it.
pub(super) struct Counted {
    pub(super) account: BankAccount,
    pub(super) code: AccountCode,
}

pub(super) fn finding(field: &str, code: &'static str, message: &'static str) -> ValidationErrors {
    ValidationErrors::one(field, code, message)
}

/// A bank account that a member names, which no other unit of work changes meanwhile.
pub(super) async fn counted(
    home: &Home<'_, DynTreasuryUnit>,
    (field, id): (&str, BankAccountId),
) -> Result<Result<Counted, ValidationErrors>, StoreError> {
    let found = home.referred::<BankAccount>(home.unit.bank_accounts(), &[id]).await?.pop();
    let Some(account) = found else { return Ok(Err(finding(field, "unknown_reference", UNKNOWN))) };
    let message = "the bank account has no account of the ledger: change it, and it gets one";
    let code = account.account.ok_or_else(|| finding(field, "account_code_missing", message));
    Ok(code.map(|code| Counted { account, code }))
}

/// A sales document of the company.
pub(super) async fn sale(
    home: &Home<'_, DynTreasuryUnit>,
    id: SalesDocumentId,
) -> Result<Result<SalesDocument, ValidationErrors>, StoreError> {
    let found = ResourceReader::<SalesDocument>::find(home.unit.sales(), home.call.scope, id).await?;
    let found = found.filter(|document| document.company == home.company.id);
    Ok(found.ok_or_else(|| finding("id", "unknown_reference", UNKNOWN)))
}

/// A supplier document of the company.
pub(super) async fn purchase(
    home: &Home<'_, DynTreasuryUnit>,
    id: SupplierDocumentId,
) -> Result<Result<SupplierDocument, ValidationErrors>, StoreError> {
    let documents = home.unit.supplier_documents();
    let found = ResourceReader::<SupplierDocument>::find(documents, home.call.scope, id).await?;
    let found = found.filter(|document| document.company == home.company.id);
    Ok(found.ok_or_else(|| finding("id", "unknown_reference", UNKNOWN)))
}

/// Judges that a part may be booked on an account of the ledger, about a contact.
pub(super) async fn judge_account(
    home: &Home<'_, DynTreasuryUnit>,
    code: AccountCode,
    contact: Option<ContactId>,
) -> Result<Result<(), ValidationErrors>, StoreError> {
    let company = home.company.id;
    let Some(account) = home.unit.ledger().with_codes(company, &[code]).await?.pop() else {
        let message = "the ledger has no account with this code";
        return Ok(Err(finding("accountCode", "unknown_reference", message)));
    };
    if !account.postable || account.status != LedgerStatus::Active {
        let message = "must be an active account with as many digits as those that take entries";
        return Ok(Err(finding("accountCode", "not_postable", message)));
    }
    let banks = home.unit.bank_accounts().of_company(company).await?;
    if banks.iter().any(|bank| bank.account == Some(code)) {
        let message = "it counts a bank account: name that by the type `transfer`";
        return Ok(Err(finding("accountCode", "not_allowed", message)));
    }
    let contacts: Vec<_> = contact.into_iter().collect();
    let found = home.referred::<Contact>(home.unit.contacts(), &contacts).await?;
    if found.len() < contacts.len() {
        return Ok(Err(finding("contactId", "unknown_reference", UNKNOWN)));
    }
    Ok(Ok(()))
}

/// Judges that a line of the journal counts a part of the movement already.
pub(super) async fn judge_line(
    home: &Home<'_, DynTreasuryUnit>,
    movement: &BankMovement,
    counted: &Counted,
    (id, amount): (JournalLineId, Amount),
) -> Result<Result<(), ValidationErrors>, StoreError> {
    let company = home.company.id;
    let found = home.unit.journal().line(home.call.scope, id).await?;
    let Some(line) = found.filter(|line| line.company == company) else {
        return Ok(Err(finding("id", "unknown_reference", UNKNOWN)));
    };
    // Held, so that no other unit of work reverses it meanwhile.
    let entry = home.referred::<Entry>(home.unit.journal(), &[line.entry]).await?.pop();
    let entry = entry.ok_or_else(|| StoreError::backend("the entry of a line is missing"))?;
    let is_posted = matches!(entry.status, EntryStatus::Posted { .. });
    if !is_posted || line.line.account != counted.code {
        let message = "must be a line of a posted entry on the account that counts the bank account";
        return Ok(Err(finding("id", "not_allowed", message)));
    }
    if !line.line.moves(amount) {
        let message = "must be what the line moves";
        return Ok(Err(finding("amount", "amount_differs", message)));
    }
    match entry.source.as_ref() {
        Some(source) if source.kind() == super::entry::PAYMENT => {
            let message = "the line is that of a payment: name that by the type `payment`";
            return Ok(Err(finding("id", "not_allowed", message)));
        }
        Some(source) if source.kind() == super::entry::SOURCE => {
            if is_of(home, source.id(), movement.bank_account).await? {
                return Ok(Err(finding("id", "already_reconciled", "a movement stands against the line")));
            }
        }
        Some(_) | None => {}
    }
    if home.unit.journal().is_matched(company, &[id]).await? {
        return Ok(Err(finding("id", "already_reconciled", "a movement stands against the line")));
    }
    Ok(Ok(()))
}

/// Judges that a transfer was not booked with a movement of the other account, within five days of this one.
pub(super) async fn judge_transfer(
    home: &Home<'_, DynTreasuryUnit>,
    movement: &BankMovement,
    [own, other]: [&Counted; 2],
    amount: Amount,
) -> Result<Result<(), ValidationErrors>, StoreError> {
    let (days, day) = (Duration::days(TRANSFER_DAYS), movement.booking_date);
    let filter = LineFilter {
        companies: vec![home.company.id],
        account: Some(own.code),
        kind: Some(EntryKind::Bank),
        from: day.checked_sub(days),
        to: day.checked_add(days),
        moved: Some(amount),
        ..LineFilter::default()
    };
    let by_day = Sort(Some((LineSort::Date, Direction::Ascending)));
    let page = PageRules::USUAL.page(None, Some(PageRules::USUAL.max)).map_err(StoreError::backend)?;
    let lines = home.unit.journal().lines(home.call.scope, &filter, &by_day, page).await?;
    for line in &lines.items {
        let entry = home.unit.journal().find(home.call.scope, line.entry).await?;
        let source = entry.and_then(|entry| entry.source);
        let line = line.line.id;
        if let Some(source) = source.filter(|source| source.kind() == super::entry::SOURCE)
            && is_of(home, source.id(), other.account.id).await?
            && judge_line(home, movement, own, (line, amount)).await?.is_ok()
        {
            let message = format!("the transfer is booked: name the line {line} by the type `journal_line`");
            return Ok(Err(ValidationErrors::one("id", "transfer_known", message)));
        }
    }
    Ok(Ok(()))
}

/// Whether the movement with this id is one of the account: an entry of another account's may be the other side of a
/// transfer.
async fn is_of(
    home: &Home<'_, DynTreasuryUnit>,
    movement: &str,
    account: BankAccountId,
) -> Result<bool, StoreError> {
    let id: BankMovementId = movement.parse().map_err(StoreError::backend)?;
    let found = home.unit.bank_movements().find(home.call.scope, id).await?;
    Ok(found.is_none_or(|movement| movement.bank_account == account))
}

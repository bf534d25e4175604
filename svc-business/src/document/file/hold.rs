//! Why a file is not deleted.

use svc_core::error::{StoreError, Validator};
use thiserror::Error;
use time::{Date, Month};

use super::{File, FileLink};
use crate::books::entry::{Entry, EntryStatus};
use crate::ports::DynDocumentUnit;
use crate::purchases::document::SupplierDocument;
use crate::record::{Home, Opened};
use crate::sales::document::SalesDocument;
use crate::tax::returns::TaxReturn;

/// Years that books and what proves them are kept, from the last entry of the year (Código de Comercio, article 30).
const YEARS: i32 = 6;

/// Why a file is not deleted.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum FileHold {
    /// It belongs to something that was issued, approved, posted or filed.
    #[error("it belongs to {}, which is to be kept by law", .0.id())]
    Lawful(FileLink),
    /// It is to be kept until a day that has not passed.
    #[error("it is to be kept until {0}")]
    Retained(Date),
    /// People are asked to sign it, or have signed it.
    #[error("people are asked to sign it, or have signed it")]
    Signed,
    /// Another record shows it.
    #[error("another record shows it: take it out of there first")]
    Shown,
}

/// What holds a file, if anything does. Each reason is a question here; what an area above keeps of files refers to them, and
/// that is the last one.
pub(super) async fn of(opened: &Opened<'_, File>) -> Result<Option<FileHold>, StoreError> {
    let (home, file) = (&opened.home, &opened.before);
    if let Some((link, _)) = lawful(home, &file.links).await? {
        return Ok(Some(FileHold::Lawful(link)));
    }
    let today = home.company.local_date(home.call.now);
    if let Some(last) = file.retain_until.filter(|last| *last >= today) {
        return Ok(Some(FileHold::Retained(last)));
    }
    if file.is_of_envelope() || home.unit.files().is_signed(file).await? {
        return Ok(Some(FileHold::Signed));
    }
    Ok(home.unit.files().is_referenced(file).await?.then_some(FileHold::Shown))
}

/// Sees to it that a file is kept for as long as the law wants what it belongs to: a new link makes that longer by itself, and
/// a client may not make it shorter.
pub(super) async fn judge_retention(
    validator: &mut Validator,
    home: &Home<'_, DynDocumentUnit>,
    before: Option<&File>,
    after: &mut File,
) -> Result<(), StoreError> {
    if before.is_some_and(|before| before.links == after.links && before.retain_until == after.retain_until) {
        return Ok(());
    }
    let Some((link, last)) = lawful(home, &after.links).await? else { return Ok(()) };
    let is_kept = after.retain_until.is_some_and(|kept| kept >= last);
    let is_said =
        before.map_or(after.retain_until.is_some(), |before| before.retain_until != after.retain_until);
    if is_said {
        let message = format!("must not be before {last}, until when {} is to be kept by law", link.id());
        validator.require(is_kept, "retainUntil", "out_of_range", message);
    } else if !is_kept {
        after.retain_until = Some(last);
    }
    Ok(())
}

/// The link whose record is to be kept longest by law, with the last day of that.
async fn lawful(
    home: &Home<'_, DynDocumentUnit>,
    links: &[FileLink],
) -> Result<Option<(FileLink, Date)>, StoreError> {
    let (unit, scope) = (home.unit, home.call.scope);
    let (mut sold, mut bought, mut entered, mut declared) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for link in links {
        match link {
            FileLink::Invoice(id) => sold.push(*id),
            FileLink::SupplierDocument(id) => bought.push(*id),
            FileLink::JournalEntry(id) => entered.push(*id),
            FileLink::TaxReturn(id) => declared.push(*id),
            FileLink::Contact(_)
            | FileLink::Case(_)
            | FileLink::Supplier(_)
            | FileLink::FixedAsset(_)
            | FileLink::BankAccount(_)
            | FileLink::BankMovement(_)
            | FileLink::Notice(_)
            | FileLink::Envelope(_) => {}
        }
    }
    let mut kept = Vec::new();
    if !sold.is_empty() {
        let found: Vec<SalesDocument> = unit.sales().find_all(scope, &sold).await?;
        let issued = |document: &SalesDocument| {
            document.issue_data().map(|issue| (FileLink::Invoice(document.id), issue.issue_date))
        };
        kept.extend(found.iter().filter_map(issued));
    }
    if !bought.is_empty() {
        let found: Vec<SupplierDocument> = unit.supplier_documents().find_all(scope, &bought).await?;
        let approved = |document: &SupplierDocument| {
            let approval = document.approval_data()?;
            Some((FileLink::SupplierDocument(document.id), approval.accounting_date))
        };
        kept.extend(found.iter().filter_map(approved));
    }
    if !entered.is_empty() {
        let found: Vec<Entry> = unit.journal().find_all(scope, &entered).await?;
        let posted = |entry: &Entry| {
            let posted = matches!(entry.status, EntryStatus::Posted { .. });
            posted.then_some((FileLink::JournalEntry(entry.id), entry.date))
        };
        kept.extend(found.iter().filter_map(posted));
    }
    if !declared.is_empty() {
        let found: Vec<TaxReturn> = unit.tax_returns().find_all(scope, &declared).await?;
        let filed = |of: &TaxReturn| {
            let submission = of.submission.as_ref().filter(|_| of.status.is_filed())?;
            Some((FileLink::TaxReturn(of.id), home.company.local_date(submission.at)))
        };
        kept.extend(found.iter().filter_map(filed));
    }
    Ok(kept.into_iter().max_by_key(|(_, date)| *date).map(|(link, date)| (link, last_day(date))))
}

/// The last day on which something of this day is to be kept: its year may end with December.
fn last_day(date: Date) -> Date {
    let year = date.year().saturating_add(YEARS);
    Date::from_calendar_date(year, Month::December, 31).unwrap_or(Date::MAX)
}

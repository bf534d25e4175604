//! Changing and deleting a document.

use svc_core::error::Validator;
use svc_core::refused::Refused;

use super::SalesRefused;
use super::bookkeeping;
use super::create::drafted;
use super::reference::judge;
use crate::catalogue::event;
use crate::record::Opened;
use crate::sales::document::{SalesDocument, State};
use crate::sales::history::{HistoryKind, note};
use crate::sales::input::SalesDocumentInput;
use crate::sales::rules::amend;

/// Applies a merge patch: to a draft as a whole, to an issued document by what may still change. A patch that changes
/// nothing keeps the version and emits nothing; any other emits invoice.update; what the
/// document opened in the books is due on the same day, which emits `journal_entry.update`.
///
/// # Errors
/// [`Refused`] with [`SalesRefused::Amend`]; nothing was changed.
pub async fn update(
    opened: Opened<'_, SalesDocument>,
    input: SalesDocumentInput,
) -> Result<SalesDocument, Refused<SalesRefused>> {
    let (home, before) = (&opened.home, &opened.before);
    let writes_masked = !home.call.access.is_full() && !input.iban.is_absent();
    let counted = before.clone().counted_in(home.company.base_currency);
    let after = if before.state() == State::Draft {
        drafted(home, &counted, &input, false).await?
    } else {
        let mut validator = Validator::new();
        let after = amend(&mut validator, before, &input);
        let after = after.map_err(|refused| Refused::Own(SalesRefused::from(refused)))?;
        judge(&mut validator, home, before, &after, None).await?;
        validator.finish()?;
        after
    };
    if after == counted && !writes_masked {
        return Ok(before.clone());
    }
    if let (Some(was), Some(issue)) = (before.issue_data(), after.issue_data())
        && was.due_date != issue.due_date
        && issue.journal_entry.is_some()
    {
        bookkeeping::open(home).await?.put_off(issue.journal_entry, issue.due_date).await?;
    }
    let after = opened.save_unseen(after).await?;
    note(home, &after, HistoryKind::Updated, None).await?;
    Ok(after)
}

/// Erases a draft that was opened [alone](crate::record::alone). Emits invoice.delete.
///
/// # Errors
/// [`Refused`] with [`SalesRefused::State`]; nothing was changed.
pub async fn delete(opened: Opened<'_, SalesDocument>) -> Result<(), Refused<SalesRefused>> {
    let (home, document) = (&opened.home, &opened.before);
    document.judge_delete().map_err(|wrong| Refused::Own(wrong.into()))?;
    home.unit.sales().erase(home.call.scope, document).await?;
    Ok(home.publish(const { event("invoice.delete") }, document, None).await?)
}

//! Changing, closing and reopening a case, and adding notes to it.

use svc_core::error::Validator;
use svc_core::refused::Refused;
use thiserror::Error;

use crate::case::rules::{apply, refer};
use crate::case::timeline::append;
use crate::case::{Case, CaseInput, CaseStatus, CloseRequest, EntryKind, link};
use crate::party::paragraph;
use crate::record::Opened;

/// The case is closed: it changes only by being reopened.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the case is closed: reopen it first")]
pub struct CaseClosed;

/// The case is not closed.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the case is {}", .status.name())]
pub struct NotClosed {
    /// Where it is in its life.
    pub status: CaseStatus,
}

/// Applies a merge patch. One that changes nothing keeps the version and emits nothing; any other emits
/// case.update.
///
/// # Errors
/// [`Refused`] with [`CaseClosed`]; nothing was changed.
pub async fn update(opened: Opened<'_, Case>, input: CaseInput) -> Result<Case, Refused<CaseClosed>> {
    let (home, before) = (&opened.home, &opened.before);
    if before.status.is_closed() {
        return Err(Refused::Own(CaseClosed));
    }
    let mut validator = Validator::new();
    let mut after = apply(&mut validator, before, &input, home.company.base_currency, false);
    refer(&mut validator, home, &mut after, &input, false).await?;
    link::refer(&mut validator, home, &before.links, &after).await?;
    validator.finish()?;
    if after == *before {
        return Ok(after);
    }
    keep(&opened, after, EntryKind::Updated, None).await
}

/// Closes a case with its outcome, today by the company's calendar. Emits case.update.
///
/// # Errors
/// [`Refused`] with [`CaseClosed`]; nothing was changed.
pub async fn close(opened: Opened<'_, Case>, request: CloseRequest) -> Result<Case, Refused<CaseClosed>> {
    if opened.before.status.is_closed() {
        return Err(Refused::Own(CaseClosed));
    }
    let mut validator = Validator::new();
    let note = request.note.and_then(|text| paragraph(&mut validator, "note", &text));
    validator.finish()?;
    let on = opened.home.company.local_date(opened.home.call.now);
    let status = CaseStatus::Closed { outcome: request.outcome, on };
    let after = Case { status, ..opened.before.clone() };
    keep(&opened, after, EntryKind::Closed, note).await
}

/// Opens a closed case again. Emits case.update.
///
/// # Errors
/// [`Refused`] with [`NotClosed`]; nothing was changed.
pub async fn reopen(opened: Opened<'_, Case>) -> Result<Case, Refused<NotClosed>> {
    let status = opened.before.status;
    if !status.is_closed() {
        return Err(Refused::Own(NotClosed { status }));
    }
    let after = Case { status: CaseStatus::Open, ..opened.before.clone() };
    keep(&opened, after, EntryKind::Reopened, None).await
}

/// Adds a note to the timeline of a case, closed or not. Emits case.update.
///
/// # Errors
/// [`Refused`]; nothing was changed.
pub async fn note(opened: Opened<'_, Case>, text: &str) -> Result<Case, Refused> {
    let mut validator = Validator::new();
    let text = paragraph(&mut validator, "text", text);
    validator.finish()?;
    keep(&opened, opened.before.clone(), EntryKind::Note, text).await
}

/// Saves the case with one more entry in its timeline.
async fn keep<E>(
    opened: &Opened<'_, Case>,
    after: Case,
    kind: EntryKind,
    text: Option<String>,
) -> Result<Case, Refused<E>> {
    let entries = opened.before.entries.saturating_add(1);
    let after = opened.save(Case { entries, ..after }).await?;
    append(&opened.home, &after, kind, text).await?;
    Ok(after)
}

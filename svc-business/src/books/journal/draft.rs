//! Writing, changing, posting and deleting entries by hand.

use svc_core::error::{ValidationErrors, Validator};
use svc_core::refused::Refused;
use thiserror::Error;

use super::rules::{apply, known_accounts, refer};
use super::{EntryInput, Posting, entry_of};
use crate::books::book;
use crate::books::entry::{ChangeRefused, Entry, EntryKind, EntryStatus, PostRefused, judge_draft};
use crate::catalogue::event;
use crate::ports::DynBooksUnit;
use crate::record::{Home, Opened};

/// Why an entry is not changed, posted or deleted.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EntryRefused {
    /// It cannot be changed or deleted.
    #[error(transparent)]
    Change(#[from] ChangeRefused),
    /// It cannot be posted.
    #[error(transparent)]
    Post(#[from] PostRefused),
}

/// Writes an entry, and posts it where the input asks for that. Emits `journal_entry.create`, and `journal_entry.post`.
///
/// # Errors
/// [`Refused`] with [`EntryRefused`]; nothing was added.
pub async fn create(
    home: &Home<'_, DynBooksUnit>,
    input: EntryInput,
) -> Result<Entry, Refused<EntryRefused>> {
    let posts = input.post;
    let entry = drafted(home, input).await.map_err(Refused::widen)?;
    if !posts {
        return home.add(entry).await;
    }
    let mut posting = Posting::open(home, &[entry.date]).await.map_err(own)?;
    let posted = posting.add(entry).await.map_err(own)?;
    posting.finish().await?;
    Ok(posted)
}

/// A new draft of a client's input, which is not kept yet.
pub(super) async fn drafted(home: &Home<'_, DynBooksUnit>, input: EntryInput) -> Result<Entry, Refused> {
    let today = home.company.local_date(home.call.now);
    let blank = entry_of(home, EntryKind::Manual, today, String::new(), []);
    let mut validator = Validator::new();
    let entry = apply(&mut validator, &blank, input, home.call, true);
    judge(&mut validator, home, &blank, &entry).await?;
    validator.finish()?;
    Ok(entry)
}

async fn judge(
    validator: &mut Validator,
    home: &Home<'_, DynBooksUnit>,
    before: &Entry,
    after: &Entry,
) -> Result<(), Refused> {
    let subledger = book::find(home).await?.subledger;
    let accounts = known_accounts(home, subledger, after).await?;
    judge_draft(validator, after, &accounts);
    Ok(refer(validator, home, before, after).await?)
}

/// Applies a merge patch. A posted entry changes only by description, reference, external id and metadata. A patch
/// that changes nothing keeps the version and emits nothing; any other emits `journal_entry.update`.
///
/// # Errors
/// [`Refused`] with [`EntryRefused::Change`]; nothing was changed.
pub async fn update(opened: Opened<'_, Entry>, input: EntryInput) -> Result<Entry, Refused<EntryRefused>> {
    let (home, before) = (&opened.home, &opened.before);
    if input.post {
        let message = "an entry is posted with POST …/post";
        return Err(ValidationErrors::one("post", "read_only_field", message).into());
    }
    let moves = !(input.date.is_absent()
        && input.currency.is_absent()
        && input.fx_rate.is_absent()
        && input.lines.is_absent()
        && input.tax_tags.is_absent());
    if moves {
        before.judge_change().map_err(|refused| Refused::Own(refused.into()))?;
    }
    let mut validator = Validator::new();
    let after = apply(&mut validator, before, input, home.call, false);
    if moves {
        judge(&mut validator, home, before, &after).await.map_err(Refused::widen)?;
    }
    validator.finish()?;
    opened.save(after).await
}

/// Posts a draft: it gets the next number of its fiscal year. Emits `journal_entry.post`.
///
/// # Errors
/// [`Refused`] with [`PostRefused`]; nothing was changed.
pub async fn post(opened: Opened<'_, Entry>) -> Result<Entry, Refused<EntryRefused>> {
    let (home, draft) = (&opened.home, opened.before);
    if draft.status != EntryStatus::Draft {
        return Err(Refused::Own(PostRefused::Posted.into()));
    }
    let mut posting = Posting::open(home, &[draft.date]).await.map_err(own)?;
    let posted = posting.post(draft).await.map_err(own)?;
    posting.finish().await?;
    Ok(posted)
}

/// Erases a draft that was written by hand. Emits `journal_entry.delete`.
///
/// # Errors
/// [`Refused`] with [`ChangeRefused`]; nothing was changed.
pub async fn delete(opened: Opened<'_, Entry>) -> Result<(), Refused<EntryRefused>> {
    let (home, entry) = (&opened.home, &opened.before);
    entry.judge_change().map_err(|refused| Refused::Own(refused.into()))?;
    home.unit.journal().erase(home.call.scope, entry).await?;
    Ok(home.publish(const { event("journal_entry.delete") }, entry, None).await?)
}

fn own(refused: Refused<PostRefused>) -> Refused<EntryRefused> {
    refused.map(EntryRefused::Post)
}

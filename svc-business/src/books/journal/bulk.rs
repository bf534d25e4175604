//! Many entries at once: all of them or none.

use svc_core::error::{ValidationErrors, Validator};
use svc_core::refused::Refused;
use svc_core::wire::Form;
use svc_core::wire_request;

use super::draft::{EntryRefused, drafted};
use super::{EntryInput, Posting};
use crate::books::entry::{Entry, PostRefused};
use crate::ports::DynBooksUnit;
use crate::record::Home;

/// Most entries of a request.
const MOST_ENTRIES: usize = 200;
/// Most lines of all entries of a request.
const MOST_LINES: usize = 5_000;

wire_request! {
    /// Entries that are written together.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct BulkRequest as "JournalEntryBulk" {
        /// At most 200, with 5,000 lines together.
        pub entries: Vec<EntryInput> => Form::list(1, 200, &Form::ANY),
    }
}

/// Writes these entries, and posts those that ask for it, all of them or none. Emits what each of them would.
///
/// # Errors
/// [`Refused`] with [`EntryRefused`], findings named `entries[3].lines[0].accountCode`; nothing was added.
pub async fn create_all(
    home: &Home<'_, DynBooksUnit>,
    request: BulkRequest,
) -> Result<Vec<Entry>, Refused<EntryRefused>> {
    let mut validator = Validator::new();
    let (count, lines) = (request.entries.len(), request.entries.iter().map(lines).sum::<usize>());
    validator.require(count > 0, "entries", "required", "must have one entry at least");
    let message = format!("must have at most {MOST_ENTRIES} entries");
    validator.require(count <= MOST_ENTRIES, "entries", "too_many", message);
    let message = format!("must have at most {MOST_LINES} lines together");
    validator.require(lines <= MOST_LINES, "entries", "too_many", message);
    validator.finish()?;
    let mut drafts = Vec::with_capacity(count);
    let mut validator = Validator::new();
    for (at, input) in request.entries.into_iter().enumerate() {
        let posts = input.post;
        match drafted(home, input).await {
            Ok(entry) => drafts.push((entry, posts)),
            Err(Refused::Invalid(invalid)) => validator.nest(&format!("entries[{at}]"), invalid),
            Err(refused) => return Err(refused.widen()),
        }
    }
    validator.finish()?;
    let dates: Vec<_> = drafts.iter().filter(|(_, posts)| *posts).map(|(entry, _)| entry.date).collect();
    let mut posting = match dates.as_slice() {
        [] => None,
        dates => Some(Posting::open(home, dates).await.map_err(|refused| refused.map(EntryRefused::Post))?),
    };
    let mut written = Vec::with_capacity(count);
    for (at, (entry, posts)) in drafts.into_iter().enumerate() {
        written.push(match &mut posting {
            Some(posting) if posts => posting.add(entry).await.map_err(|refused| in_entry(at, refused))?,
            Some(_) | None => home.add(entry).await?,
        });
    }
    if let Some(posting) = posting {
        posting.finish().await?;
    }
    Ok(written)
}

fn lines(input: &EntryInput) -> usize {
    input.lines.as_ref().value().map_or(0, Vec::len)
}

fn in_entry(at: usize, refused: Refused<PostRefused>) -> Refused<EntryRefused> {
    refused.map(|own| {
        let PostRefused::Invalid(invalid) = own else { return own.into() };
        let mut validator = Validator::new();
        validator.nest(&format!("entries[{at}]"), invalid);
        PostRefused::Invalid(validator.finish().err().unwrap_or(ValidationErrors(Vec::new()))).into()
    })
}

//! Undoing a posted entry by another one.

use svc_core::error::Validator;
use svc_core::refused::Refused;
use svc_core::wire::Form;
use svc_core::wire_request;

use super::Posting;
use crate::books::entry::{Entry, EntryKind, EntryStatus, ReverseRefused};
use crate::party::{calendar_date, line};
use crate::record::Opened;

wire_request! {
    /// How an entry is undone.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct ReverseRequest as "JournalEntryReverse" {
        /// The day on which the reversal counts; today when left out.
        pub date: Option<String> => Form::DATE,
        /// What it is about; that of the entry when left out.
        pub description: Option<String> => Form::text(1, 500).example("Anulado: importe equivocado"),
    }
}

/// Reverses a posted entry that was opened [alone](crate::record::alone), today unless another day is named; answers the
/// reversal. Emits `journal_entry.create` and `journal_entry.post` for the reversal, and `journal_entry.update` for the
/// entry.
///
/// # Errors
/// [`Refused`] with [`ReverseRefused`]; nothing was changed.
pub async fn reverse(
    opened: Opened<'_, Entry>,
    request: ReverseRequest,
) -> Result<Entry, Refused<ReverseRefused>> {
    let (home, entry) = (&opened.home, opened.before);
    match entry.status {
        EntryStatus::Draft => return Err(Refused::Own(ReverseRefused::Draft)),
        EntryStatus::Reversed { by, .. } => return Err(Refused::Own(ReverseRefused::Reversed { by })),
        EntryStatus::Posted { .. } => {}
    }
    if entry.closes_year || entry.opens_year {
        return Err(Refused::Own(ReverseRefused::OfYear));
    }
    if matches!(entry.kind, EntryKind::Depreciation | EntryKind::Disposal) {
        return Err(Refused::Own(ReverseRefused::OfAsset));
    }
    let mut validator = Validator::new();
    let date = request.date.and_then(|text| calendar_date(&mut validator, "date", &text));
    let description = request.description.and_then(|text| line(&mut validator, "description", &text, 500));
    validator.finish()?;
    let date = date.unwrap_or_else(|| home.company.local_date(home.call.now));
    let posting = Posting::open(home, &[date]).await;
    let mut posting = posting.map_err(|refused| refused.map(ReverseRefused::Post))?;
    let (_, reversal) = posting.reverse(entry, date, description).await?;
    posting.finish().await?;
    Ok(reversal)
}

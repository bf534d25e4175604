//! Entries from their parts.

use time::Date;

use super::JournalSetting;
use super::effect::Effect;
use crate::books::entry::{Entry, EntryKind, FxRate, Source};
use crate::invoicing::journal;
use crate::sales::document::SalesDocument;

/// What an entry says of itself.
pub(super) struct Heading {
    pub(super) kind: EntryKind,
    pub(super) date: Date,
    pub(super) fx_rate: FxRate,
    pub(super) source: Source,
}

/// The draft of an entry; `None` when it moves nothing.
pub(super) fn build(
    document: &SalesDocument,
    heading: Heading,
    effect: Effect,
    setting: &JournalSetting<'_>,
) -> Option<Entry> {
    let customer = document.issue_data().and_then(|issue| issue.customer.as_ref());
    let heading = journal::Heading {
        company: document.company,
        kind: heading.kind,
        date: heading.date,
        base_currency: document.base_currency,
        currency: document.content.currency(),
        fx_rate: heading.fx_rate,
        source: heading.source,
        reference: document.issue_data().map(|issue| issue.number.to_string()),
        name: customer.map(|customer| customer.name.clone()).unwrap_or_default(),
    };
    journal::build(heading, &effect.parts, effect.tags, &setting.ids)
}

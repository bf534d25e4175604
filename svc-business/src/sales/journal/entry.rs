//! Entries from their parts.

use std::collections::BTreeMap;

use svc_core::money::{Amount, MoneyError};
use svc_core::resource::Version;
use time::Date;

use super::JournalSetting;
use super::effect::{Effect, Part};
use crate::books::entry::{Entry, EntryKind, EntryStatus, FxRate, Line, Movement, Source};
use crate::party::Extension;
use crate::sales::document::SalesDocument;

/// Most characters of a description.
const MOST_TEXT: usize = 500;

/// What an entry says of itself.
pub(super) struct Heading {
    pub(super) kind: EntryKind,
    pub(super) date: Date,
    pub(super) fx_rate: FxRate,
    pub(super) source: (&'static str, String, &'static str),
}

/// The draft of an entry; `None` when it moves nothing.
pub(super) fn build(
    document: &SalesDocument,
    heading: Heading,
    effect: Effect,
    setting: &JournalSetting<'_>,
) -> Option<Entry> {
    let foreign = document.content.currency() != document.base_currency;
    let lines: Vec<_> = effect.parts.iter().filter_map(|part| line(part, foreign, setting)).collect();
    if lines.len() < 2 {
        return None;
    }
    let (kind, id, role) = heading.source;
    let number = document.issue_data().map(|issue| issue.number.to_string());
    let customer = document.issue_data().and_then(|issue| issue.customer.as_ref());
    let name = customer.map(|customer| customer.name.as_str()).unwrap_or_default();
    let description = format!("{} {name}", number.as_deref().unwrap_or_default());
    Some(Entry {
        id: setting.ids.make(),
        company: document.company,
        kind: heading.kind,
        date: heading.date,
        description: description.trim().chars().take(MOST_TEXT).collect(),
        reference: number,
        base_currency: document.base_currency,
        currency: document.content.currency(),
        fx_rate: heading.fx_rate,
        lines,
        tax_tags: effect.tags,
        source: Some(Source::new(kind, &id, role).expect("ids and names are plain")),
        reverses: None,
        closes_year: false,
        status: EntryStatus::Draft,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: setting.ids.now,
        updated_at: setting.ids.now,
    })
}

fn line(part: &Part, foreign: bool, setting: &JournalSetting<'_>) -> Option<Line> {
    let movement = Movement::of_balance(part.base)?;
    // Rounding may leave a cent on the other side: in the currency of the document that is nothing.
    let turned = part.foreign.negated().minor().signum() == part.base.minor().signum();
    let amount = if turned { Amount::zero(part.foreign.currency()) } else { part.foreign };
    Some(Line {
        id: setting.ids.make(),
        account: part.account,
        movement,
        amount_currency: foreign.then_some(amount),
        contact: part.contact,
        posted_contact: None,
        description: None,
        due_date: part.due_date,
        dimensions: BTreeMap::new(),
    })
}

/// What brings the parts of a payment to zero: the gain or the loss of a rate of exchange.
pub(super) fn difference(document: &SalesDocument, parts: &[Part]) -> Result<Amount, MoneyError> {
    Ok(Amount::sum(parts.iter().map(|part| part.base), document.base_currency)?.negated())
}

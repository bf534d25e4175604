//! Entries of documents and payments from their parts.

use std::collections::BTreeMap;

use svc_core::id::{AccountId, ContactId};
use svc_core::money::{Amount, Currency, MoneyError};
use svc_core::resource::Version;
use time::Date;

use super::Ids;
use crate::books::account::AccountCode;
use crate::books::default_accounts::Purpose;
use crate::books::entry::{Entry, EntryKind, EntryStatus, FxRate, Line, Movement, Source, TaxTag};
use crate::contact::PaymentMethod;
use crate::party::Extension;

/// Most characters of a description.
const MOST_TEXT: usize = 500;

/// What moves on one account: debit minus credit, as all amounts here.
#[derive(Clone, Debug)]
pub(crate) struct Part<R> {
    /// What it is in the document.
    pub(crate) role: R,
    pub(crate) account: AccountCode,
    pub(crate) contact: Option<ContactId>,
    pub(crate) due_date: Option<Date>,
    /// In the currency of the document.
    pub(crate) foreign: Amount,
    /// In that of the books.
    pub(crate) base: Amount,
}

/// What an entry says of itself.
pub(crate) struct Heading {
    pub(crate) company: AccountId,
    pub(crate) kind: EntryKind,
    pub(crate) date: Date,
    pub(crate) base_currency: Currency,
    /// That of the document.
    pub(crate) currency: Currency,
    pub(crate) fx_rate: FxRate,
    /// What makes the entry.
    pub(crate) source: Source,
    /// The number of the document.
    pub(crate) reference: Option<String>,
    /// The name of the other party; may be empty.
    pub(crate) name: String,
}

impl<R> Part<R> {
    /// With the sign of both amounts turned.
    pub(crate) fn negated(self) -> Self {
        Self { foreign: self.foreign.negated(), base: self.base.negated(), ..self }
    }
}

/// Parts of one role, account and contact as one, in the order of the first of them.
pub(crate) fn join<R: Copy + PartialEq>(parts: Vec<Part<R>>) -> Result<Vec<Part<R>>, MoneyError> {
    let mut joined = Vec::<Part<R>>::new();
    for part in parts {
        let same = |known: &&mut Part<R>| {
            (known.role, known.account, known.contact) == (part.role, part.account, part.contact)
        };
        match joined.iter_mut().find(same) {
            Some(known) => {
                known.foreign = known.foreign.plus(part.foreign)?;
                known.base = known.base.plus(part.base)?;
            }
            None => joined.push(part),
        }
    }
    Ok(joined)
}

/// Puts the cents by which two sides differ after each part was converted on the largest part of `first`; on that of
/// `second` where there is none.
pub(crate) fn settle<R: Copy + PartialEq>(
    parts: &mut [Part<R>],
    base_currency: Currency,
    first: R,
    second: R,
) -> Result<(), MoneyError> {
    let missing = difference(parts, base_currency)?;
    if missing.minor() == 0 {
        return Ok(());
    }
    let size = |part: &Part<R>| part.base.minor().unsigned_abs();
    let most = |role| parts.iter().filter(|part| part.role == role).map(size).max().unwrap_or(0);
    let (role, most) = if most(first) > 0 { (first, most(first)) } else { (second, most(second)) };
    if let Some(part) = parts.iter_mut().find(|part| part.role == role && size(part) == most) {
        part.base = part.base.plus(missing)?;
    }
    Ok(())
}

/// What brings the parts to zero.
pub(crate) fn difference<R>(parts: &[Part<R>], base_currency: Currency) -> Result<Amount, MoneyError> {
    Ok(Amount::sum(parts.iter().map(|part| part.base), base_currency)?.negated())
}

/// What a change of the rate of exchange is, by what it adds to the entry; `None` for nothing.
pub(crate) fn exchange(difference: Amount) -> Option<Purpose> {
    match difference.minor() {
        0 => None,
        ..0 => Some(Purpose::FxGain),
        1.. => Some(Purpose::FxLoss),
    }
}

/// The account on which money is counted that went through no bank account that is known: cash, or what is not explained
/// yet.
pub(crate) fn money_purpose(method: PaymentMethod) -> Purpose {
    if method == PaymentMethod::Cash { Purpose::Cash } else { Purpose::Suspense }
}

/// What makes an entry: the kind of record, its id, and which of its entries this is.
pub(crate) fn made_by(kind: &str, id: &impl ToString, role: &str) -> Source {
    Source::new(kind, &id.to_string(), role).expect("ids and names are plain")
}

/// The draft of an entry; `None` when it moves nothing.
pub(crate) fn build<R>(
    heading: Heading,
    parts: &[Part<R>],
    tax_tags: Vec<TaxTag>,
    ids: &Ids<'_>,
) -> Option<Entry> {
    let foreign = heading.currency != heading.base_currency;
    let lines: Vec<_> = parts.iter().filter_map(|part| line(part, foreign, ids)).collect();
    if lines.len() < 2 {
        return None;
    }
    let description = format!("{} {}", heading.reference.as_deref().unwrap_or_default(), heading.name);
    Some(Entry {
        id: ids.make(),
        company: heading.company,
        kind: heading.kind,
        date: heading.date,
        description: description.trim().chars().take(MOST_TEXT).collect(),
        reference: heading.reference,
        base_currency: heading.base_currency,
        currency: heading.currency,
        fx_rate: heading.fx_rate,
        lines,
        tax_tags,
        source: Some(heading.source),
        reverses: None,
        closes_year: false,
        opens_year: false,
        status: EntryStatus::Draft,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: ids.now,
        updated_at: ids.now,
    })
}

fn line<R>(part: &Part<R>, foreign: bool, ids: &Ids<'_>) -> Option<Line> {
    let movement = Movement::of_balance(part.base)?;
    // Rounding may leave a cent on the other side: in the currency of the document that is nothing.
    let turned = part.foreign.negated().minor().signum() == part.base.minor().signum();
    let amount = if turned { Amount::zero(part.foreign.currency()) } else { part.foreign };
    Some(Line {
        id: ids.make(),
        account: part.account,
        movement,
        amount_currency: foreign.then_some(amount),
        contact: part.contact,
        posted_contact: None,
        description: None,
        due_date: part.due_date,
        posted_due_date: None,
        dimensions: BTreeMap::new(),
    })
}

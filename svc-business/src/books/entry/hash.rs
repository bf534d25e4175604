//! The hash of a posted entry, and the text that it is made of.

use std::fmt;
use std::fmt::Write as _;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};
use svc_core::hex::{self, Hex};
use svc_core::money::Amount;
use thiserror::Error;

use super::{Entry, Line, Particulars, Posting, TaxTag};

/// A SHA-256 over [`canonical_text`]: 64 lower-case hexadecimal digits on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct EntryHash([u8; 32]);

/// Not the hash of an entry.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("expected 64 lower-case hexadecimal digits")]
pub struct EntryHashError;

impl EntryHash {
    /// Wraps a stored hash.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The stored form.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The hash of an entry that is posted in this way; the hash in `posting` is not looked at.
    #[must_use]
    pub fn of(entry: &Entry, posting: &Posting) -> Self {
        Self(Sha256::digest(canonical_text(entry, posting)).into())
    }
}

impl fmt::Display for EntryHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Hex(&self.0), f)
    }
}

impl fmt::Debug for EntryHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for EntryHash {
    type Err = EntryHashError;

    fn from_str(text: &str) -> Result<Self, EntryHashError> {
        hex::decode(text).map(Self).ok_or(EntryHashError)
    }
}

/// The text of a posted entry's effect, from which its hash is made.
///
/// Each fact is a line `name: value` that ends with a line feed; the first line says the version of this form. Facts
/// stand in the order in which they are written below, lines and tags in theirs; one that is missing is `-`. Dates are
/// `YYYY-MM-DD`, the instant of posting is Unix microseconds, amounts are decimal strings, and movements are debit
/// minus credit. Free texts are JSON strings, so that no text can pass for another fact:
///
/// ```text
/// journal-entry: 1
/// company: acc_…
/// year: fyr_…
/// number: 12
/// previous: 64 hexadecimal digits, or -
/// id: jen_…
/// kind: sales
/// date: 2025-01-31
/// currency: EUR EUR 1
/// source: invoice/inv_…/issue
/// reverses: -
/// posted: 1738314900123456 usr_…
/// line: jln_… 4300000 1210.00 - con_… 2025-03-02 -
/// dimension: "project" "roof"
/// tag: vat_output es_vat_21 1000.00 210.00 - 2025-01-31 con_…
/// particulars: E5 services 2024-12-31
/// ```
///
/// A tag without particulars has no line of them. Description, reference and files are not in it, because they can be changed after posting; nor is what a reversal
/// marks on the entry. Contacts are those of the day of posting, whatever they were merged into since.
#[must_use]
pub fn canonical_text(entry: &Entry, posting: &Posting) -> String {
    let mut text = String::new();
    // Writing into a string does not fail.
    let _ = write_entry(&mut text, entry, posting);
    text
}

fn write_entry(text: &mut String, entry: &Entry, posting: &Posting) -> fmt::Result {
    writeln!(text, "journal-entry: 1")?;
    writeln!(text, "company: {}", entry.company)?;
    writeln!(text, "year: {}", posting.year)?;
    writeln!(text, "number: {}", posting.number)?;
    writeln!(text, "previous: {}", or_dash(posting.previous_hash))?;
    writeln!(text, "id: {}", entry.id)?;
    writeln!(text, "kind: {}", entry.kind)?;
    writeln!(text, "date: {}", entry.date)?;
    writeln!(text, "currency: {} {} {}", entry.base_currency, entry.currency, entry.fx_rate)?;
    writeln!(text, "source: {}", or_dash(entry.source.as_ref()))?;
    writeln!(text, "reverses: {}", or_dash(entry.reverses))?;
    writeln!(text, "posted: {} {}", posting.at.unix_micros(), or_dash(posting.by))?;
    entry.lines.iter().try_for_each(|line| write_line(text, line))?;
    entry.tax_tags.iter().try_for_each(|tag| write_tag(text, tag))
}

fn write_line(text: &mut String, line: &Line) -> fmt::Result {
    let Line {
        id,
        account,
        movement,
        amount_currency,
        posted_contact,
        description,
        due_date,
        posted_due_date,
        dimensions,
        ..
    } = line;
    let foreign = or_dash(amount_currency.map(in_currency));
    let (contact, due) = (or_dash(*posted_contact), or_dash(posted_due_date.or(*due_date)));
    let description = or_dash(description.as_deref().map(quoted));
    writeln!(text, "line: {id} {account} {} {foreign} {contact} {due} {description}", movement.signed())?;
    dimensions
        .iter()
        .try_for_each(|(name, value)| writeln!(text, "dimension: {} {}", quoted(name), quoted(value)))
}

fn write_tag(text: &mut String, tag: &TaxTag) -> fmt::Result {
    let TaxTag {
        kind, tax_code, base, quota, deductible_quota, tax_date, particulars, posted_contact, ..
    } = tag;
    let (deductible, contact) = (or_dash(*deductible_quota), or_dash(*posted_contact));
    writeln!(text, "tag: {kind} {tax_code} {base} {quota} {deductible} {tax_date} {contact}")?;
    if *particulars == Particulars::default() {
        return Ok(());
    }
    let Particulars { exemption, supply, rectifies } = particulars;
    writeln!(text, "particulars: {} {} {}", or_dash(*exemption), or_dash(*supply), or_dash(*rectifies))
}

fn or_dash(fact: Option<impl fmt::Display>) -> String {
    fact.map_or_else(|| "-".to_owned(), |fact| fact.to_string())
}

fn in_currency(amount: Amount) -> String {
    format!("{amount}{}", amount.currency())
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

//! What returns are computed from: the tags of posted entries, as facts that forms know (specification, domain part 9.4).
//!
//! Returns read tags and nothing else, so what they declare is what the books say. A fact keeps the place of its tag, by
//! which a box leads back to it.

mod party;
#[cfg(test)]
mod tests;
mod treatment;

use std::collections::{BTreeMap, BTreeSet};

use rust_decimal::Decimal;
use svc_core::id::{ContactId, JournalEntryId};
use svc_core::money::Amount;
use svc_tax_forms::{FactKind, Party, Rectifies, Reference, TaxFact, Treatment, WithholdingKey};

pub use self::party::party;
use self::treatment::treatment;
use crate::books::entry::{TagKind, TaxTag};
use crate::books::report::TaggedEntry;
use crate::trade::{Rate, Supply, TaxCode};

/// Tags in an order of their own, which gives each a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(Vec<TaggedEntry>);

/// What tags come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// A fact for each tag that is known.
    pub facts: Vec<TaxFact>,
    /// Tags of taxes that no table has.
    pub unknown: Vec<Reference>,
}

impl From<Vec<TaggedEntry>> for Tags {
    fn from(mut tags: Vec<TaggedEntry>) -> Self {
        let order = |one: &TaggedEntry| {
            let tag = &one.tag;
            let amounts = (tag.base.minor(), tag.quota.minor());
            (tag.tax_date, one.date, one.number, one.entry, tag.kind.name(), tag.tax_code.clone(), amounts)
        };
        tags.sort_by_cached_key(order);
        Self(tags)
    }
}

impl Tags {
    /// The tag behind a fact.
    #[must_use]
    pub fn get(&self, reference: &Reference) -> Option<&TaggedEntry> {
        self.0.get(reference.0.parse::<usize>().ok()?)
    }

    /// The contacts that they are with, each once.
    #[must_use]
    pub fn contacts(&self) -> BTreeSet<ContactId> {
        self.0.iter().filter_map(|one| one.tag.contact).collect()
    }

    /// What they come to, with these parties.
    #[must_use]
    pub fn read(&self, parties: &BTreeMap<ContactId, Party>) -> Read {
        let withheld = self.withheld();
        let mut read = Read::default();
        for (at, one) in self.0.iter().enumerate() {
            let reference = Reference(format!("{at:09}"));
            let party = one.tag.contact.and_then(|contact| parties.get(&contact)).cloned();
            let withholding = withheld.get(&one.entry).copied();
            match fact(&one.tag, withholding, party, reference.clone()) {
                Some(fact) => read.facts.push(fact),
                None => read.unknown.push(reference),
            }
        }
        read
    }

    /// The entries in which tax is withheld, and on what.
    fn withheld(&self) -> BTreeMap<JournalEntryId, WithholdingKey> {
        let key = |one: &TaggedEntry| Some((one.entry, withholding(&one.tag)?));
        self.0.iter().filter_map(key).collect()
    }
}

fn fact(
    tag: &TaxTag,
    withheld: Option<WithholdingKey>,
    party: Option<Party>,
    reference: Reference,
) -> Option<TaxFact> {
    let rectifies = tag.particulars.rectifies.map_or(Rectifies::Nothing, Rectifies::DocumentOf);
    let fact = TaxFact {
        kind: FactKind::WithholdingPractised,
        treatment: Treatment::Ordinary,
        rate: Decimal::ZERO,
        investment: false,
        rectifies,
        base: tag.base,
        quota: tag.quota,
        deductible: Amount::zero(tag.quota.currency()),
        withholding: withheld,
        party,
        date: tag.tax_date,
        reference,
    };
    let taxed = |kind, tax: &TaxCode, rate: Rate| TaxFact {
        kind,
        treatment: treatment(tax, tag.particulars),
        rate: percent(rate),
        investment: tax.investment || tag.particulars.supply == Some(Supply::Investment),
        ..fact.clone()
    };
    Some(match tag.kind {
        TagKind::WithholdingPractised => fact,
        TagKind::WithholdingBorne => TaxFact { kind: FactKind::WithholdingBorne, ..fact },
        TagKind::SurchargeOutput => {
            let tax = tax(tag)?;
            taxed(FactKind::SurchargeOutput, tax, tax.surcharge)
        }
        TagKind::VatOutput => {
            let tax = tax(tag)?;
            let kind = if tax.self_assessed { FactKind::VatSelfAssessed } else { FactKind::VatOutput };
            taxed(kind, tax, tax.rate)
        }
        TagKind::VatInput => {
            let tax = tax(tag)?;
            TaxFact { deductible: tag.deductible(), ..taxed(FactKind::VatInput, tax, tax.rate) }
        }
    })
}

/// The tax of a tag as it was on its day, or else as it is in the table at all.
fn tax(tag: &TaxTag) -> Option<&'static TaxCode> {
    let code = tag.tax_code.to_string();
    let any = || TaxCode::all().iter().find(|row| row.code == code);
    TaxCode::find(&code, tag.tax_date).or_else(any)
}

fn percent(rate: Rate) -> Decimal {
    Decimal::new(rate.ten_thousandths(), 4).normalize()
}

/// What tax is withheld on: `es_irpf_rent_19` says rent; codes without a word are those of activities, `es_irpf_15`.
fn withholding(tag: &TaxTag) -> Option<WithholdingKey> {
    match tag.kind {
        TagKind::WithholdingPractised | TagKind::WithholdingBorne => {}
        TagKind::VatOutput | TagKind::VatInput | TagKind::SurchargeOutput => return None,
    }
    let code = tag.tax_code.to_string();
    Some(match code.strip_prefix("es_irpf_").unwrap_or_default() {
        word if word.starts_with("work") => WithholdingKey::Work,
        word if word.starts_with("rent") => WithholdingKey::Rent,
        word if word.starts_with("other") => WithholdingKey::Other,
        word if word.starts_with("professional")
            || word.starts_with(|first: char| first.is_ascii_digit()) =>
        {
            WithholdingKey::Activity
        }
        _ => WithholdingKey::Other,
    })
}

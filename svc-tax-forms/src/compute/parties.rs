//! Rows of declarations of parties.

use std::collections::BTreeMap;

use svc_core::money::{Amount, Currency};

use super::boxes::total;
use super::previous::Previous;
use super::{ComputeError, Outside, OutsideReason, Warning, rectified};
use crate::fact::{Party, Rectifies, Reference, TaxFact};
use crate::form::{ColumnRule, Form, Matcher, PartiesRule, Threshold};
use crate::period::{Quarter, TaxPeriod};

/// A row of a declaration of parties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartyRow {
    /// With whom.
    pub party: Party,
    /// The key of the AEAT: `B` of sales on 347, `E` of goods on 349, `G` of activities on 190.
    pub key: String,
    /// What is declared apart under the same key: `reverse_charge`.
    pub mark: Option<String>,
    /// The return that it corrects, on 349.
    pub rectified: Option<TaxPeriod>,
    /// By column: `base` and `withheld` on 190 and 180; `amount` and those of four quarters on 347; `base` on 349, and
    /// `previous_base` where it corrects.
    pub amounts: BTreeMap<String, Amount>,
    /// The facts behind it.
    pub references: Vec<Reference>,
}

impl PartyRow {
    /// The amount of a column.
    #[must_use]
    pub fn amount(&self, column: &str) -> Option<Amount> {
        self.amounts.get(column).copied()
    }
}

/// The rows of a form, and what is not among them.
#[derive(Default)]
pub(super) struct Grouped {
    pub(super) rows: Vec<PartyRow>,
    pub(super) outside: Vec<Outside>,
    pub(super) warnings: Vec<Warning>,
}

/// What facts of one row have in common: party, place of the key in the form, corrected period.
type Group<'a> = (&'a str, usize, Option<TaxPeriod>);

pub(super) fn rows(
    form: &Form,
    period: &TaxPeriod,
    facts: &[&TaxFact],
    previous: &Previous,
) -> Result<Grouped, ComputeError> {
    let mut grouped = Grouped::default();
    let Some(rule) = &form.definition().parties else { return Ok(grouped) };
    let mut groups: BTreeMap<Group<'_>, Vec<(&TaxFact, &Party)>> = BTreeMap::new();
    for fact in facts {
        let Some(key) = rule.keys.iter().position(|key| Matcher::any(&key.matchers, fact)) else { continue };
        let Some(party) = &fact.party else {
            grouped
                .outside
                .push(Outside { reason: OutsideReason::NoParty, reference: fact.reference.clone() });
            continue;
        };
        let corrected = corrected(rule, period, fact);
        groups.entry((party.grouping(), key, corrected)).or_default().push((fact, party));
    }
    for ((_, key, corrected), facts) in groups {
        grouped.rows.extend(row(rule, key, corrected, &facts)?);
    }
    if let Some(threshold) = &rule.threshold {
        below(threshold, &mut grouped);
    }
    if rule.rectifications {
        grouped.warnings = rectified::complete(form.model(), &mut grouped.rows, previous)?;
    }
    Ok(grouped)
}

/// The period that a fact corrects; `None` when it counts in its own.
fn corrected(rule: &PartiesRule, period: &TaxPeriod, fact: &TaxFact) -> Option<TaxPeriod> {
    match fact.rectifies {
        Rectifies::DocumentOf(date) if rule.rectifications && date < period.from() => period.alike(date),
        Rectifies::DocumentOf(_) | Rectifies::Document | Rectifies::Nothing => None,
    }
}

fn row(
    rule: &PartiesRule,
    key: usize,
    corrected: Option<TaxPeriod>,
    facts: &[(&TaxFact, &Party)],
) -> Result<Option<PartyRow>, ComputeError> {
    let (Some(key), Some((_, party))) = (rule.keys.get(key), facts.first()) else { return Ok(None) };
    let mut amounts = BTreeMap::new();
    for column in &rule.columns {
        let amount = sum(column, facts).ok_or_else(|| ComputeError::TooLarge { code: key.key.clone() })?;
        amounts.insert(column.name.clone(), amount);
    }
    Ok(Some(PartyRow {
        party: (*party).clone(),
        key: key.key.clone(),
        mark: key.mark.clone(),
        rectified: corrected,
        amounts,
        references: facts.iter().map(|(fact, _)| fact.reference.clone()).collect(),
    }))
}

fn sum(column: &ColumnRule, facts: &[(&TaxFact, &Party)]) -> Option<Amount> {
    let of_column =
        |fact: &&TaxFact| column.quarter.is_none_or(|number| Quarter::of(fact.date).number() == number);
    let facts = facts.iter().map(|(fact, _)| *fact).filter(of_column);
    let cents = total(facts.map(|fact| column.sum.of(fact).ok()))?;
    Amount::from_minor(i64::try_from(cents).ok()?, Currency::EUR).ok()
}

/// Takes out the rows of a party and key, marks together, that are not above the threshold.
fn below(threshold: &Threshold, grouped: &mut Grouped) {
    let mut sums: BTreeMap<(String, String), i128> = BTreeMap::new();
    let group = |row: &PartyRow| (row.party.grouping().to_owned(), row.key.clone());
    for row in &grouped.rows {
        let cents = row.amount(&threshold.column).map_or(0, |amount| i128::from(amount.minor()));
        let sum = sums.entry(group(row)).or_default();
        *sum = sum.saturating_add(cents);
    }
    let above = |row: &PartyRow| sums.get(&group(row)).is_some_and(|sum| sum.abs() > threshold.above);
    let (declared, left): (Vec<PartyRow>, Vec<PartyRow>) = grouped.rows.drain(..).partition(above);
    grouped.rows = declared;
    let references = left.into_iter().flat_map(|row| row.references);
    let outside = references.map(|reference| Outside { reason: OutsideReason::BelowThreshold, reference });
    grouped.outside.extend(outside);
}

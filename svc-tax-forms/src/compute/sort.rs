//! Which facts a return counts.

use svc_core::money::Currency;

use super::{ComputeError, Facts, Outside, OutsideReason};
use crate::fact::TaxFact;
use crate::form::{Definition, Form, Matcher, Rule};
use crate::period::TaxPeriod;

/// Facts that a form is about.
pub(super) struct Sorted<'a> {
    pub(super) counted: Vec<&'a TaxFact>,
    pub(super) outside: Vec<Outside>,
}

pub(super) fn in_euros(facts: &Facts<'_>) -> Result<(), ComputeError> {
    let tax = facts
        .tax
        .iter()
        .flat_map(|fact| [fact.base, fact.quota, fact.deductible].map(|amount| (amount, &fact.reference)));
    let ledger = facts.ledger.iter().map(|fact| (fact.balance, &fact.reference));
    let mut other = tax.chain(ledger).filter(|(amount, _)| amount.currency() != Currency::EUR);
    other.next().map_or(Ok(()), |(_, reference)| Err(ComputeError::Currency { reference: reference.clone() }))
}

pub(super) fn sort<'a>(form: &Form, period: &TaxPeriod, facts: &'a [TaxFact]) -> Sorted<'a> {
    let (first, last) = form.reads(period);
    let mut sorted = Sorted { counted: Vec::new(), outside: Vec::new() };
    for fact in facts.iter().filter(|fact| Matcher::any(&form.definition().about, fact)) {
        let reason = if !(first..=last).contains(&fact.date) {
            Some(OutsideReason::OtherPeriod)
        } else if Matcher::any(&form.definition().not_declared, fact) {
            Some(OutsideReason::NotDeclared)
        } else if is_excluded(form.definition(), fact) {
            Some(OutsideReason::DeclaredElsewhere)
        } else if !has_a_place(form.definition(), fact) {
            Some(OutsideReason::NoBox)
        } else {
            None
        };
        match reason {
            Some(reason) => sorted.outside.push(Outside { reason, reference: fact.reference.clone() }),
            None => sorted.counted.push(fact),
        }
    }
    sorted
}

fn is_excluded(definition: &Definition, fact: &TaxFact) -> bool {
    definition.parties.as_ref().is_some_and(|parties| Matcher::any(&parties.excluded, fact))
}

fn has_a_place(definition: &Definition, fact: &TaxFact) -> bool {
    let boxes = definition.boxes.iter().filter(|one| !one.again).any(|one| match &one.from {
        Rule::Facts { matchers, .. } => Matcher::any(matchers, fact),
        Rule::Ledger(_) | Rule::Rows(_) | Rule::Formula(_) | Rule::Manual { .. } => false,
    });
    let keys = definition.parties.iter().flat_map(|parties| &parties.keys);
    boxes || keys.into_iter().any(|key| Matcher::any(&key.matchers, fact))
}

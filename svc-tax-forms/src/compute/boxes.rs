//! The values of boxes.

use std::collections::{BTreeMap, BTreeSet};

use svc_core::money::{Amount, Currency};

use super::ComputeError;
use super::manual::Manual;
use super::parties::PartyRow;
use super::previous::{Previous, PreviousReturn};
use crate::fact::{LedgerFact, Reference, TaxFact};
use crate::form::{
    BoxDefinition, Earlier, Form, Formula, Label, LedgerRule, Matcher, Origin, Rate, Rounding, RowsRule,
    Rule, Side, Span, Sum,
};
use crate::period::TaxPeriod;
use crate::value::{BoxValue, hundredths};

/// A box of a computed return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComputedBox {
    /// Its number, as the form has it.
    pub code: String,
    /// What it is.
    pub label: Label,
    /// What it holds.
    pub value: BoxValue,
    /// Where that is from: [`Origin::Manual`] also when a person said it instead of what is computed.
    pub origin: Origin,
    pub(super) references: Vec<Reference>,
    pub(super) reads: Vec<String>,
}

impl ComputedBox {
    /// A box that was computed before, without what it was computed from.
    pub(super) fn kept(definition: &BoxDefinition, value: BoxValue, origin: Origin) -> Self {
        let (code, label) = (definition.code.clone(), definition.label.clone());
        Self { code, label, value, origin, references: Vec::new(), reads: Vec::new() }
    }
}

pub(super) fn compute(
    form: &Form,
    period: &TaxPeriod,
    facts: &[&TaxFact],
    ledger: &[LedgerFact],
    rows: &[PartyRow],
    manual: &Manual,
    previous: &Previous,
) -> Result<Vec<ComputedBox>, ComputeError> {
    let mut work = Work { form, period, facts, ledger, rows, previous, values: BTreeMap::new() };
    let mut computed = BTreeMap::new();
    for definition in form.in_order() {
        let said = manual.value(&definition.code);
        let found = work.find(definition)?;
        let steps = said.unwrap_or(found.steps);
        let value =
            BoxValue::of_steps(steps, definition.unit).map_err(ComputeError::range(&definition.code))?;
        work.values.insert(definition.code.as_str(), steps);
        let origin = if said.is_some() { Origin::Manual } else { definition.origin() };
        let (code, label) = (definition.code.clone(), definition.label.clone());
        let (references, reads) =
            if said.is_some() { (Vec::new(), Vec::new()) } else { (found.references, found.reads) };
        computed
            .insert(definition.code.as_str(), ComputedBox { code, label, value, origin, references, reads });
    }
    Ok(form.boxes().iter().filter_map(|definition| computed.remove(definition.code.as_str())).collect())
}

/// What a rule gives.
#[derive(Default)]
struct Found {
    /// Cents, hundredths of a percent, or how many.
    steps: i128,
    references: Vec<Reference>,
    reads: Vec<String>,
}

struct Work<'a> {
    form: &'a Form,
    period: &'a TaxPeriod,
    facts: &'a [&'a TaxFact],
    ledger: &'a [LedgerFact],
    rows: &'a [PartyRow],
    previous: &'a Previous,
    values: BTreeMap<&'a str, i128>,
}

impl<'a> Work<'a> {
    fn find(&self, definition: &'a BoxDefinition) -> Result<Found, ComputeError> {
        let too_large = || ComputeError::TooLarge { code: definition.code.clone() };
        match &definition.from {
            Rule::Facts { sum, matchers } => {
                let matched = self.facts.iter().copied().filter(|fact| Matcher::any(matchers, fact));
                Self::of_facts(*sum, matched.collect()).ok_or_else(too_large)
            }
            Rule::Ledger(rule) => self.of_ledger(rule).ok_or_else(too_large),
            Rule::Rows(rule) => self.of_rows(rule).ok_or_else(too_large),
            Rule::Formula(formula) => {
                let steps = self.of_formula(formula).ok_or_else(too_large)?;
                let reads = formula.reads().into_iter().map(|(code, _)| code.to_owned()).collect();
                Ok(Found { steps, reads, ..Found::default() })
            }
            Rule::Manual { default, .. } => Ok(Found { steps: *default, ..Found::default() }),
        }
    }

    fn of_facts(sum: Sum, facts: Vec<&TaxFact>) -> Option<Found> {
        let references = facts.iter().map(|fact| fact.reference.clone()).collect();
        let steps = if sum == Sum::Parties {
            let parties: BTreeSet<&str> =
                facts.iter().filter_map(|fact| fact.party.as_ref()).map(crate::Party::grouping).collect();
            i128::try_from(parties.len()).ok()?
        } else {
            total(facts.into_iter().map(|fact| sum.of(fact).ok()))?
        };
        Some(Found { steps, references, ..Found::default() })
    }

    fn of_ledger(&self, rule: &LedgerRule) -> Option<Found> {
        let begins =
            |fact: &LedgerFact, codes: &[String]| codes.iter().any(|code| fact.account.starts_with(code));
        let of_rule = |fact: &&LedgerFact| begins(fact, &rule.accounts) && !begins(fact, &rule.except);
        let facts: Vec<&LedgerFact> = self.ledger.iter().filter(of_rule).collect();
        let debit = total(facts.iter().map(|fact| Some(i128::from(fact.balance.minor()))))?;
        let steps = match rule.side {
            Side::Debit => debit,
            Side::Credit => debit.checked_neg()?,
        };
        let references = facts.iter().map(|fact| fact.reference.clone()).collect();
        Some(Found { steps: rule.keep.of(steps), references, ..Found::default() })
    }

    fn of_rows(&self, rule: &RowsRule) -> Option<Found> {
        let rows: Vec<&PartyRow> =
            self.rows.iter().filter(|row| row.rectified.is_some() == rule.rectified).collect();
        let steps = match &rule.column {
            None => i128::try_from(rows.len()).ok()?,
            Some(column) => {
                let nothing = Amount::zero(Currency::EUR);
                let cents = |row: &&PartyRow| i128::from(row.amount(column).unwrap_or(nothing).minor());
                total(rows.iter().map(|row| Some(cents(row))))?
            }
        };
        let references = rows.into_iter().flat_map(|row| row.references.iter().cloned()).collect();
        Some(Found { steps, references, ..Found::default() })
    }

    fn of_formula(&self, formula: &Formula) -> Option<i128> {
        match formula {
            Formula::Sum(terms) => total(terms.iter().map(|term| {
                let value = self.value(&term.code);
                if term.negated { value.checked_neg() } else { Some(value) }
            })),
            Formula::Positive(of) => Some(self.of_formula(of)?.max(0)),
            Formula::Least(all) => {
                let values: Option<Vec<i128>> = all.iter().map(|one| self.of_formula(one)).collect();
                Some(values?.into_iter().min().unwrap_or(0))
            }
            Formula::Percent { of, rate, rounding } => {
                let rate = match rate {
                    Rate::Box(code) => self.value(code),
                    Rate::Fixed(percent) => hundredths(*percent)?,
                };
                percent(self.of_formula(of)?, rate, *rounding)
            }
            Formula::Earlier(all) => total(all.iter().map(|one| self.of_earlier(one))),
        }
    }

    fn of_earlier(&self, earlier: &Earlier) -> Option<i128> {
        let own = self.form.model();
        let model = earlier.model.unwrap_or(own);
        let of_year = || self.previous.of_year(model, own, self.period);
        let returns: Vec<&PreviousReturn> = match earlier.span {
            Span::Preceding => self.previous.preceding(model, self.period).into_iter().collect(),
            Span::Year => of_year(),
            Span::First => of_year().into_iter().take(1).collect(),
            Span::Last => of_year().into_iter().next_back().into_iter().collect(),
        };
        let kept = returns.into_iter().filter(|one| one.is_of(&earlier.results));
        let sum = total(kept.map(|one| Some(earlier.keep.of(one.cents(&earlier.code)))))?;
        if earlier.negate { sum.checked_neg() } else { Some(sum) }
    }

    /// Boxes are computed after those that they read.
    fn value(&self, code: &str) -> i128 {
        self.values.get(code).copied().unwrap_or(0)
    }
}

/// `None` when one is missing, or the sum has no room.
pub(super) fn total(values: impl IntoIterator<Item = Option<i128>>) -> Option<i128> {
    values.into_iter().try_fold(0_i128, |sum, value| sum.checked_add(value?))
}

/// A rate in hundredths of a percent.
fn percent(cents: i128, rate: i128, rounding: Rounding) -> Option<i128> {
    let product = cents.checked_mul(rate)?;
    let whole = product.checked_div(10_000)?;
    let rest = product.checked_rem(10_000)?;
    let away = match rounding {
        Rounding::HalfUp if rest.abs() >= 5_000 => rest.signum(),
        Rounding::HalfUp | Rounding::Truncated => 0,
    };
    whole.checked_add(away)
}

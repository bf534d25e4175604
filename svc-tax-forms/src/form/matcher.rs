//! Which facts a box counts, and what of them.

use rust_decimal::Decimal;
use serde::Deserialize;
use svc_core::money::MoneyError;

use super::raw;
use crate::fact::{FactKind, TaxFact, Treatment, WithholdingKey};

/// Facts that have everything that it names.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Matcher {
    kind: Vec<FactKind>,
    /// Any when empty.
    #[serde(default)]
    treatment: Vec<Treatment>,
    /// Any when empty.
    #[serde(default, deserialize_with = "raw::decimals")]
    rate: Vec<Decimal>,
    #[serde(default)]
    rectifying: Option<bool>,
    #[serde(default)]
    investment: Option<bool>,
    /// Whether some of its tax can be deducted, or it has none.
    #[serde(default)]
    deductible: Option<bool>,
    /// Any, and none, when empty.
    #[serde(default)]
    withholding: Vec<WithholdingKey>,
}

impl Matcher {
    /// Whether one of several matches.
    pub(crate) fn any(matchers: &[Self], fact: &TaxFact) -> bool {
        matchers.iter().any(|matcher| matcher.matches(fact))
    }

    pub(crate) fn matches(&self, fact: &TaxFact) -> bool {
        let deductible = fact.deductible.minor() != 0 || fact.quota.minor() == 0;
        self.kind.contains(&fact.kind)
            && (self.treatment.is_empty() || self.treatment.contains(&fact.treatment))
            && (self.rate.is_empty() || self.rate.contains(&fact.rate))
            && self.rectifying.is_none_or(|wanted| wanted == fact.rectifies.any())
            && self.investment.is_none_or(|wanted| wanted == fact.investment)
            && self.deductible.is_none_or(|wanted| wanted == deductible)
            && (self.withholding.is_empty()
                || fact.withholding.is_some_and(|key| self.withholding.contains(&key)))
    }
}

/// What of a fact is summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Sum {
    Base,
    Quota,
    Deductible,
    /// The tax included, as third parties are declared.
    Invoiced,
    /// Not an amount: how many parties there are.
    Parties,
}

impl Sum {
    /// In cents.
    pub(crate) fn of(self, fact: &TaxFact) -> Result<i128, MoneyError> {
        let amount = match self {
            Self::Base => fact.base,
            Self::Quota => fact.quota,
            Self::Deductible => fact.deductible,
            Self::Invoiced => fact.invoiced()?,
            Self::Parties => return Ok(0),
        };
        Ok(i128::from(amount.minor()))
    }
}

//! Formulas between boxes, and over earlier returns.

use std::str::FromStr;

use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer};

use super::raw;
use crate::compute::ResultKind;
use crate::model::Model;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Formula {
    /// Boxes, those with a minus sign subtracted.
    Sum(Vec<Term>),
    /// Zero instead of what is negative.
    Positive(Box<Self>),
    /// The smallest.
    Least(Vec<Self>),
    Percent {
        of: Box<Self>,
        rate: Rate,
        rounding: Rounding,
    },
    /// Boxes of returns that were made before.
    Earlier(Vec<Earlier>),
}

impl Formula {
    /// The boxes of the same return that it reads, with the unit that each must have.
    pub(crate) fn reads(&self) -> Vec<(&str, super::Unit)> {
        match self {
            Self::Sum(terms) => terms.iter().map(|term| (term.code.as_str(), super::Unit::Amount)).collect(),
            Self::Positive(of) => of.reads(),
            Self::Least(all) => all.iter().flat_map(Self::reads).collect(),
            Self::Percent { of, rate, .. } => {
                let rate = match rate {
                    Rate::Box(code) => Some((code.as_str(), super::Unit::Percent)),
                    Rate::Fixed(_) => None,
                };
                of.reads().into_iter().chain(rate).collect()
            }
            Self::Earlier(_) => Vec::new(),
        }
    }

    /// The earlier returns that it reads.
    pub(crate) fn earlier(&self) -> Vec<&Earlier> {
        match self {
            Self::Sum(_) => Vec::new(),
            Self::Positive(of) | Self::Percent { of, .. } => of.earlier(),
            Self::Least(all) => all.iter().flat_map(Self::earlier).collect(),
            Self::Earlier(all) => all.iter().collect(),
        }
    }
}

/// A box in a sum: `27`, or `-45`.
#[derive(Debug)]
pub(crate) struct Term {
    pub(crate) code: String,
    pub(crate) negated: bool,
}

impl FromStr for Term {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let code = text.strip_prefix('-');
        Ok(Self { negated: code.is_some(), code: code.unwrap_or(text).to_owned() })
    }
}

impl<'de> Deserialize<'de> for Term {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        raw::parsed(deserializer)
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Rate {
    Box(String),
    Fixed(#[serde(deserialize_with = "raw::decimal")] Decimal),
}

/// What becomes of what is smaller than a cent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Rounding {
    /// Left out, as the AEAT does with instalments of income tax.
    Truncated,
    /// Rounded, a half away from zero.
    HalfUp,
}

/// A box of earlier returns.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Earlier {
    /// Another model; the same one when missing.
    #[serde(default)]
    pub(crate) model: Option<Model>,
    #[serde(rename = "box")]
    pub(crate) code: String,
    pub(crate) span: Span,
    #[serde(default)]
    pub(crate) keep: Keep,
    /// Returns of these results alone; of any when empty.
    #[serde(default)]
    pub(crate) results: Vec<ResultKind>,
    #[serde(default)]
    pub(crate) negate: bool,
}

/// Which earlier returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Span {
    /// The one that ended the day before.
    Preceding,
    /// Those of the same year.
    Year,
    /// The first one of the same year.
    First,
    /// The last one of the same year.
    Last,
}

/// Which values are kept; zero stands for the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Keep {
    #[default]
    All,
    Positive,
    Negative,
}

impl Keep {
    pub(crate) fn of(self, steps: i128) -> i128 {
        match self {
            Self::All => steps,
            Self::Positive => steps.max(0),
            Self::Negative => steps.min(0),
        }
    }
}

//! What a file of a form states.

use serde::Deserialize;
use svc_core::wire_names;
use time::Date;

use super::formula::{Formula, Keep};
use super::matcher::{Matcher, Sum};
use super::raw;
use crate::compute::ResultKind;
use crate::model::Model;
use crate::period::Period;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Definition {
    pub(crate) model: Model,
    pub(crate) title: Label,
    pub(crate) provenance: Provenance,
    pub(crate) valid: Vec<Valid>,
    pub(crate) reads: Reads,
    /// The facts that it is about; others are none of its business.
    pub(crate) about: Vec<Matcher>,
    /// Those among them that the law does not ask for here.
    #[serde(default)]
    pub(crate) not_declared: Vec<Matcher>,
    pub(crate) boxes: Vec<BoxDefinition>,
    /// The box that is the rate of corporate tax, unless a person says another one.
    #[serde(default)]
    pub(crate) corporate_rate: Option<String>,
    pub(crate) result: ResultRule,
    #[serde(default)]
    pub(crate) parties: Option<PartiesRule>,
}

/// A text in Spanish, which is the one of the form, and in English.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    /// In Spanish.
    pub es: String,
    /// In English.
    pub en: String,
}

/// Where the boxes of a form are from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// The order that approves the model, or changed it last.
    pub order: String,
    /// The record layout of the AEAT.
    pub layout: String,
    /// What the numbers were compared with.
    pub checked: Vec<String>,
    /// What could not be confirmed.
    #[serde(default)]
    pub unconfirmed: Vec<String>,
}

/// The days on which some periods of the form can end: months and quarters change forms on days of their own.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Valid {
    #[serde(deserialize_with = "raw::periods")]
    pub(crate) periods: Vec<Period>,
    #[serde(deserialize_with = "raw::date")]
    pub(crate) from: Date,
    #[serde(default, deserialize_with = "raw::optional_date")]
    pub(crate) to: Option<Date>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reads {
    Period,
    YearToDate,
}

/// A box of a form.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoxDefinition {
    /// Its number, as the form has it: `07`.
    pub code: String,
    /// What it is.
    pub label: Label,
    /// What it counts in.
    #[serde(default)]
    pub unit: Unit,
    /// Whether a person may say it instead of what is computed.
    #[serde(default)]
    pub editable: bool,
    /// Whether it counts facts once more that another box counts.
    #[serde(default)]
    pub again: bool,
    /// The periods that have it; every one when empty.
    #[serde(default, deserialize_with = "raw::periods")]
    pub(crate) periods: Vec<Period>,
    pub(crate) from: Rule,
}

impl BoxDefinition {
    /// Where its value comes from.
    #[must_use]
    pub fn origin(&self) -> Origin {
        match self.from {
            Rule::Facts { .. } | Rule::Ledger(_) | Rule::Rows(_) => Origin::Computed,
            Rule::Formula(_) => Origin::Formula,
            Rule::Manual { .. } => Origin::Manual,
        }
    }
}

/// What a box counts in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Euros: `amount`
    #[default]
    Amount,
    /// Percent: `percent`
    Percent,
    /// How many: `count`
    Count,
}

wire_names!(Unit { Amount = "amount", Percent = "percent", Count = "count" });

/// Where the value of a box comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// From facts: `computed`
    Computed,
    /// A person says it: `manual`
    Manual,
    /// From other boxes or earlier returns: `formula`
    Formula,
}

wire_names!(Origin { Computed = "computed", Manual = "manual", Formula = "formula" });

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Rule {
    Facts {
        sum: Sum,
        #[serde(rename = "match")]
        matchers: Vec<Matcher>,
    },
    Ledger(LedgerRule),
    Rows(RowsRule),
    Formula(Formula),
    Manual {
        #[serde(default, deserialize_with = "raw::optional_steps")]
        min: Option<i128>,
        #[serde(default, deserialize_with = "raw::optional_steps")]
        max: Option<i128>,
        #[serde(default, deserialize_with = "raw::steps")]
        default: i128,
    },
}

/// Balances of accounts whose codes begin so.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LedgerRule {
    pub(crate) accounts: Vec<String>,
    #[serde(default)]
    pub(crate) except: Vec<String>,
    pub(crate) side: Side,
    #[serde(default)]
    pub(crate) keep: Keep,
}

/// The side on which a balance counts as positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Side {
    Debit,
    Credit,
}

/// A total of the rows of parties: how many when no column is named.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RowsRule {
    #[serde(default)]
    pub(crate) column: Option<String>,
    /// Rows that correct an earlier return, instead of those that do not.
    #[serde(default)]
    pub(crate) rectified: bool,
}

/// The box of the result, and the kind of the result when it is negative.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResultRule {
    #[serde(rename = "box")]
    pub(crate) code: Option<String>,
    pub(crate) negative: ResultKind,
    /// In the last period of the year.
    #[serde(default)]
    pub(crate) negative_last: Option<ResultKind>,
    /// Whether the person chooses between refund and offset.
    #[serde(default)]
    pub(crate) choice: bool,
}

/// What the rows of a declaration of parties are made of.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PartiesRule {
    pub(crate) keys: Vec<KeyRule>,
    pub(crate) columns: Vec<ColumnRule>,
    #[serde(default)]
    pub(crate) threshold: Option<Threshold>,
    /// Facts that other declarations have.
    #[serde(default)]
    pub(crate) excluded: Vec<Matcher>,
    /// Whether a fact that rectifies an earlier period has a row of its own.
    #[serde(default)]
    pub(crate) rectifications: bool,
    /// Whether the province of a Spanish party is asked for.
    #[serde(default)]
    pub(crate) province: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeyRule {
    pub(crate) key: String,
    /// Rows of one key that are declared apart.
    #[serde(default)]
    pub(crate) mark: Option<String>,
    #[serde(rename = "match")]
    pub(crate) matchers: Vec<Matcher>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ColumnRule {
    pub(crate) name: String,
    pub(crate) sum: Sum,
    /// From 1 to 4: facts of that quarter alone.
    #[serde(default)]
    pub(crate) quarter: Option<u8>,
}

/// Rows of a party and key are declared when their sum, without its sign, is above an amount.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Threshold {
    pub(crate) column: String,
    #[serde(deserialize_with = "raw::steps")]
    pub(crate) above: i128,
}

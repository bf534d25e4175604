//! Forms: what a model has in its years, as data.
//!
//! A form is a file of `forms/`: its boxes, which facts each one sums, the formulas between them, how the kind of its
//! result follows, and for declarations of parties what their rows are made of. Files name the order and the record
//! layout of the AEAT that they are from. [`Form::parse`] judges a file, so that computing meets no unknown box, no
//! circle and no sum of different units.

mod catalogue;
mod definition;
mod formula;
mod judge;
mod matcher;
mod raw;

use std::collections::{BTreeMap, BTreeSet};

use time::Date;

pub use self::catalogue::catalogue;
pub use self::definition::{BoxDefinition, Label, Origin, Provenance, Unit};
pub(crate) use self::definition::{
    ColumnRule, Definition, LedgerRule, PartiesRule, Reads, RowsRule, Rule, Side, Threshold,
};
pub(crate) use self::formula::{Earlier, Formula, Rate, Rounding, Span};
pub use self::judge::DefinitionError;
pub(crate) use self::matcher::{Matcher, Sum};
use crate::model::Model;
use crate::period::{Period, TaxPeriod};

/// A model in some of its years.
#[derive(Debug)]
pub struct Form {
    definition: Definition,
    index: BTreeMap<String, usize>,
    /// Boxes, those that formulas read before the formulas.
    order: Vec<usize>,
}

impl Form {
    /// Reads and judges a file.
    ///
    /// # Errors
    /// [`DefinitionError`] names the box.
    pub fn parse(json: &str) -> Result<Self, DefinitionError> {
        let definition: Definition =
            serde_json::from_str(json).map_err(|error| DefinitionError::Json(error.to_string()))?;
        let (index, order) = judge::judge(&definition)?;
        Ok(Self { definition, index, order })
    }

    /// The form of a model for a period; `None` where none is known.
    #[must_use]
    pub fn find(model: Model, period: &TaxPeriod) -> Option<&'static Self> {
        catalogue().iter().find(|form| form.model() == model && form.is_for(period))
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> Model {
        self.definition.model
    }

    /// What it is called.
    #[must_use]
    pub fn title(&self) -> &Label {
        &self.definition.title
    }

    /// The order and the record layout that its boxes are from, and what could not be confirmed.
    #[must_use]
    pub fn provenance(&self) -> &Provenance {
        &self.definition.provenance
    }

    /// The first and the last day on which a period of it can end, no last day while none is known; `None` when the form
    /// has no such period. Months and quarters change forms on days of their own.
    #[must_use]
    pub fn valid(&self, period: Period) -> Option<(Date, Option<Date>)> {
        let valid = self.definition.valid.iter().find(|valid| valid.periods.contains(&period))?;
        Some((valid.from, valid.to))
    }

    /// Its periods within a year.
    pub fn periods(&self) -> impl Iterator<Item = Period> {
        self.definition.valid.iter().flat_map(|valid| valid.periods.iter().copied())
    }

    /// Its boxes, in their order on the form.
    #[must_use]
    pub fn boxes(&self) -> &[BoxDefinition] {
        &self.definition.boxes
    }

    /// A box by its code.
    #[must_use]
    pub fn box_of(&self, code: &str) -> Option<&BoxDefinition> {
        self.index.get(code).and_then(|at| self.definition.boxes.get(*at))
    }

    /// Whether it is the form of a period.
    #[must_use]
    pub fn is_for(&self, period: &TaxPeriod) -> bool {
        let valid = self.valid(period.period());
        valid.is_some_and(|(from, to)| period.to() >= from && to.is_none_or(|last| period.to() <= last))
    }

    /// The first and the last day of the facts that it is computed from: instalments of income tax count from the
    /// beginning of the year.
    #[must_use]
    pub fn reads(&self, period: &TaxPeriod) -> (Date, Date) {
        let first = match self.definition.reads {
            Reads::Period => period.from(),
            Reads::YearToDate => {
                TaxPeriod::new(period.year(), Period::Year).map_or(period.from(), |year| year.from())
            }
        };
        (first, period.to())
    }

    /// Whether boxes of it are balances of accounts.
    #[must_use]
    pub fn reads_ledger(&self) -> bool {
        self.boxes().iter().any(|one| matches!(one.from, Rule::Ledger(_)))
    }

    /// The models whose earlier returns it is computed from: its own for what is carried over, and those that it sums.
    #[must_use]
    pub fn reads_returns(&self) -> BTreeSet<Model> {
        let formulas = self.boxes().iter().filter_map(|one| match &one.from {
            Rule::Formula(formula) => Some(formula),
            Rule::Facts { .. } | Rule::Ledger(_) | Rule::Rows(_) | Rule::Manual { .. } => None,
        });
        let earlier = formulas.flat_map(Formula::earlier);
        let models = earlier.map(|earlier| earlier.model.unwrap_or(self.model()));
        models.chain(self.corrects_parties().then_some(self.model())).collect()
    }

    /// The box that is the rate of corporate tax, of a form that has one: what a company is taxed at is said of it by
    /// [`Manual::unless_said`](crate::Manual::unless_said).
    #[must_use]
    pub fn corporate_rate(&self) -> Option<&str> {
        self.definition.corporate_rate.as_deref()
    }

    /// Whether its rows of parties correct those of earlier returns.
    #[must_use]
    pub fn corrects_parties(&self) -> bool {
        self.definition.parties.as_ref().is_some_and(|parties| parties.rectifications)
    }

    pub(crate) fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Boxes in the order in which they are computed.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = &BoxDefinition> {
        self.order.iter().filter_map(|at| self.definition.boxes.get(*at))
    }
}

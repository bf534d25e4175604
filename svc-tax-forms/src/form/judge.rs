//! Whether a form can be computed.

use std::collections::BTreeMap;

use thiserror::Error;

use super::definition::{BoxDefinition, Definition, Rule, Unit};
use super::matcher::Sum;

/// Why a file is not a form.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum DefinitionError {
    /// Not JSON, or not of the shape of a form.
    #[error("not a form: {0}")]
    Json(String),
    /// Two boxes have one code.
    #[error("box {0} is there twice")]
    Twice(String),
    /// A label is empty in Spanish or in English.
    #[error("box {0} has no label in Spanish and English")]
    Unlabelled(String),
    /// A formula, or the result, reads a box that is not there.
    #[error("{reader} reads box {code}, which is not there")]
    Unknown {
        /// Which box, or `result`.
        reader: String,
        /// What is not there.
        code: String,
    },
    /// A formula reads a box of another unit.
    #[error("box {reader} reads box {code} as {unit}, which it is not")]
    OtherUnit {
        /// Which box.
        reader: String,
        /// What it reads.
        code: String,
        /// What it should count in.
        unit: Unit,
    },
    /// A box is computed from itself.
    #[error("box {0} is computed from itself")]
    Circle(String),
    /// A box has a unit that what it is computed from does not give.
    #[error("box {0} has a unit that it is not computed in")]
    Unit(String),
    /// A total or the threshold names a column that rows do not have.
    #[error("there is no column {0}")]
    NoColumn(String),
}

type Judged = (BTreeMap<String, usize>, Vec<usize>);

pub(super) fn judge(definition: &Definition) -> Result<Judged, DefinitionError> {
    let index = index(&definition.boxes)?;
    for one in &definition.boxes {
        reads_are_there(one, &definition.boxes, &index)?;
        unit_is_given(one)?;
    }
    if let Some(code) = definition.result.code.as_ref().filter(|code| !index.contains_key(*code)) {
        return Err(DefinitionError::Unknown { reader: "result".to_owned(), code: code.clone() });
    }
    rate_is_there(definition, &index)?;
    columns_are_there(definition)?;
    let mut order = Order { boxes: &definition.boxes, index: &index, done: Vec::new(), open: Vec::new() };
    for at in 0..definition.boxes.len() {
        order.visit(at)?;
    }
    let order = order.done;
    Ok((index, order))
}

fn index(boxes: &[BoxDefinition]) -> Result<BTreeMap<String, usize>, DefinitionError> {
    let mut index = BTreeMap::new();
    for (at, one) in boxes.iter().enumerate() {
        if index.insert(one.code.clone(), at).is_some() {
            return Err(DefinitionError::Twice(one.code.clone()));
        }
        if one.label.es.trim().is_empty() || one.label.en.trim().is_empty() {
            return Err(DefinitionError::Unlabelled(one.code.clone()));
        }
    }
    Ok(index)
}

fn reads_are_there(
    one: &BoxDefinition,
    boxes: &[BoxDefinition],
    index: &BTreeMap<String, usize>,
) -> Result<(), DefinitionError> {
    let Rule::Formula(formula) = &one.from else { return Ok(()) };
    for (code, unit) in formula.reads() {
        let reader = || one.code.clone();
        let Some(read) = index.get(code).and_then(|at| boxes.get(*at)) else {
            return Err(DefinitionError::Unknown { reader: reader(), code: code.to_owned() });
        };
        if read.unit != unit {
            return Err(DefinitionError::OtherUnit { reader: reader(), code: code.to_owned(), unit });
        }
    }
    Ok(())
}

fn unit_is_given(one: &BoxDefinition) -> Result<(), DefinitionError> {
    let given = match &one.from {
        Rule::Facts { sum: Sum::Parties, .. } => Unit::Count,
        Rule::Rows(rows) if rows.column.is_none() => Unit::Count,
        Rule::Facts { .. } | Rule::Rows(_) | Rule::Ledger(_) | Rule::Formula(_) => Unit::Amount,
        Rule::Manual { .. } => one.unit,
    };
    if given == one.unit { Ok(()) } else { Err(DefinitionError::Unit(one.code.clone())) }
}

fn rate_is_there(definition: &Definition, index: &BTreeMap<String, usize>) -> Result<(), DefinitionError> {
    let Some(code) = &definition.corporate_rate else { return Ok(()) };
    let reader = || "corporate_rate".to_owned();
    let Some(rate) = index.get(code).and_then(|at| definition.boxes.get(*at)) else {
        return Err(DefinitionError::Unknown { reader: reader(), code: code.clone() });
    };
    if rate.unit == Unit::Percent && matches!(rate.from, Rule::Manual { .. }) {
        return Ok(());
    }
    Err(DefinitionError::OtherUnit { reader: reader(), code: code.clone(), unit: Unit::Percent })
}

fn columns_are_there(definition: &Definition) -> Result<(), DefinitionError> {
    let columns = definition.parties.iter().flat_map(|parties| &parties.columns);
    let known: Vec<&str> = columns.map(|column| column.name.as_str()).collect();
    let totals = definition.boxes.iter().filter_map(|one| match &one.from {
        Rule::Rows(rows) => rows.column.as_ref(),
        Rule::Facts { .. } | Rule::Ledger(_) | Rule::Formula(_) | Rule::Manual { .. } => None,
    });
    let thresholds = definition.parties.iter().filter_map(|parties| parties.threshold.as_ref());
    let mut named = totals.chain(thresholds.map(|threshold| &threshold.column));
    named
        .find(|name| !known.contains(&name.as_str()))
        .map_or(Ok(()), |name| Err(DefinitionError::NoColumn(name.clone())))
}

/// Boxes in an order in which each follows what it reads.
struct Order<'a> {
    boxes: &'a [BoxDefinition],
    index: &'a BTreeMap<String, usize>,
    done: Vec<usize>,
    open: Vec<usize>,
}

impl Order<'_> {
    fn visit(&mut self, at: usize) -> Result<(), DefinitionError> {
        let Some(one) = self.boxes.get(at).filter(|_| !self.done.contains(&at)) else { return Ok(()) };
        if self.open.contains(&at) {
            return Err(DefinitionError::Circle(one.code.clone()));
        }
        self.open.push(at);
        if let Rule::Formula(formula) = &one.from {
            for (code, _) in formula.reads() {
                if let Some(read) = self.index.get(code) {
                    self.visit(*read)?;
                }
            }
        }
        self.open.pop();
        self.done.push(at);
        Ok(())
    }
}

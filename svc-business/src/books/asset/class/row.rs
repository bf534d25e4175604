//! One line of the table of classes.

use super::{AssetClass, DepreciationAccounts, TaxLimit};
use crate::books::account::AccountCode;

/// What the table says about a class, accounts not padded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) class: AssetClass,
    pub(super) asset: AccountCode,
    pub(super) depreciation: Option<DepreciationAccounts>,
    pub(super) limit: Option<TaxLimit>,
    pub(super) declining: bool,
}

/// Reads the lines `class;asset;accumulated;expense;percent;years;declining` after a heading; `None` for another form.
pub(super) fn read(file: &str) -> Option<Vec<Row>> {
    file.lines().skip(1).map(parse).collect()
}

fn parse(line: &str) -> Option<Row> {
    let cells: Vec<&str> = line.split(';').collect();
    let [class, asset, accumulated, expense, percent, years, declining] = cells[..] else { return None };
    let depreciation = match (accumulated, expense) {
        ("", "") => None,
        (accumulated, expense) => Some(DepreciationAccounts {
            accumulated: accumulated.parse().ok()?,
            expense: expense.parse().ok()?,
        }),
    };
    let limit = match (percent, years) {
        ("", "") => None,
        (percent, years) => Some(TaxLimit { percent: percent.parse().ok()?, years: years.parse().ok()? }),
    };
    Some(Row {
        class: class.parse().ok()?,
        asset: asset.parse().ok()?,
        depreciation,
        limit,
        declining: declining == "yes",
    })
}

//! One line of a chart's file.

use std::str::FromStr;

use svc_core::wire::UnknownName;
use thiserror::Error;

use crate::books::account::{AccountCode, AccountType, CodeLength, NormalBalance, TaxRole};

/// A heading or an account of a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartAccount {
    /// Its code, of full length when it takes entries.
    pub code: AccountCode,
    /// Its name in the language of the chart.
    pub name: &'static str,
    /// What it counts.
    pub account_type: AccountType,
    /// The side on which it grows.
    pub normal_balance: NormalBalance,
    /// Whether it takes entries; a heading does not.
    pub postable: bool,
    /// Whether its lines are matched with each other, as an invoice with its payment.
    pub reconcilable: bool,
    /// The tax that it counts.
    pub tax_role: Option<TaxRole>,
}

/// Why the file of a chart cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line} of the chart: {reason}")]
pub(super) struct ChartError {
    line: usize,
    reason: String,
}

impl ChartAccount {
    /// The same with the code that it has in books with codes of this length.
    pub(super) fn padded(self, length: CodeLength) -> Self {
        // No code of a chart is longer than the shortest of books.
        let code = if self.postable { self.code.padded(length).unwrap_or(self.code) } else { self.code };
        Self { code, ..self }
    }
}

/// Reads the lines `code;name;type;reconcilable;taxRole` after a heading; `type` only where it is another one than
/// the code says. What no other code begins with is an account, everything else a heading.
pub(super) fn read(file: &'static str) -> Result<Vec<ChartAccount>, ChartError> {
    let mut accounts: Vec<ChartAccount> = Vec::new();
    for (at, line) in file.lines().enumerate().skip(1) {
        let account = parse(line).map_err(|reason| ChartError { line: at.saturating_add(1), reason })?;
        // Codes are in order, so the one before is the heading if there is one.
        if let Some(before) = accounts.last_mut()
            && account.code.is_under(before.code)
        {
            before.postable = false;
        }
        accounts.push(account);
    }
    Ok(accounts)
}

fn parse(line: &'static str) -> Result<ChartAccount, String> {
    let cells: Vec<&'static str> = line.split(';').collect();
    let [code, name, account_type, reconcilable, tax_role] = cells[..] else {
        return Err(format!("expected 5 cells, found {}", cells.len()));
    };
    let code: AccountCode = code.parse().map_err(|error| format!("{error}"))?;
    let wanted = named(account_type)?;
    let account_type = AccountType::overridden(code, wanted).map_err(|error| error.to_string())?;
    let reconcilable = match reconcilable {
        "yes" => true,
        "" => false,
        other => return Err(format!("{other} is neither yes nor blank")),
    };
    let normal_balance = NormalBalance::of(code, account_type);
    let tax_role = named(tax_role)?;
    Ok(ChartAccount { code, name, account_type, normal_balance, postable: true, reconcilable, tax_role })
}

/// The value with this name; none for a blank cell.
fn named<T: FromStr<Err = UnknownName>>(cell: &str) -> Result<Option<T>, String> {
    if cell.is_empty() {
        return Ok(None);
    }
    cell.parse().map(Some).map_err(|error: UnknownName| error.to_string())
}

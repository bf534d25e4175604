//! Storage of the accounting of companies.

mod aged;
mod asset;
mod asset_terms;
mod book;
mod entry;
mod fiscal_year;
mod journal;
mod ledger;
mod line;
mod received;
mod reports;
mod sums;

use svc_business::books::account::AccountCode;

use crate::statement::Sql;

/// Adds the predicate that codes in `column` begin with these digits.
fn prefixed(sql: Sql, column: &str, prefix: Option<AccountCode>) -> Sql {
    let Some(prefix) = prefix else { return sql };
    let sql = sql.text(&format!(" AND {column} >= ")).bind(prefix.as_str());
    // Behind every digit.
    sql.text(&format!(" AND {column} < ")).bind(format!("{prefix}:"))
}

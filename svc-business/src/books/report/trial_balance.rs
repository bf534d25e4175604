//! The trial balance (*balance de sumas y saldos*).

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::Serialize;
use svc_core::csv::{Cell, Table};
use svc_core::money::{Amount, Currency, MoneyError};
use thiserror::Error;
use time::Date;

use super::{AccountNames, Closing, Movement, Period, Sides, wire};
use crate::books::account::AccountCode;

/// What each account moved in some days, and what it held before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TrialBalance {
    /// The first day.
    #[serde(serialize_with = "wire::text")]
    pub from: Date,
    /// The last day.
    #[serde(serialize_with = "wire::text")]
    pub to: Date,
    /// The base currency of the books.
    #[serde(serialize_with = "wire::text")]
    pub currency: Currency,
    /// The accounts or headings, in the order of their codes.
    pub rows: Vec<TrialBalanceRow>,
    /// What all accounts add up to, those without a row among them: debit and credit are the same, and the balances
    /// are zero, or what was read is not all.
    pub totals: Figures,
}

/// One account, or all under one heading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TrialBalanceRow {
    /// The code of the account or the heading.
    pub code: AccountCode,
    /// Its name; empty for a heading without one.
    pub name: String,
    /// What it moved.
    #[serde(flatten)]
    pub figures: Figures,
}

/// What was held before, moved, and held after; balances are debit minus credit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Figures {
    /// The balance before the first day.
    #[serde(serialize_with = "wire::text")]
    pub opening_balance: Amount,
    /// *Debe*
    #[serde(serialize_with = "wire::text")]
    pub debit: Amount,
    /// *Haber*
    #[serde(serialize_with = "wire::text")]
    pub credit: Amount,
    /// The balance when the last day ends.
    #[serde(serialize_with = "wire::text")]
    pub closing_balance: Amount,
}

/// How far codes are told apart: `1` to `4` digits, or `full`, which is the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// By groups: one digit.
    Group,
    /// By subgroups: two digits.
    Subgroup,
    /// By accounts of the chart: three digits.
    Account,
    /// By subaccounts of the chart: four digits.
    Subaccount,
    /// By accounts that take entries.
    #[default]
    Full,
}

/// Not a level of a trial balance.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("expected 1, 2, 3, 4 or full")]
pub struct LevelError;

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        match text {
            "1" => Ok(Self::Group),
            "2" => Ok(Self::Subgroup),
            "3" => Ok(Self::Account),
            "4" => Ok(Self::Subaccount),
            "full" => Ok(Self::Full),
            _ => Err(LevelError),
        }
    }
}

impl Level {
    /// The heading of this level that an account is under; the account itself when it is not as long.
    fn heading(self, code: AccountCode) -> AccountCode {
        let digits = match self {
            Self::Group => 1,
            Self::Subgroup => 2,
            Self::Account => 3,
            Self::Subaccount => 4,
            Self::Full => return code,
        };
        code.as_str().get(..digits).and_then(|heading| heading.parse().ok()).unwrap_or(code)
    }
}

/// What a trial balance is to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrialBalanceQuery {
    /// `level`
    pub level: Level,
    /// `nonZero`: rows in which every figure is zero are left out.
    pub non_zero: bool,
    /// `excludeClosing`
    pub closing: Closing,
}

impl TrialBalance {
    /// The trial balance of these days; `names` has the names of headings.
    ///
    /// # Errors
    /// [`MoneyError`] when a sum is out of range, or in another currency.
    pub fn of(
        period: Period,
        currency: Currency,
        movements: &[Movement],
        names: &AccountNames,
        query: TrialBalanceQuery,
    ) -> Result<Self, MoneyError> {
        let TrialBalanceQuery { level, non_zero, closing } = query;
        let mut rows: BTreeMap<AccountCode, TrialBalanceRow> = BTreeMap::new();
        let mut totals = Figures::zero(currency);
        for movement in movements {
            let (opening, sides) = (movement.opening, movement.sides(closing)?);
            let (account, heading) = (&movement.account, level.heading(movement.account.code));
            let row = rows.entry(heading).or_insert_with(|| TrialBalanceRow {
                code: heading,
                name: if heading == account.code { account.name.clone() } else { named(names, heading) },
                figures: Figures::zero(currency),
            });
            row.figures = row.figures.plus(opening, sides)?;
            totals = totals.plus(opening, sides)?;
        }
        let rows = rows.into_values().filter(|row| !non_zero || !row.figures.is_zero()).collect();
        Ok(Self { from: period.from(), to: period.to(), currency, rows, totals })
    }

    /// The rows as CSV, without the totals.
    #[must_use]
    pub fn csv(&self) -> String {
        let header = ["code", "name", "openingBalance", "debit", "credit", "closingBalance"];
        let mut table = Table::new(header);
        for TrialBalanceRow { code, name, figures } in &self.rows {
            let Figures { opening_balance, debit, credit, closing_balance } = *figures;
            let amounts = [opening_balance, debit, credit, closing_balance].map(Cell::plain);
            table.row([Cell::plain(code), Cell::text(name)].into_iter().chain(amounts));
        }
        table.finish()
    }
}

impl Figures {
    fn zero(currency: Currency) -> Self {
        let zero = Amount::zero(currency);
        Self { opening_balance: zero, debit: zero, credit: zero, closing_balance: zero }
    }

    fn plus(self, opening: Amount, sides: Sides) -> Result<Self, MoneyError> {
        Ok(Self {
            opening_balance: self.opening_balance.plus(opening)?,
            debit: self.debit.plus(sides.debit)?,
            credit: self.credit.plus(sides.credit)?,
            closing_balance: self.closing_balance.plus(opening)?.plus(sides.balance()?)?,
        })
    }

    fn is_zero(self) -> bool {
        let Self { opening_balance, debit, credit, closing_balance } = self;
        [opening_balance, debit, credit, closing_balance].iter().all(|amount| amount.minor() == 0)
    }
}

fn named(names: &AccountNames, heading: AccountCode) -> String {
    names.get(&heading).cloned().unwrap_or_default()
}

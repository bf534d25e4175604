//! The balance sheet (*balance de situación*).

use serde::Serialize;
use svc_core::money::{Amount, Currency, MoneyError};
use time::Date;

use super::layout::{Language, Layout};
use super::statement::{self, Column, Section};
use super::{Closing, wire};

/// What a company has, owes and is left with on a day: the model of small and medium companies in Spain.
///
/// The result of the year, which is in no account until the year is closed, stands in equity (`result_of_the_year`)
/// beside what account 129 still holds of an earlier year.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BalanceSheet {
    /// The day, when it ends.
    #[serde(serialize_with = "wire::text")]
    pub as_of: Date,
    /// The day that it is compared with.
    #[serde(serialize_with = "wire::text_or_null")]
    pub comparative: Option<Date>,
    /// The base currency of the books.
    #[serde(serialize_with = "wire::text")]
    pub currency: Currency,
    /// `assets`, and `equity_and_liabilities`; amounts are more than zero on the side where each belongs.
    pub sections: Vec<Section>,
    /// All of `assets`.
    #[serde(serialize_with = "wire::text")]
    pub total_assets: Amount,
    /// All of `equity_and_liabilities`; the same, or what was read is not all.
    #[serde(serialize_with = "wire::text")]
    pub total_equity_and_liabilities: Amount,
}

impl BalanceSheet {
    /// The balance sheet at the end of the days of `current`, compared with that at the end of `comparative`.
    ///
    /// # Errors
    /// [`MoneyError`] when a sum is out of range, or in another currency.
    pub fn of(
        currency: Currency,
        current: &Column<'_>,
        comparative: Option<&Column<'_>>,
        closing: Closing,
        language: Language,
    ) -> Result<Self, MoneyError> {
        let layout = Layout::es_pymes_balance_sheet();
        let counted =
            |column: &Column<'_>| statement::counted(layout, column, |movement| movement.balance(closing));
        let compared = comparative.map(counted).transpose()?;
        let sections =
            statement::sections(layout, language, currency, &counted(current)?, compared.as_ref())?;
        let total = |key| statement::amount_of(&sections, key, currency);
        let (total_assets, total_equity_and_liabilities) = (total("assets"), total("equity_and_liabilities"));
        Ok(Self {
            as_of: current.period.to(),
            comparative: comparative.map(|column| column.period.to()),
            currency,
            sections,
            total_assets,
            total_equity_and_liabilities,
        })
    }

    /// The lines as CSV.
    #[must_use]
    pub fn csv(&self) -> String {
        statement::csv(&self.sections)
    }
}

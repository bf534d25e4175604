//! The profit and loss account (*cuenta de pérdidas y ganancias*).

use serde::Serialize;
use svc_core::money::{Amount, Currency, MoneyError};
use time::Date;

use super::layout::{Language, Layout};
use super::statement::{self, Column, Section};
use super::{Closing, wire};

/// What a company won and lost in some days: the model of small and medium companies in Spain.
///
/// Income is more than zero and expense less.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProfitAndLoss {
    /// The first day.
    #[serde(serialize_with = "wire::text")]
    pub from: Date,
    /// The last day.
    #[serde(serialize_with = "wire::text")]
    pub to: Date,
    /// The base currency of the books.
    #[serde(serialize_with = "wire::text")]
    pub currency: Currency,
    /// `operating_result`, `financial_result` and `income_tax`.
    pub sections: Vec<Section>,
    /// The results of these days.
    #[serde(flatten)]
    pub results: Results,
    /// The results of the days that they are compared with.
    pub comparative: Option<ComparedResults>,
}

/// The results of some days, each with what the ones before it have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Results {
    /// *Resultado de explotación*
    #[serde(serialize_with = "wire::text")]
    pub operating_result: Amount,
    /// *Resultado financiero*
    #[serde(serialize_with = "wire::text")]
    pub financial_result: Amount,
    /// *Resultado antes de impuestos*: both.
    #[serde(serialize_with = "wire::text")]
    pub result_before_tax: Amount,
    /// *Resultado del ejercicio*: with the income tax. All of groups 6 and 7, credit minus debit.
    #[serde(serialize_with = "wire::text")]
    pub result: Amount,
}

/// Other days, and their results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ComparedResults {
    /// The first day.
    #[serde(serialize_with = "wire::text")]
    pub from: Date,
    /// The last day.
    #[serde(serialize_with = "wire::text")]
    pub to: Date,
    /// The results.
    #[serde(flatten)]
    pub results: Results,
}

impl ProfitAndLoss {
    /// What was won and lost in the days of `current`, compared with those of `comparative`.
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
        let layout = Layout::es_pymes_profit_and_loss();
        let counted = |column: &Column<'_>| {
            statement::counted(layout, column, |movement| movement.sides(closing)?.balance())
        };
        let compared = comparative.map(|column| Ok((column.period, counted(column)?))).transpose()?;
        let current_counted = counted(current)?;
        let with = compared.as_ref().map(|(_, counted)| counted);
        let sections = statement::sections(layout, language, currency, &current_counted, with)?;
        let results = Results::of(&sections, currency, |section| Some(section.amount))?;
        let comparative = compared
            .map(|(period, _)| {
                let results = Results::of(&sections, currency, |section| section.comparative)?;
                Ok(ComparedResults { from: period.from(), to: period.to(), results })
            })
            .transpose()?;
        let (from, to) = (current.period.from(), current.period.to());
        Ok(Self { from, to, currency, sections, results, comparative })
    }

    /// The lines as CSV.
    #[must_use]
    pub fn csv(&self) -> String {
        statement::csv(&self.sections)
    }
}

impl Results {
    fn of(
        sections: &[Section],
        currency: Currency,
        amount: impl Fn(&Section) -> Option<Amount>,
    ) -> Result<Self, MoneyError> {
        let find = |key| {
            let section = sections.iter().find(|section| section.key == key);
            section.and_then(&amount).unwrap_or(Amount::zero(currency))
        };
        let (operating_result, financial_result) = (find("operating_result"), find("financial_result"));
        let result_before_tax = operating_result.plus(financial_result)?;
        let result = result_before_tax.plus(find("income_tax"))?;
        Ok(Self { operating_result, financial_result, result_before_tax, result })
    }
}

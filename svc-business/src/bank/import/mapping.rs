//! Which column of a table is what, as a client writes it.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use svc_core::error::{ValidationErrors, Validator};
use svc_core::wire::{Described, Parts};
use svc_core::wire_request;
use svc_statement::{AmountColumns, Column, CsvMapping, DateOrder, DecimalSeparator};

wire_request! {
    /// Which column of a table is what; each by its title, or by its place from 1.
    #[derive(Clone, Debug, Serialize)]
    pub struct StatementMapping as "BankStatementMapping" {
        /// What stands between cells; found out when left out.
        separator: Option<StatementSeparator>,
        /// Whether there is a line of titles; there is one when left out.
        has_header: Option<bool>,
        /// When the bank booked the movement.
        booking_date: StatementColumn,
        /// From when it counts for interest.
        value_date: Option<StatementColumn>,
        /// How much, with a sign, unless it stands in two columns.
        amount: Option<StatementColumn>,
        /// What the account lost.
        debit: Option<StatementColumn>,
        /// What it gained.
        credit: Option<StatementColumn>,
        /// What the bank says, in this order; 10 columns at most.
        #[serde(default)]
        description: Vec<StatementColumn>,
        /// Who paid, or was paid.
        counterparty_name: Option<StatementColumn>,
        /// The account of the other side.
        counterparty_iban: Option<StatementColumn>,
        /// A number that bank or payer gave.
        reference: Option<StatementColumn>,
        /// What the account held then.
        balance: Option<StatementColumn>,
        /// What comes first in a date; found out when left out.
        date_order: Option<StatementDateOrder>,
        /// What stands before the decimals; found out when left out.
        decimal: Option<StatementDecimal>,
    }
}

/// What stands between the cells of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementSeparator {
    /// `;`
    Semicolon,
    /// `,`
    Comma,
    /// `|`
    Bar,
    /// A tab.
    Tab,
}

svc_core::wire_names!(StatementSeparator { Semicolon = ";", Comma = ",", Bar = "|", Tab = "\t" });

/// What comes first in a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementDateOrder {
    /// 31/12/2026: `day_first`
    DayFirst,
    /// 12/31/2026: `month_first`
    MonthFirst,
    /// 26/12/31: `year_first`
    YearFirst,
}

svc_core::wire_names!(StatementDateOrder {
    DayFirst = "day_first",
    MonthFirst = "month_first",
    YearFirst = "year_first",
});

/// What stands before the decimals of an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementDecimal {
    /// 1.234,56: `comma`
    Comma,
    /// 1,234.56: `point`
    Point,
}

svc_core::wire_names!(StatementDecimal { Comma = "comma", Point = "point" });

/// A column by its title, or by its place from 1.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
#[serde(untagged)]
pub enum StatementColumn {
    /// Its title; capitals and accents do not matter.
    Title(String),
    /// Its place.
    Place(u16),
}

impl<'de> Deserialize<'de> for StatementColumn {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = || serde::de::Error::custom("expected the title of a column, or its place from 1");
        let given = Value::deserialize(deserializer)?;
        if let Some(title) = given.as_str().filter(|title| !title.trim().is_empty() && title.len() <= 200) {
            return Ok(Self::Title(title.to_owned()));
        }
        let place = given.as_u64().and_then(|place| u16::try_from(place).ok()).filter(|place| *place > 0);
        place.map(Self::Place).ok_or_else(expected)
    }
}

impl Described for StatementColumn {
    fn schema(_: &mut Parts) -> Value {
        json!({
            "oneOf": [
                {"type": "string", "minLength": 1, "maxLength": 200},
                {"type": "integer", "minimum": 1, "maximum": u16::MAX},
            ],
            "examples": ["Fecha"],
        })
    }
}

impl StatementColumn {
    fn column(&self) -> Column {
        match self {
            Self::Title(title) => Column::Name(title.clone()),
            Self::Place(place) => Column::Number(*place),
        }
    }
}

impl StatementMapping {
    /// The mapping as the reader takes it.
    ///
    /// # Errors
    /// Findings on its members.
    pub(super) fn columns(&self) -> Result<CsvMapping, ValidationErrors> {
        let mut validator = Validator::new();
        validator.require(
            self.description.len() <= 10,
            "description",
            "too_many",
            "expected at most 10 columns",
        );
        let amount = match (&self.amount, &self.debit, &self.credit) {
            (Some(amount), None, None) => Some(AmountColumns::Signed(amount.column())),
            (None, Some(debit), Some(credit)) => {
                Some(AmountColumns::Split { debit: debit.column(), credit: credit.column() })
            }
            _ => {
                validator.fail("amount", "required", "name either `amount`, or both `debit` and `credit`");
                None
            }
        };
        validator.finish().map_err(|invalid| invalid.within("mapping"))?;
        let amount = amount.unwrap_or(AmountColumns::Signed(Column::Number(1)));
        let optional = |column: &Option<StatementColumn>| column.as_ref().map(StatementColumn::column);
        let mut mapping = CsvMapping::new(self.booking_date.column(), amount);
        mapping.separator = self.separator.map(|separator| match separator {
            StatementSeparator::Semicolon => ';',
            StatementSeparator::Comma => ',',
            StatementSeparator::Bar => '|',
            StatementSeparator::Tab => '\t',
        });
        mapping.has_header = self.has_header.unwrap_or(true);
        mapping.value_date = optional(&self.value_date);
        mapping.description = self.description.iter().map(StatementColumn::column).collect();
        mapping.counterparty_name = optional(&self.counterparty_name);
        mapping.counterparty_iban = optional(&self.counterparty_iban);
        mapping.reference = optional(&self.reference);
        mapping.balance = optional(&self.balance);
        mapping.date_order = match self.date_order {
            None => DateOrder::Auto,
            Some(StatementDateOrder::DayFirst) => DateOrder::DayFirst,
            Some(StatementDateOrder::MonthFirst) => DateOrder::MonthFirst,
            Some(StatementDateOrder::YearFirst) => DateOrder::YearFirst,
        };
        mapping.decimal = match self.decimal {
            None => DecimalSeparator::Auto,
            Some(StatementDecimal::Comma) => DecimalSeparator::Comma,
            Some(StatementDecimal::Point) => DecimalSeparator::Point,
        };
        Ok(mapping)
    }
}

//! What a caller says of a table.

/// Which column is what, and how values are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvMapping {
    /// What stands between cells; `None` finds it out.
    pub separator: Option<char>,
    /// Whether there are titles above the movements. Up to twenty lines before them are passed over.
    pub has_header: bool,
    /// When it was booked.
    pub booking_date: Column,
    /// From when it counts for interest.
    pub value_date: Option<Column>,
    /// How much.
    pub amount: AmountColumns,
    /// The text; several columns are joined.
    pub description: Vec<Column>,
    /// Who paid, or was paid.
    pub counterparty_name: Option<Column>,
    /// The account of the other side.
    pub counterparty_iban: Option<Column>,
    /// A number that bank or payer gave.
    pub reference: Option<Column>,
    /// The balance after the movement.
    pub balance: Option<Column>,
    /// The order of day, month and year.
    pub date_order: DateOrder,
    /// What stands before the decimals.
    pub decimal: DecimalSeparator,
}

impl CsvMapping {
    /// A mapping of the two that no table is without; all else is absent or found out.
    #[must_use]
    pub fn new(booking_date: Column, amount: AmountColumns) -> Self {
        Self {
            separator: None,
            has_header: true,
            booking_date,
            value_date: None,
            amount,
            description: Vec::new(),
            counterparty_name: None,
            counterparty_iban: None,
            reference: None,
            balance: None,
            date_order: DateOrder::Auto,
            decimal: DecimalSeparator::Auto,
        }
    }
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Column {
    /// By its title; capitals and accents do not matter.
    Name(String),
    /// By its place, from 1.
    Number(u16),
}

/// Where the amount stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AmountColumns {
    /// In one column, with a sign.
    Signed(Column),
    /// In two columns, one of which is empty or zero in each row.
    Split {
        /// What the account lost, with or without a sign.
        debit: Column,
        /// What it gained.
        credit: Column,
    },
}

/// The order of day, month and year where the year does not come first with four digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DateOrder {
    /// Day first, unless some date of the file cannot be read so.
    #[default]
    Auto,
    /// 31/12/2026.
    DayFirst,
    /// 12/31/2026.
    MonthFirst,
    /// 26/12/31.
    YearFirst,
}

/// What stands before the decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DecimalSeparator {
    /// Found out from all amounts of the file.
    #[default]
    Auto,
    /// 1.234,56.
    Comma,
    /// 1,234.56.
    Point,
}

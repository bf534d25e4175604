//! CSV exports: a table of movements, in whatever dialect the bank has.

mod columns;
mod dates;
mod decimals;
mod mapping;
mod rows;

pub use self::mapping::{AmountColumns, Column, CsvMapping, DateOrder, DecimalSeparator};

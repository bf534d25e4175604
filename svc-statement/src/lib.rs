#![doc = include_str!("../README.md")]

mod amount;
mod camt;
mod csv;
mod date;
mod detect;
mod error;
mod iban;
mod model;
mod n43;
mod read;
mod text;

pub use self::csv::{AmountColumns, Column, CsvMapping, DateOrder, DecimalSeparator};
pub use self::detect::{Format, UnknownFormat, detect};
pub use self::error::{Place, ReadError, Wrong};
pub use self::model::{AccountRef, Movement, Statement, Warning};
pub use self::read::{Options, read};

/// The largest file, in bytes: 25 MiB.
pub const MOST_BYTES: usize = 25 * 1024 * 1024;
/// The most movements of one file, all its statements together.
pub const MOST_MOVEMENTS: usize = 200_000;
/// The longest description, in characters; what is beyond is cut off.
pub const LONGEST_DESCRIPTION: usize = 500;
/// The longest of the other texts, in characters; what is beyond is cut off.
pub const LONGEST_TEXT: usize = 140;
/// The most references of one movement; further ones are left out.
pub const MOST_REFERENCES: usize = 8;

//! One door for the three formats.

use svc_core::money::Currency;

use crate::detect::{Format, detect};
use crate::error::ReadError;
use crate::model::Statement;
use crate::{CsvMapping, MOST_BYTES, camt, csv, n43};

/// What the caller knows of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Its format; `None` finds it out by the content.
    pub format: Option<Format>,
    /// The currency of the account. Only CSV takes it: the other formats say theirs.
    pub currency: Currency,
    /// Which column is what in a CSV file; `None` goes by the names of its columns.
    pub mapping: Option<CsvMapping>,
}

impl Options {
    /// A file of any format, of an account in a currency.
    #[must_use]
    pub fn new(currency: Currency) -> Self {
        Self { format: None, currency, mapping: None }
    }
}

/// Reads the statements of a file: one for each account and period in N43 and camt.053, one in CSV.
///
/// Figures that do not agree refuse the file whole: a statement that lacks a movement is worse than none.
///
/// # Errors
/// [`ReadError`], which says what to do and has a stable [code](ReadError::code).
pub fn read(bytes: &[u8], options: &Options) -> Result<Vec<Statement>, ReadError> {
    if bytes.len() > MOST_BYTES {
        return Err(ReadError::TooLarge);
    }
    let format = options.format.or_else(|| detect(bytes));
    match format.ok_or_else(|| unsupported(bytes))? {
        Format::N43 => n43::read(bytes),
        Format::Camt053 => camt::read(bytes),
        Format::Csv => csv::read(bytes, options.currency, options.mapping.as_ref()).map(|read| vec![read]),
    }
}

/// XML says what it is; of other files only the beginning can be shown.
fn unsupported(bytes: &[u8]) -> ReadError {
    if camt::begins_as_xml(bytes)
        && let Err(error) = camt::read(bytes)
    {
        return error;
    }
    let found = if bytes.trim_ascii().is_empty() { "empty" } else { "of no known format" };
    ReadError::Unsupported { found: found.to_owned() }
}

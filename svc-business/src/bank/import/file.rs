//! A file that a client sends, and how it is read.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use svc_core::error::ValidationErrors;
use svc_core::hex::Hex;
use svc_core::money::Currency;
use svc_statement::{Format, Options, Statement};

use super::ImportFormat;
use super::mapping::StatementMapping;

/// The member that a file is sent as.
pub(super) const FILE: &str = "file";

/// How a file is to be read.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Its format; found out by its content when none is named.
    pub format: Option<Format>,
    /// Which column of a table is what; found out by their titles when none is named.
    pub mapping: Option<StatementMapping>,
}

/// A statement of a bank that was read.
#[derive(Clone, Debug)]
pub struct StatementFile {
    pub(super) name: Option<String>,
    pub(super) bytes: Vec<u8>,
    pub(super) digest: String,
    pub(super) format: ImportFormat,
    pub(super) mapping: Option<StatementMapping>,
    pub(super) statements: Vec<Statement>,
}

impl StatementFile {
    /// Reads the file of an account in a currency. This takes up to a second of one processor, and many times the size of
    /// the file.
    ///
    /// # Errors
    /// Findings on `file` and `mapping`: the [codes of the reader](svc_statement::ReadError::code) among them.
    pub fn read(
        name: Option<String>,
        bytes: Vec<u8>,
        reading: Reading,
        currency: Currency,
    ) -> Result<Self, ValidationErrors> {
        let format = reading.format.or_else(|| svc_statement::detect(&bytes));
        let mapping = reading.mapping.as_ref().map(StatementMapping::columns).transpose()?;
        let refused = reading.mapping.is_some() && format.is_some_and(|format| format != Format::Csv);
        if refused {
            return Err(ValidationErrors::one("mapping", "not_allowed", "only a table (csv) has columns"));
        }
        let options = Options { format, mapping, ..Options::new(currency) };
        let statements = svc_statement::read(&bytes, &options)
            .map_err(|error| ValidationErrors::one(FILE, error.code(), error.to_string()))?;
        Ok(Self {
            name,
            digest: Hex(&Sha256::digest(&bytes)).to_string(),
            bytes,
            // What could be read has a format.
            format: format.unwrap_or(Format::Csv).into(),
            mapping: reading.mapping,
            statements,
        })
    }
}

/// How the file of an import that waits for its job is read again.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) format: String,
    pub(super) currency: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) mapping: Option<StatementMapping>,
    /// Which of its statements are taken, in this order.
    pub(super) taken: Vec<usize>,
}

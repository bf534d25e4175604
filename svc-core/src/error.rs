//! Errors that several crates share.

use std::borrow::Cow;
use std::error::Error as StdError;

use thiserror::Error;

/// Why a store could not do what was asked.
#[derive(Debug, Error)]
pub enum StoreError {
    /// What was to be replaced is not as it was read: another unit of work changed it.
    #[error("another request changed the record")]
    Conflict,
    /// A value that must be unique is taken.
    #[error("a record with this {field} exists already")]
    Taken {
        /// Wire name of the member that clashes, for example `externalId`.
        field: &'static str,
    },
    /// The store stayed busy through every retry, or could not be reached; the same call may pass later.
    /// When it was lost in the middle of a commit, it is unknown whether that took effect.
    #[error("the database is busy or cannot be reached")]
    Busy,
    /// The store undid the unit of work so that another one could go on, as databases do with one of two that wait for
    /// each other. Nothing of it took effect: the same unit may pass at once.
    #[error("the database undid the request so that another one could go on")]
    Undone,
    /// Amounts that the store holds add up to more than an `Amount` counts. Nothing took effect.
    #[error("the amounts add up to more than can be counted")]
    OutOfRange,
    /// Anything that a caller cannot act on.
    #[error("the database failed")]
    Backend(#[source] Box<dyn StdError + Send + Sync>),
}

impl StoreError {
    /// Wraps a failure that a caller cannot act on.
    pub fn backend(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::Backend(source.into())
    }
}

/// An error with its causes, in one line.
#[must_use]
pub fn chain(error: &(dyn StdError + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.ends_with(&inner_text) {
            text.push_str(": ");
            text.push_str(&inner_text);
        }
        cause = inner.source();
    }
    text
}

/// One member of an input that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// Path of the member as the client wrote it: `address.postalCode`, `events[2]`.
    pub field: String,
    /// Stable machine-readable code: `required`, `out_of_range`, `invalid_tax_id`.
    pub code: &'static str,
    /// What is wrong and what would be right, for a person.
    pub message: Cow<'static, str>,
}

/// Every rule that an input breaks, found in one pass.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{} invalid {}", .0.len(), if .0.len() == 1 { "field" } else { "fields" })]
pub struct ValidationErrors(pub Vec<FieldError>);

impl ValidationErrors {
    /// A single broken rule.
    pub fn one(field: impl Into<String>, code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self(vec![FieldError { field: field.into(), code, message: message.into() }])
    }

    /// These findings, their paths below `prefix`.
    #[must_use]
    pub fn within(self, prefix: &str) -> Self {
        let below = |field: String| match field.as_str() {
            "" => prefix.to_owned(),
            field => format!("{prefix}.{field}"),
        };
        Self(self.0.into_iter().map(|error| FieldError { field: below(error.field), ..error }).collect())
    }
}

/// Collects broken rules so that a client sees all of them at once.
#[derive(Debug, Default)]
pub struct Validator(Vec<FieldError>);

impl Validator {
    /// Starts without findings.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Records that `field` breaks a rule.
    pub fn fail(
        &mut self,
        field: impl Into<String>,
        code: &'static str,
        message: impl Into<Cow<'static, str>>,
    ) {
        self.0.push(FieldError { field: field.into(), code, message: message.into() });
    }

    /// Records a finding unless `holds`; answers `holds`.
    pub fn require(
        &mut self,
        holds: bool,
        field: &str,
        code: &'static str,
        message: impl Into<Cow<'static, str>>,
    ) -> bool {
        if !holds {
            self.fail(field, code, message);
        }
        holds
    }

    /// Takes the value of `outcome`, or records its error under `field`.
    pub fn take<T>(
        &mut self,
        field: &str,
        code: &'static str,
        outcome: Result<T, impl std::fmt::Display>,
    ) -> Option<T> {
        outcome.map_err(|error| self.fail(field, code, error.to_string())).ok()
    }

    /// Takes over findings of a nested value, their paths below `prefix`.
    pub fn nest(&mut self, prefix: &str, nested: ValidationErrors) {
        self.0.extend(nested.within(prefix).0);
    }

    /// Whether nothing was found so far.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.0.is_empty()
    }

    /// Ends the checks.
    ///
    /// # Errors
    /// Every finding, when there is one.
    pub fn finish(self) -> Result<(), ValidationErrors> {
        if self.0.is_empty() { Ok(()) } else { Err(ValidationErrors(self.0)) }
    }
}

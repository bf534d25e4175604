//! The chain of the records of a company.

use thiserror::Error;

use super::{AnyRecord, RecordHash};

/// The first record at which a chain stops being the one that was written.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("record {at} {flaw}")]
pub struct Broken {
    /// Its place, from 0.
    pub at: usize,
    /// What is wrong.
    pub flaw: Flaw,
}

/// What is wrong with a record.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Flaw {
    /// It was written after another record than the one before it.
    #[error("does not follow the one before it")]
    Previous,
    /// It is not what was written.
    #[error("is not what was written")]
    Hash,
}

/// Verifies records in their order, from the first one or from where an earlier call ended; answers the last hash.
///
/// Records that were cut off at the end leave no trace in the others: hold the answer against the head that the store
/// keeps of the chain.
///
/// # Errors
/// [`Broken`] at the first record that does not fit.
pub fn verify_chain<'a>(
    after: Option<RecordHash>,
    records: impl IntoIterator<Item = &'a AnyRecord>,
) -> Result<Option<RecordHash>, Broken> {
    let mut last = after;
    for (at, record) in records.into_iter().enumerate() {
        if record.previous() != last {
            return Err(Broken { at, flaw: Flaw::Previous });
        }
        if !record.is_intact() {
            return Err(Broken { at, flaw: Flaw::Hash });
        }
        last = Some(record.hash());
    }
    Ok(last)
}

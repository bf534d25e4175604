//! The chain of the records of a company.

use thiserror::Error;
use time::OffsetDateTime;

use super::{AnyRecord, Compliance, Record, RecordHash, Subject, Transmission};

/// The last record of the chain of a company.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainHead {
    /// Its place, from 1.
    pub place: u64,
    /// Its hash.
    pub hash: RecordHash,
}

impl<S: Subject> Compliance<S> {
    /// The record that follows the last one of the chain, not sent to the tax office yet.
    #[must_use]
    pub fn chained(subject: S, head: Option<ChainHead>, generated_at: OffsetDateTime) -> Self {
        let record = Record::chained(subject, head.map(|head| head.hash), generated_at);
        let place = head.map_or(0, |head| head.place).saturating_add(1);
        Self { place, record, transmission: Transmission::NotSent }
    }
}

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

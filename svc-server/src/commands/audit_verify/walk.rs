//! The walk along one company's chain.
//!
//! The head is read before the records, and the walk ends there: what a
//! running server appends meanwhile is left to the next verification.

use std::time::Duration;

use svc_core::audit::{AuditReader, Broken, ChainKeys, Head, Walk};
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use thiserror::Error;
use tokio::time::Instant;

use super::Mark;

/// Records that are read at a time.
const BATCH: u32 = 1_000;
/// From one word on the progress to the next.
const TELL: Duration = Duration::from_secs(2);

/// What a walk needs.
pub(super) struct Walker<'a> {
    pub(super) reader: &'a dyn AuditReader,
    pub(super) keys: &'a ChainKeys,
    pub(super) account: AccountId,
    /// The newest record as the store remembers it apart from the records.
    pub(super) head: Option<Head>,
    /// Records that must be there.
    pub(super) expected: Vec<&'a Mark>,
}

/// How far the chain fits, and what is wrong with it then.
pub(super) struct Finding {
    pub(super) last: Option<Head>,
    pub(super) fault: Option<Fault>,
}

/// What is wrong with a log.
#[derive(Debug, Error, PartialEq, Eq)]
pub(super) enum Fault {
    /// The chain itself.
    #[error(transparent)]
    Chain(#[from] Broken),
    /// A record that was marked before has another seal now.
    #[error("record {0} is not the one that was expected")]
    Other(u64),
    /// A record that was marked before is gone.
    #[error("record {0} is expected, but the log ends before it")]
    Gone(u64),
    /// A record stands where the store knows of none.
    #[error("record {0} stands behind the newest one that the store remembers")]
    Beyond(u64),
}

impl Fault {
    /// The number of the record that does not fit.
    pub(super) const fn record(&self) -> u64 {
        match self {
            Self::Chain(Broken::Number { expected, .. } | Broken::Cut { expected, .. }) => *expected,
            Self::Chain(Broken::Seal { number } | Broken::UnknownKey { number, .. })
            | Self::Other(number)
            | Self::Gone(number)
            | Self::Beyond(number) => *number,
        }
    }
}

impl Walker<'_> {
    /// Walks from the first record to the head; tells how far it has come now and then.
    pub(super) async fn walk(&self, mut tell: impl FnMut(u64, u64)) -> Result<Finding, StoreError> {
        let end = self.head.map_or(0, |head| head.number);
        let mut walk = Walk::default();
        let mut told = Instant::now();
        while walk.number() < end {
            let mut records = self.reader.records(self.account, walk.number(), BATCH).await?;
            records.retain(|record| record.number <= end);
            if records.is_empty() {
                break;
            }
            // One at a time: what fits before a fault is told too, and marks lie in between.
            for record in &records {
                match self.keys.verify(walk, std::slice::from_ref(record)) {
                    Ok(further) => walk = further,
                    Err(broken) => return Ok(Finding { last: walk.head(), fault: Some(broken.into()) }),
                }
                if let Some(fault) = self.unexpected(walk) {
                    return Ok(Finding { last: walk.head(), fault: Some(fault) });
                }
            }
            if told.elapsed() >= TELL {
                tell(walk.number(), end);
                told = Instant::now();
            }
        }
        let gone = || self.expected.iter().map(|mark| mark.number).filter(|number| *number > end).min();
        let ended = self.head.map_or(Ok(()), |head| walk.end_at(head));
        let mut fault = ended.err().map(Fault::Chain).or_else(|| gone().map(Fault::Gone));
        if fault.is_none() {
            fault = self.beyond(end).await?.map(Fault::Beyond);
        }
        Ok(Finding { last: walk.head(), fault })
    }

    /// A record after the head. One that was appended meanwhile has moved the head in the same commit.
    async fn beyond(&self, end: u64) -> Result<Option<u64>, StoreError> {
        let Some(next) = self.reader.records(self.account, end, 1).await?.first().map(|record| record.number)
        else {
            return Ok(None);
        };
        let heads = self.reader.heads().await?;
        let now =
            heads.iter().find(|(account, _)| *account == self.account).map_or(0, |(_, head)| head.number);
        Ok(Some(next).filter(|next| *next > now))
    }

    /// A mark on the last record that names another seal.
    fn unexpected(&self, walk: Walk) -> Option<Fault> {
        let head = walk.head()?;
        let mut marks = self.expected.iter().filter(|mark| mark.number == head.number);
        marks.any(|mark| !mark.fits(head)).then_some(Fault::Other(head.number))
    }
}

#[cfg(test)]
mod tests;

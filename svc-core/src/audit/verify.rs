//! The verification of one company's log.
//!
//! 1. The newest record that the store remembers apart from the records, the head, is read before them,
//!    and the walk ends there: what a running service appends meanwhile is left to the next verification.
//! 2. The records are read in batches, from the first row of the company on, and verified one by one. Each
//!    batch begins with the last record of the one before: a second row with its number would come next.
//! 3. The walk must end at the head. A log without a head, and a company without a log, are faults: a unit
//!    of work adds records and head in one commit, and a company is never without a record.
//!
//! The first fault ends the verification of the company; what stands after it has nothing to be sealed onto.

use thiserror::Error;

use super::{AuditReader, Broken, ChainKeys, Head, Mark, Unreadable, Walk};
use crate::error::StoreError;
use crate::id::AccountId;

/// Rows that are read at a time.
const BATCH: u32 = 1_000;

/// Verifies the logs of companies.
#[derive(Clone, Copy)]
pub struct Verifier<'a> {
    /// The log.
    pub reader: &'a dyn AuditReader,
    /// The keys that records were sealed with.
    pub keys: &'a ChainKeys,
    /// Records that must be there, of any companies.
    pub expected: &'a [Mark],
}

/// How far a log fits, and what is wrong with it then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The last record that fits.
    pub last: Option<Head>,
    /// The first fault.
    pub fault: Option<Fault>,
}

/// What is wrong with a log.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// The chain itself.
    #[error(transparent)]
    Chain(#[from] Broken),
    /// A record, or the head, is nothing that the service writes.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// A record that was marked before has another seal now.
    #[error("record {0} is not the one that was expected")]
    Other(u64),
    /// A record that was marked before is gone.
    #[error("record {0} is expected, but the log ends before it")]
    Gone(u64),
    /// A record stands where the store knows of none.
    #[error("record {0} stands behind the newest one that the store remembers")]
    Beyond(u64),
    /// There are records up to this one, and the store remembers none.
    #[error("the store's memory of the newest record is gone; the records end at {0}")]
    Headless(u64),
    /// The company has no record, and the store remembers none.
    #[error("the whole log is gone: the company has no record")]
    Missing,
}

impl Fault {
    /// The number of the record that does not fit, where it is one.
    #[must_use]
    pub fn record(&self) -> Option<i64> {
        let number = match self {
            Self::Chain(Broken::Number { expected, .. } | Broken::Cut { expected, .. }) => *expected,
            Self::Chain(Broken::Seal { number } | Broken::UnknownKey { number, .. })
            | Self::Other(number)
            | Self::Gone(number)
            | Self::Beyond(number) => *number,
            Self::Unreadable(unreadable) => return unreadable.number,
            Self::Headless(_) | Self::Missing => return None,
        };
        i64::try_from(number).ok()
    }
}

impl Verifier<'_> {
    /// Walks along the log of a company; tells the number that it has come to, batch by batch.
    ///
    /// # Errors
    /// When the log cannot be read at all. What is wrong with it is in the [`Finding`].
    pub async fn verify(
        &self,
        account: AccountId,
        mut tell: impl FnMut(u64) + Send,
    ) -> Result<Finding, StoreError> {
        let head = self.reader.head(account).await?;
        let end = match &head {
            Some(Ok(head)) => head.number,
            Some(Err(_)) | None => u64::MAX,
        };
        let mut walk = Walk::default();
        let beyond = loop {
            let last = walk.number();
            let rows = self.reader.records(account, last.saturating_sub(1), BATCH).await?;
            let mut beyond = None;
            // The last record of the batch before comes first again.
            for row in rows.into_iter().skip(usize::from(last > 0)) {
                let further = match row {
                    Err(unreadable) => Err(Fault::from(unreadable)),
                    Ok(record) if record.number > end => {
                        beyond = Some(record.number);
                        break;
                    }
                    Ok(record) => self.keys.verify(walk, std::slice::from_ref(&record)).map_err(Fault::from),
                };
                match further {
                    Ok(further) => walk = further,
                    Err(fault) => return Ok(Finding { last: walk.head(), fault: Some(fault) }),
                }
                if let Some(fault) = self.unexpected(account, walk) {
                    return Ok(Finding { last: walk.head(), fault: Some(fault) });
                }
            }
            if walk.number() == last || beyond.is_some() {
                break beyond;
            }
            tell(walk.number());
        };
        let fault = match head {
            Some(Ok(head)) => walk.end_at(head).err().map(Fault::from),
            Some(Err(unreadable)) => Some(unreadable.into()),
            None => None,
        };
        let mut fault = fault.or_else(|| self.gone(account, walk));
        if fault.is_none() {
            fault = self.unremembered(account, walk, beyond).await?;
        }
        Ok(Finding { last: walk.head(), fault })
    }

    /// What the store does not remember. What was appended meanwhile has moved the head in the same commit.
    async fn unremembered(
        &self,
        account: AccountId,
        walk: Walk,
        beyond: Option<u64>,
    ) -> Result<Option<Fault>, StoreError> {
        let now = match self.reader.head(account).await? {
            Some(Ok(head)) => head.number,
            Some(Err(unreadable)) => return Ok(Some(unreadable.into())),
            None if walk.number() == 0 => return Ok(Some(Fault::Missing)),
            None => return Ok(Some(Fault::Headless(walk.number()))),
        };
        Ok(beyond.filter(|number| *number > now).map(Fault::Beyond))
    }

    /// A mark on the last record that names another seal.
    fn unexpected(&self, account: AccountId, walk: Walk) -> Option<Fault> {
        let head = walk.head()?;
        let mut marks = self.marks(account).filter(|mark| mark.number == head.number);
        marks.any(|mark| !mark.fits(head)).then_some(Fault::Other(head.number))
    }

    /// The first mark that the log ends before.
    fn gone(&self, account: AccountId, walk: Walk) -> Option<Fault> {
        let numbers = self.marks(account).map(|mark| mark.number);
        numbers.filter(|number| *number > walk.number()).min().map(Fault::Gone)
    }

    fn marks(&self, account: AccountId) -> impl Iterator<Item = &Mark> {
        self.expected.iter().filter(move |mark| mark.account == account)
    }
}

#[cfg(test)]
mod tests;

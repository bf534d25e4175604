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
//!
//! A long log is verified in parts too, by [`Verifier::verify_part`]: a part ends with the [`Mark`] of its last record, and
//! the next one begins at that record, which must still be there with that seal.

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

/// What the verification of a part came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartFinding {
    /// So far all records fit, and more may follow: what the next part begins with.
    Further(Mark),
    /// It came to the end of the log, or to a fault.
    Ended(Finding),
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

/// The newest record that the store remembers.
struct End {
    head: Option<Result<Head, Unreadable>>,
    /// No record stands behind it.
    number: u64,
}

/// How far a verification has come.
struct Steps {
    walk: Walk,
    /// A record behind the end.
    beyond: Option<u64>,
    fault: Option<Fault>,
}

impl From<Walk> for Steps {
    fn from(walk: Walk) -> Self {
        Self { walk, beyond: None, fault: None }
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
        let end = self.end(account).await?;
        let mut steps = Steps::from(Walk::default());
        while self.step(account, &end, &mut steps).await? {
            tell(steps.walk.number());
        }
        self.finding(account, end, steps).await
    }

    /// The same for `most` records, rounded up to whole batches: from the first one on, or from the mark that an earlier
    /// part ended with.
    ///
    /// # Errors
    /// When the log cannot be read at all.
    pub async fn verify_part(
        &self,
        account: AccountId,
        after: Option<&Mark>,
        most: u64,
    ) -> Result<PartFinding, StoreError> {
        let end = self.end(account).await?;
        let begun = match after {
            None => Ok(Walk::default()),
            Some(mark) => self.marked(account, mark).await?,
        };
        let mut steps = match begun {
            Ok(walk) => Steps::from(walk),
            Err(fault) => return Ok(PartFinding::Ended(Finding { last: None, fault: Some(fault) })),
        };
        let enough = steps.walk.number().saturating_add(most);
        while self.step(account, &end, &mut steps).await? {
            if let Some(head) = steps.walk.head().filter(|head| head.number >= enough) {
                return Ok(PartFinding::Further(Mark::of(account, head)));
            }
        }
        self.finding(account, end, steps).await.map(PartFinding::Ended)
    }

    /// The newest record that the store remembers before the walk, and its number.
    async fn end(&self, account: AccountId) -> Result<End, StoreError> {
        let head = self.reader.head(account).await?;
        let number = match &head {
            Some(Ok(head)) => head.number,
            Some(Err(_)) | None => u64::MAX,
        };
        Ok(End { head, number })
    }

    /// The walk up to a record that was marked.
    async fn marked(&self, account: AccountId, mark: &Mark) -> Result<Result<Walk, Fault>, StoreError> {
        let row = self.reader.records(account, mark.number.saturating_sub(1), 1).await?.into_iter().next();
        Ok(match row {
            None => Err(Fault::Gone(mark.number)),
            Some(Err(unreadable)) => Err(unreadable.into()),
            Some(Ok(record)) => {
                let head = Head { number: record.number, seal: record.seal };
                if mark.fits(head) { Ok(Walk::at(head)) } else { Err(Fault::Other(mark.number)) }
            }
        })
    }

    /// Reads one batch and walks along it; answers whether another may follow.
    async fn step(&self, account: AccountId, end: &End, steps: &mut Steps) -> Result<bool, StoreError> {
        let last = steps.walk.number();
        let rows = self.reader.records(account, last.saturating_sub(1), BATCH).await?;
        // The last record of the batch before comes first again.
        for row in rows.into_iter().skip(usize::from(last > 0)) {
            let further = match row {
                Err(unreadable) => Err(Fault::from(unreadable)),
                Ok(record) if record.number > end.number => {
                    steps.beyond = Some(record.number);
                    break;
                }
                Ok(record) => {
                    self.keys.verify(steps.walk, std::slice::from_ref(&record)).map_err(Fault::from)
                }
            };
            match further {
                Ok(further) => steps.walk = further,
                Err(fault) => steps.fault = Some(fault),
            }
            steps.fault = steps.fault.take().or_else(|| self.unexpected(account, steps.walk));
            if steps.fault.is_some() {
                return Ok(false);
            }
        }
        Ok(steps.walk.number() != last && steps.beyond.is_none())
    }

    /// What the walk found, at the end of the log or at a fault.
    async fn finding(&self, account: AccountId, end: End, steps: Steps) -> Result<Finding, StoreError> {
        let Steps { walk, beyond, fault } = steps;
        if fault.is_some() {
            return Ok(Finding { last: walk.head(), fault });
        }
        let fault = match end.head {
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

//! By how many days what is overdue is told apart.

use std::str::FromStr;

use thiserror::Error;
use time::Date;

/// Most numbers of days.
const MOST: usize = 12;

/// The numbers of days at which buckets end, ascending: `30,60,90` are 1 to 30 days, 31 to 60, 61 to 90, and more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buckets(Vec<u16>);

/// Not the ends of buckets.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("expected 1 to {MOST} ascending numbers of days, such as 30,60,90")]
pub struct BucketsError;

impl Buckets {
    /// The bucket, from 0, of what was due on one day and is open on another; `None` when it is not overdue.
    pub(super) fn of(&self, due: Date, as_of: Date) -> Option<usize> {
        let days = (as_of - due).whole_days();
        (days > 0).then(|| self.0.partition_point(|end| i64::from(*end) < days))
    }

    /// The first and the last number of days of each bucket; the last bucket has no end.
    pub fn spans(&self) -> impl ExactSizeIterator<Item = (u16, Option<u16>)> {
        let starts = std::iter::once(0).chain(self.0.iter().copied());
        let ends: Vec<Option<u16>> = self.0.iter().copied().map(Some).chain([None]).collect();
        let spans: Vec<_> = starts.map(|before| before.saturating_add(1)).zip(ends).collect();
        spans.into_iter()
    }
}

impl Default for Buckets {
    fn default() -> Self {
        Self(vec![30, 60, 90])
    }
}

impl FromStr for Buckets {
    type Err = BucketsError;

    fn from_str(text: &str) -> Result<Self, BucketsError> {
        let plain =
            |part: &&str| (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        let mut ends: Vec<u16> = Vec::new();
        for part in text.split(',') {
            let end = Some(part).filter(plain).and_then(|part| part.parse().ok()).ok_or(BucketsError)?;
            let before = ends.last().copied().unwrap_or(0);
            if end <= before || ends.len() == MOST {
                return Err(BucketsError);
            }
            ends.push(end);
        }
        Ok(Self(ends))
    }
}

//! Fiscal years: spans that follow each other without gaps, and are closed one after the other.
//!
//! Closing a year posts three entries. The *regularisation* moves each balance of groups 6 and 7 to the result of the
//! year (*129*). The *closing* brings each balance that is left to zero. The *opening* in the next year is its
//! mirror. Reopening reverses all three. What is judged here takes the facts that it needs; the entries themselves are
//! posted as any other is.

mod close;
mod closing;
mod create;
mod input;
mod lines;
mod next;
mod place;
mod record;
mod span;
#[cfg(test)]
mod tests;

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, FiscalYearId, JournalEntryId, UserId};
use svc_core::resource::Version;
use time::Date;

pub use self::close::{CloseRefused, ReopenRefused};
pub(crate) use self::closing::reopen;
pub use self::closing::{CloseRequest, ClosingRefused, close};
pub use self::create::create;
pub use self::input::FiscalYearInput;
pub use self::lines::{Balance, ClosingError, ClosingLine, ClosingLines};
pub use self::next::open_next;
pub use self::place::{YearRefused, judge_place, open_year};
pub use self::record::{YearFilter, YearSort, YearStatusFilter};
pub use self::span::{Span, SpanError};
use crate::party::Extension;

/// A fiscal year of a company.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FiscalYear {
    /// Its id.
    pub id: FiscalYearId,
    /// The company whose books it divides.
    pub company: AccountId,
    /// What people call it, such as `2025`.
    pub name: String,
    /// Its first and last day.
    pub span: Span,
    /// Whether entries are still posted in it.
    pub status: YearStatus,
    /// An integrator's own data.
    pub extension: Extension,
    /// Counts its changes.
    pub version: Version,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Whether entries are posted in a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum YearStatus {
    /// They are.
    Open,
    /// They are not any more.
    Closed {
        /// Since when.
        at: Timestamp,
        /// The person who closed it; `None` for an integration or the service itself.
        by: Option<UserId>,
        /// What closing posted.
        entries: ClosingEntries,
    },
}

svc_core::state_names!(YearStatus { Open = "open", Closed { .. } = "closed" });

/// What closing a year posted; a year without balances of a kind has no entry for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClosingEntries {
    /// Groups 6 and 7 to the result.
    pub regularisation: Option<JournalEntryId>,
    /// Every balance to zero.
    pub closing: Option<JournalEntryId>,
    /// Every balance again, in the next year.
    pub opening: Option<JournalEntryId>,
}

impl ClosingEntries {
    /// Those that there are, in the order in which they were posted.
    pub fn iter(&self) -> impl Iterator<Item = JournalEntryId> {
        [self.regularisation, self.closing, self.opening].into_iter().flatten()
    }
}

impl FiscalYear {
    /// Whether entries of this date belong to it.
    #[must_use]
    pub fn contains(&self, date: Date) -> bool {
        self.span.contains(date)
    }

    /// Whether entries are still posted in it.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        matches!(self.status, YearStatus::Open)
    }
}

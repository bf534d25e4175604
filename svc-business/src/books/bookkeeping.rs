//! What the books of a company write by themselves: for a document, for a payment, for a tax return.

use svc_core::error::StoreError;
use svc_core::id::{JournalEntryId, PaymentId};
use svc_core::refused::Refused;
use svc_core::resource::Lock;
use thiserror::Error;
use time::Date;

use crate::books::book::{self, Book, Mode};
use crate::books::entry::{Entry, EntryStatus, PostRefused, ReverseRefused, Source};
use crate::books::fiscal_year::open_year;
use crate::books::journal::Posting;
use crate::books::lock::Locks;
use crate::catalogue::event;
use crate::ports::DynBooksUnit;
use crate::record::{Home, replace};

/// The books of the company, whose locks and settings stay as they are until the unit ends.
pub(crate) struct Books<'u> {
    pub(crate) home: Home<'u, DynBooksUnit>,
    pub(crate) book: Book,
}

/// Why the books do not take the entry of a document.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BooksRefused {
    /// It cannot be posted.
    #[error(transparent)]
    Post(#[from] PostRefused),
    /// It cannot be reversed.
    #[error(transparent)]
    Reverse(#[from] ReverseRefused),
}

impl<'u> Books<'u> {
    pub(crate) async fn open(home: Home<'u, DynBooksUnit>) -> Result<Self, Refused<BooksRefused>> {
        let book = book::locked(&home, Lock::Shared, &[]).await?;
        Ok(Self { home, book })
    }

    /// The same, whose locks and settings this unit alone changes: until it ends, no other one posts in the company.
    pub(crate) async fn alone(home: Home<'u, DynBooksUnit>) -> Result<Self, Refused<BooksRefused>> {
        let book = book::locked(&home, Lock::Exclusive, &[]).await?;
        Ok(Self { home, book })
    }

    /// Writes an entry as the books say: at once, as a draft, or not at all. Answers its id.
    pub(crate) async fn write(
        &self,
        mode: Mode,
        entry: Option<Entry>,
    ) -> Result<Option<JournalEntryId>, Refused<BooksRefused>> {
        let Some(entry) = entry else { return Ok(None) };
        let written = match mode {
            Mode::Off => return Ok(None),
            Mode::Draft => self.home.add::<Entry, BooksRefused>(entry).await?,
            Mode::Post => {
                let posting = Posting::open(&self.home, &[entry.date]).await;
                let mut posting = posting.map_err(|refused| refused.map(BooksRefused::Post))?;
                let posted = posting.add(entry).await.map_err(|refused| refused.map(BooksRefused::Post))?;
                posting.finish().await?;
                posted
            }
        };
        Ok(Some(written.id))
    }

    /// Says when what a document's entry opened is due now. Emits `journal_entry.update` where that changes the entry.
    pub(crate) async fn put_off(&self, entry: Option<JournalEntryId>, due: Date) -> Result<(), StoreError> {
        let Some(before) = self.find(entry).await? else { return Ok(()) };
        let after = before.clone().due_on(due);
        if after == before {
            return Ok(());
        }
        let after = replace(self.home.unit, self.home.call, &before, after).await?;
        self.home.publish(const { event("journal_entry.update") }, &after, None).await
    }

    /// Takes an entry back on the company's present day: a posted one by a reversal, a draft by erasing it.
    pub(crate) async fn undo(&self, entry: Option<Entry>) -> Result<(), Refused<BooksRefused>> {
        let today = self.home.company.local_date(self.home.call.now);
        self.undo_from(entry, today).await
    }

    /// Takes an entry back on its own day, so that it counts in no period; as [`undo`](Self::undo) does where that day is in no
    /// open year, or before the end of `locks`.
    pub(crate) async fn undo_as_of_then(
        &self,
        entry: Option<Entry>,
        locks: Locks,
    ) -> Result<(), Refused<BooksRefused>> {
        let Some(day) = entry.as_ref().map(|entry| entry.date) else { return Ok(()) };
        let years = self.home.unit.fiscal_years().of_company(self.home.company.id).await?;
        if open_year(&years, day).is_ok() && locks.judge(day).is_ok() {
            return self.undo_from(entry, day).await;
        }
        self.undo(entry).await
    }

    /// Takes an entry back on this day, or on its own one where that is later.
    async fn undo_from(&self, entry: Option<Entry>, day: Date) -> Result<(), Refused<BooksRefused>> {
        let (home, Some(entry)) = (&self.home, entry) else { return Ok(()) };
        let Some(entry) = self.counting(entry).await? else { return Ok(()) };
        match entry.status {
            EntryStatus::Draft => {
                home.unit.journal().erase(home.call.scope, &entry).await?;
                home.publish(const { event("journal_entry.delete") }, &entry, None).await?;
            }
            EntryStatus::Posted { .. } => {
                // An entry may be dated ahead of today.
                let date = day.max(entry.date);
                let posting = Posting::open(home, &[date]).await;
                let mut posting = posting.map_err(|refused| refused.map(BooksRefused::Post))?;
                let reversed = posting.reverse(entry, date, None).await;
                reversed.map_err(|refused| refused.map(BooksRefused::Reverse))?;
                posting.finish().await?;
            }
            EntryStatus::Reversed { .. } => {}
        }
        Ok(())
    }

    /// The entry by which another one counts still: itself, or the last one of an even row of reversals that people made.
    pub(crate) async fn counting(&self, entry: Entry) -> Result<Option<Entry>, StoreError> {
        let (mut last, mut counts) = (entry, true);
        while let EntryStatus::Reversed { by, .. } = last.status {
            let reversal = self.find(Some(by)).await?;
            last = reversal.ok_or_else(|| StoreError::backend("the reversal of an entry is missing"))?;
            counts = !counts;
        }
        Ok(counts.then_some(last))
    }

    /// The entry with this id.
    pub(crate) async fn find(&self, id: Option<JournalEntryId>) -> Result<Option<Entry>, StoreError> {
        let Some(id) = id else { return Ok(None) };
        self.home.unit.journal().find(self.home.call.scope, id).await
    }

    /// The entry of a payment in this role.
    pub(crate) async fn of_payment(
        &self,
        payment: PaymentId,
        role: &str,
    ) -> Result<Option<Entry>, StoreError> {
        let source = Source::new("payment", &payment.to_string(), role).map_err(StoreError::backend)?;
        self.home.unit.journal().made_by(self.home.company.id, &source).await
    }
}

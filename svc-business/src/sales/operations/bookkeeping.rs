//! What the books of the company write by themselves.

use svc_core::id::JournalEntryId;
use svc_core::refused::Refused;
use svc_core::resource::Lock;

use super::SalesRefused;
use crate::books::account::AccountCode;
use crate::books::book::{self, Book, Mode, Subledger};
use crate::books::entry::{Entry, EntryStatus};
use crate::books::journal::Posting;
use crate::catalogue::event;
use crate::contact::Contact;
use crate::ports::{DynBooksUnit, DynSalesUnit};
use crate::record::Home;
use crate::sales::document::{Ids, SalesDocument};
use crate::sales::journal::JournalSetting;

/// The books of the company, whose locks and settings stay as they are until the unit ends.
pub(super) struct Books<'u> {
    home: Home<'u, DynBooksUnit>,
    pub(super) book: Book,
}

impl<'u> Books<'u> {
    pub(super) async fn open(home: &Home<'u, DynSalesUnit>) -> Result<Self, Refused<SalesRefused>> {
        let home = Home { unit: home.unit as &DynBooksUnit, call: home.call, company: home.company.clone() };
        let book = book::locked(&home, Lock::Shared, &[]).await?;
        Ok(Self { home, book })
    }

    /// What the entries of a document are made with.
    pub(super) fn setting<'a>(&'a self, customer: Option<&Contact>, ids: Ids<'a>) -> JournalSetting<'a> {
        let own = customer.and_then(|contact| contact.receivable_account_code.as_deref());
        let own = own.filter(|_| self.book.subledger == Subledger::Individual);
        let receivable = own.and_then(|code| code.parse::<AccountCode>().ok());
        JournalSetting { accounts: &self.book.default_accounts, receivable, reductions: None, ids }
    }

    /// Writes an entry as the books say: at once, as a draft, or not at all. Answers its id.
    pub(super) async fn write(
        &self,
        mode: Mode,
        entry: Option<Entry>,
    ) -> Result<Option<JournalEntryId>, Refused<SalesRefused>> {
        let Some(entry) = entry else { return Ok(None) };
        let written = match mode {
            Mode::Off => return Ok(None),
            Mode::Draft => self.home.add::<Entry, SalesRefused>(entry).await?,
            Mode::Post => {
                let posting = Posting::open(&self.home, &[entry.date]).await;
                let mut posting = posting.map_err(|refused| refused.map(SalesRefused::Post))?;
                let posted = posting.add(entry).await.map_err(|refused| refused.map(SalesRefused::Post))?;
                posting.finish().await?;
                posted
            }
        };
        Ok(Some(written.id))
    }

    /// Takes an entry back on the company's present day: a posted one by a reversal, a draft by erasing it.
    pub(super) async fn undo(&self, entry: Option<Entry>) -> Result<(), Refused<SalesRefused>> {
        let (home, Some(entry)) = (&self.home, entry) else { return Ok(()) };
        match entry.status {
            EntryStatus::Draft => {
                home.unit.journal().erase(home.call.scope, &entry).await?;
                home.publish(const { event("journal_entry.delete") }, &entry, None).await?;
            }
            EntryStatus::Posted { .. } => {
                let today = home.company.local_date(home.call.now);
                // An entry may be dated ahead of today.
                let date = today.max(entry.date);
                let posting = Posting::open(home, &[date]).await;
                let mut posting = posting.map_err(|refused| refused.map(SalesRefused::Post))?;
                let reversed = posting.reverse(entry, date, None).await;
                reversed.map_err(|refused| refused.map(SalesRefused::Reverse))?;
                posting.finish().await?;
            }
            // A person undid it already.
            EntryStatus::Reversed { .. } => {}
        }
        Ok(())
    }

    /// The entry of an issued document.
    pub(super) async fn entry_of(
        &self,
        document: &SalesDocument,
    ) -> Result<Option<Entry>, Refused<SalesRefused>> {
        let Some(id) = document.issue_data().and_then(|issue| issue.journal_entry) else { return Ok(None) };
        Ok(self.home.unit.journal().find(self.home.call.scope, id).await?)
    }
}

//! Posting: numbers are given one after the other.

use std::collections::BTreeSet;

use svc_core::error::{StoreError, ValidationErrors};
use svc_core::id::{ContactId, JournalEntryId, JournalLineId, TypedId as _};
use svc_core::refused::Refused;
use svc_core::resource::{Lock, Version};
use time::Date;

use super::rules::known_accounts;
use crate::books::account::AccountCode;
use crate::books::book::{self, Book};
use crate::books::entry::{
    Books, Entry, EntryKind, EntryStatus, FxRate, Head, Line, Movement, PostRefused, Reversal, ReverseRefused,
};
use crate::books::fiscal_year::{FiscalYear, YearRefused, open_year};
use crate::catalogue::event;
use crate::party::Extension;
use crate::ports::DynBooksUnit;
use crate::record::{Home, JOURNAL, replace};

/// The books of a company held to post entries on some dates: until the unit of work ends, no other one posts in the
/// company, and no lock date moves.
///
/// [`Posting::finish`] keeps where the numbers are; a unit that leaves it out does not commit.
pub struct Posting<'h, 'u> {
    home: &'h Home<'u, DynBooksUnit>,
    /// The books.
    pub book: Book,
    years: Vec<(FiscalYear, Option<Head>)>,
}

impl<'h, 'u> Posting<'h, 'u> {
    /// Holds the books, their journal, and the years of these dates.
    ///
    /// # Errors
    /// [`Refused::Own`] when one of them is in no open year.
    pub async fn open(
        home: &'h Home<'u, DynBooksUnit>,
        dates: &[Date],
    ) -> Result<Self, Refused<PostRefused>> {
        let company = home.company.id;
        let known = home.unit.fiscal_years().of_company(company).await?;
        let mut wanted = BTreeSet::new();
        for date in dates {
            let year = known.iter().find(|year| year.contains(*date));
            wanted.insert(year.ok_or_else(|| own(YearRefused::None { date: *date }))?.id);
        }
        let years = wanted.iter().map(|year| (year.uuid(), Lock::Exclusive));
        let locks: Vec<_> = years.chain([JOURNAL]).collect();
        let book = book::locked(home, Lock::Shared, &locks).await?;
        // As they are once they are held.
        let ids: Vec<_> = wanted.into_iter().collect();
        let mut years = Vec::new();
        for year in home.unit.fiscal_years().find_all(home.call.scope, &ids).await? {
            let head = home.unit.journal().head(company, year.id).await?;
            years.push((year, head));
        }
        let posting = Self { home, book, years };
        dates.iter().try_for_each(|date| posting.year(*date).map(drop))?;
        Ok(posting)
    }

    fn year(&self, date: Date) -> Result<usize, Refused<PostRefused>> {
        let held: Vec<_> = self.years.iter().map(|(year, _)| year.clone()).collect();
        let year = open_year(&held, date).map_err(own)?;
        let place = held.iter().position(|held| held.id == year.id);
        place.ok_or_else(|| Refused::Store(StoreError::backend("the year is not held")))
    }

    /// Posts a draft that is kept already. Emits `journal_entry.post`.
    ///
    /// # Errors
    /// [`Refused`] with [`PostRefused`].
    pub async fn post(&mut self, draft: Entry) -> Result<Entry, Refused<PostRefused>> {
        let posted = self.sealed(draft.clone()).await?;
        let posted = replace(self.home.unit, self.home.call, &draft, posted).await?;
        self.home.publish(const { event("journal_entry.post") }, &posted, None).await?;
        Ok(posted)
    }

    /// Adds an entry and posts it. Emits `journal_entry.create` and `journal_entry.post`.
    ///
    /// # Errors
    /// [`Refused`] with [`PostRefused`].
    pub async fn add(&mut self, draft: Entry) -> Result<Entry, Refused<PostRefused>> {
        let posted = self.sealed(draft).await?;
        let posted = self.home.add(posted).await?;
        self.home.publish(const { event("journal_entry.post") }, &posted, None).await?;
        Ok(posted)
    }

    async fn sealed(&mut self, draft: Entry) -> Result<Entry, Refused<PostRefused>> {
        let (base, counted) = (self.home.company.base_currency, draft.base_currency);
        if counted != base {
            let message =
                format!("the entry counts in {counted}, and the books of the company in {base} since");
            return Err(ValidationErrors::one("lines", "invalid_currency", message).into());
        }
        let accounts = known_accounts(self.home, self.book.subledger, &draft).await?;
        let place = self.year(draft.date)?;
        let Some((year, head)) = self.years.get_mut(place) else {
            return Err(Refused::Store(StoreError::backend("the year is not held")));
        };
        let books = Books { locks: &self.book.locks, year, head: *head };
        let posted = draft.post(&accounts, &books, self.home.call.now, self.home.call.actor.user());
        let posted = posted.map_err(Refused::Own)?;
        *head = head_of(&posted);
        Ok(posted)
    }

    /// Undoes a posted entry on a date: the tags of a period whose return is submitted are undone on that date too.
    /// Answers the entry, marked, and its reversal. Emits `journal_entry.create` and `journal_entry.post` for the
    /// reversal and `journal_entry.update` for the entry.
    ///
    /// # Errors
    /// [`Refused`] with [`ReverseRefused`].
    pub async fn reverse(
        &mut self,
        entry: Entry,
        date: Date,
        description: Option<String>,
    ) -> Result<(Entry, Entry), Refused<ReverseRefused>> {
        let (home, call) = (self.home, self.home.call);
        let company = home.company.id;
        // What is matched with a line holds its entry.
        let alone = [(entry.id.uuid(), Lock::Exclusive)];
        home.unit.accounts().find_locked(call.scope, company, Lock::Shared, &alone).await?;
        let lines: Vec<_> = entry.lines.iter().map(|line| line.id).collect();
        if home.unit.journal().is_matched(company, &lines).await? {
            return Err(Refused::Own(ReverseRefused::Matched));
        }
        let place = self.year(date).map_err(|refused| refused.map(ReverseRefused::Post))?;
        let Some((year, head)) = self.years.get_mut(place) else {
            return Err(Refused::Store(StoreError::backend("the year is not held")));
        };
        let books = Books { locks: &self.book.locks, year, head: *head };
        let submitted = entry.tax_tags.iter().any(|tag| books.locks.judge_tax(tag.tax_date).is_err());
        let reversal = Reversal {
            id: JournalEntryId::generate(call.now, call.random),
            date,
            description,
            tax_date: submitted.then_some(date),
        };
        let line_id = || JournalLineId::generate(call.now, call.random);
        let reversed = entry.clone().reverse(reversal, &books, call.now, call.actor.user(), line_id);
        let reversed = reversed.map_err(Refused::Own)?;
        *head = head_of(&reversed.reversal);
        // The original first, in the order of a merge of its contacts: entries, then what is open with a contact.
        let original = replace(home.unit, call, &entry, reversed.original).await?;
        home.unit.journal().insert(call.scope, &reversed.reversal).await?;
        let of = ("reverses_id", entry.id.to_string().into());
        home.publish(const { event("journal_entry.create") }, &reversed.reversal, Some(of)).await?;
        home.publish(const { event("journal_entry.post") }, &reversed.reversal, None).await?;
        home.publish(const { event("journal_entry.update") }, &original, None).await?;
        Ok((original, reversed.reversal))
    }

    /// Keeps the last number and hash of each year.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn finish(self) -> Result<(), StoreError> {
        for (_, head) in self.years {
            if let Some(head) = head {
                self.home.unit.journal().set_head(self.home.company.id, head).await?;
            }
        }
        Ok(())
    }
}

fn own(refused: YearRefused) -> Refused<PostRefused> {
    Refused::Own(PostRefused::Year(refused))
}

fn head_of(posted: &Entry) -> Option<Head> {
    let posting = posted.status.posting()?;
    Some(Head { year: posting.year, number: posting.number, hash: posting.hash })
}

/// A draft in the base currency that the service makes.
#[must_use]
pub fn entry_of(
    home: &Home<'_, DynBooksUnit>,
    kind: EntryKind,
    date: Date,
    description: String,
    lines: impl IntoIterator<Item = (AccountCode, Option<ContactId>, Movement)>,
) -> Entry {
    let call = home.call;
    let line = |(account, contact, movement)| Line {
        id: JournalLineId::generate(call.now, call.random),
        account,
        movement,
        amount_currency: None,
        contact,
        posted_contact: None,
        description: None,
        due_date: None,
        posted_due_date: None,
        dimensions: std::collections::BTreeMap::new(),
    };
    Entry {
        id: JournalEntryId::generate(call.now, call.random),
        company: home.company.id,
        kind,
        date,
        description,
        reference: None,
        base_currency: home.company.base_currency,
        currency: home.company.base_currency,
        fx_rate: FxRate::ONE,
        lines: lines.into_iter().map(line).collect(),
        tax_tags: Vec::new(),
        source: None,
        reverses: None,
        closes_year: false,
        opens_year: false,
        status: EntryStatus::Draft,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: call.now,
        updated_at: call.now,
    }
}

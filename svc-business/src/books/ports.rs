//! What the rules of accounting need from outside.

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, ContactId, FiscalYearId, JournalLineId};
use svc_core::money::{Amount, Currency};
use svc_core::page::{Page, PageRequest, Sort};
use svc_core::resource::{Erase, ResourceReader, ResourceStore};
use svc_core::tenant::Scope;
use time::Date;

use super::account::AccountCode;
use super::asset::FixedAsset;
use super::book::Book;
use super::entry::{Entry, Head, Source};
use super::fiscal_year::{Balance, FiscalYear, Span};
use super::journal::{JournalLine, LineFilter, LineSort};
use super::ledger::{LedgerAccount, Sum, Sums};
use super::report::{
    AgedSide, CountedIn, DueQuery, DueSum, LedgerQuery, OpenBalance, Period, PostedLine, TaggedEntry,
};

/// Reads books.
#[async_trait]
pub trait BookReader: ResourceReader<Book> {
    /// Active companies without books, at most `limit`.
    async fn missing(&self, limit: u32) -> Result<Vec<AccountId>, StoreError>;
}

/// Changes books. Adding those of a company that has some is [`StoreError::Conflict`].
pub trait BookStore: BookReader + ResourceStore<Book> {}

/// Reads accounts of ledgers, and what they hold.
#[async_trait]
pub trait LedgerReader: ResourceReader<LedgerAccount> {
    /// The accounts of a company with these codes, in no order; codes that name none are left out.
    async fn with_codes(
        &self,
        company: AccountId,
        codes: &[AccountCode],
    ) -> Result<Vec<LedgerAccount>, StoreError>;

    /// Every account and heading of a company, in the order of their codes.
    async fn all(&self, company: AccountId) -> Result<Vec<LedgerAccount>, StoreError>;

    /// Whether a line of an entry, be it a draft, names the account.
    async fn has_lines(&self, company: AccountId, code: AccountCode) -> Result<bool, StoreError>;

    /// Whether it counts a bank account of the company, be that archived.
    async fn counts_money(&self, company: AccountId, code: AccountCode) -> Result<bool, StoreError>;

    /// What the posted lines add up to, in the base currency, in the order of the codes; accounts without lines are
    /// left out.
    ///
    /// # Implementing this method
    /// It costs what accounts and months there are, not what lines there are: sums of whole months are kept in the
    /// commit of each posting, and only lines of the last month are read.
    async fn sums(&self, company: AccountId, currency: Currency, sums: &Sums)
    -> Result<Vec<Sum>, StoreError>;

    /// What the posted lines of some accounts add up to, day by day from the first to the last one, in the base currency;
    /// days that add up to nothing may be left out. What closes a fiscal year counts on the day after it, on which the next
    /// one takes it up.
    async fn daily(
        &self,
        company: AccountId,
        currency: Currency,
        accounts: &[AccountCode],
        days: (Date, Date),
    ) -> Result<Vec<(Date, Amount)>, StoreError>;

    /// What the posted lines of a span of days add up to, account by account and lines of a contact apart, in the order
    /// of the codes. What adds up to nothing is left out.
    async fn balances(
        &self,
        company: AccountId,
        currency: Currency,
        span: Span,
    ) -> Result<Vec<Balance>, StoreError>;
}

/// Changes accounts of ledgers.
///
/// # Implementing this port
/// A code that another account of the company has is [`StoreError::Taken`] with `code`.
#[async_trait]
pub trait LedgerStore: LedgerReader + ResourceStore<LedgerAccount> + Erase<LedgerAccount> {
    /// Adds the accounts of new books, all of one company.
    async fn insert_all(&self, accounts: &[LedgerAccount]) -> Result<(), StoreError>;

    /// Puts these accounts in the place of all that the company has; no line names one of those.
    async fn replace_all(&self, company: AccountId, accounts: &[LedgerAccount]) -> Result<(), StoreError>;
}

/// Reads fiscal years.
#[async_trait]
pub trait FiscalYearReader: ResourceReader<FiscalYear> {
    /// Every year of a company, in their order.
    async fn of_company(&self, company: AccountId) -> Result<Vec<FiscalYear>, StoreError>;
}

/// Changes fiscal years.
pub trait FiscalYearStore: FiscalYearReader + ResourceStore<FiscalYear> {}

/// Reads what reports show line by line. Only posted entries count, reversed ones among them.
#[async_trait]
pub trait ReportReader: Send + Sync {
    /// The lines of a general ledger with their accounts, by date, number of the entry and position, at most `limit`.
    async fn ledger_lines(
        &self,
        company: AccountId,
        currency: Currency,
        asked: &LedgerQuery,
        limit: u32,
    ) -> Result<Vec<(AccountCode, PostedLine)>, StoreError>;

    /// What the lines of a contact add up to before a day, account by account, what closed years among them.
    async fn contact_sums(
        &self,
        company: AccountId,
        currency: Currency,
        contact: ContactId,
        before: Date,
    ) -> Result<Vec<Sum>, StoreError>;

    /// The entries of some days after this date and number, in the order of both, at most `limit`.
    async fn posted_within(
        &self,
        company: AccountId,
        period: Period,
        after: Option<(Date, u64)>,
        limit: u32,
    ) -> Result<Vec<Entry>, StoreError>;

    /// What the lines of customers (*43*), or of suppliers and creditors (*40*, *41*), add up to when a day ends, by
    /// contacts, in no order; what is zero is left out, and so is what closed years and what opened them.
    ///
    /// # Implementing this port
    /// The balances of the present are kept with each posting: the report of a day near it must not read all lines.
    async fn open_balances(
        &self,
        company: AccountId,
        currency: Currency,
        side: AgedSide,
        as_of: Date,
    ) -> Result<Vec<OpenBalance>, StoreError>;

    /// What debits, or credits, of these contacts add up to by the days on which they are due: the last days of each
    /// contact, in no order. What closes years and what opens them is left out.
    async fn due_sums(
        &self,
        company: AccountId,
        currency: Currency,
        asked: DueQuery,
        contacts: &[Option<ContactId>],
    ) -> Result<Vec<DueSum>, StoreError>;

    /// The tags whose taxes fell due in some days, in no order, at most `limit`.
    async fn tags_within(
        &self,
        company: AccountId,
        period: Period,
        limit: u32,
    ) -> Result<Vec<TaggedEntry>, StoreError>;

    /// How many of each of these were posted, in their order.
    async fn counted(&self, asked: &[CountedIn]) -> Result<Vec<u64>, StoreError>;
}

/// Reads journals.
#[async_trait]
pub trait JournalReader: ReportReader + ResourceReader<Entry> {
    /// One page of the lines that match.
    async fn lines(
        &self,
        scope: &Scope,
        filter: &LineFilter,
        sort: &Sort<LineSort>,
        page: PageRequest,
    ) -> Result<Page<JournalLine>, StoreError>;

    /// The line with this id.
    async fn line(&self, scope: &Scope, id: JournalLineId) -> Result<Option<JournalLine>, StoreError>;

    /// Whether a bank movement of the company stands against one of these lines.
    async fn is_matched(&self, company: AccountId, lines: &[JournalLineId]) -> Result<bool, StoreError>;

    /// Whether a company has any entry, be it a draft.
    async fn has_entries(&self, company: AccountId) -> Result<bool, StoreError>;

    /// How many drafts of a company are dated in a span of days.
    async fn drafts_in(&self, company: AccountId, span: Span) -> Result<u64, StoreError>;

    /// The last posted entry of a year; `None` when there is none.
    async fn head(&self, company: AccountId, year: FiscalYearId) -> Result<Option<Head>, StoreError>;

    /// The entry that this made.
    async fn made_by(&self, company: AccountId, source: &Source) -> Result<Option<Entry>, StoreError>;

    /// The posted entries of a year with numbers after `after`, in their order, at most `limit`.
    async fn posted_after(
        &self,
        company: AccountId,
        year: FiscalYearId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<Entry>, StoreError>;
}

/// Changes journals.
///
/// # Implementing this port
/// Two entries of a company with the same source are [`StoreError::Taken`] with `source`; two with the same number in
/// a year are a conflict.
#[async_trait]
pub trait JournalStore: JournalReader + ResourceStore<Entry> + Erase<Entry> {
    /// Keeps the last posted entry of a year. The unit has the year locked
    /// [`Exclusive`](svc_core::resource::Lock::Exclusive), so that numbers have no gaps and none is given twice.
    async fn set_head(&self, company: AccountId, head: Head) -> Result<(), StoreError>;
}

/// Reads fixed assets.
#[async_trait]
pub trait FixedAssetReader: ResourceReader<FixedAsset> {
    /// The assets of a company, in this currency, whose next instalment is due on this day or before: those first that
    /// are due first, at most `limit`.
    async fn due(
        &self,
        company: AccountId,
        currency: Currency,
        through: Date,
        limit: u32,
    ) -> Result<Vec<FixedAsset>, StoreError>;
}

/// Changes fixed assets.
///
/// # Implementing this port
/// A code that another asset of the company has is [`StoreError::Taken`] with `assetCode`.
pub trait FixedAssetStore: FixedAssetReader + ResourceStore<FixedAsset> + Erase<FixedAsset> {}

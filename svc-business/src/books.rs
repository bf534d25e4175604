//! Accounting: the chart of accounts, the journal, fiscal years and fixed assets of a company.
//!
//! [`book`], [`ledger`], [`fiscal_year`], [`journal`] and [`asset`] hold what can be done, over the ports of this area;
//! the other modules are pure judgements and computations, which read no clock, make no id and know no store. Amounts
//! are in the base currency of the books unless a name says otherwise. A balance is debit minus credit, so an
//! asset's is positive and a liability's is negative.

pub mod account;
pub mod asset;
pub mod book;
pub mod bookkeeping;
mod calendar;
pub mod chart;
pub mod default_accounts;
pub mod entry;
pub mod fiscal_year;
pub mod journal;
pub mod ledger;
pub mod lock;
mod ports;
pub mod report;

pub use self::ports::{
    BookReader, BookStore, FiscalYearReader, FiscalYearStore, FixedAssetReader, FixedAssetStore,
    JournalReader, JournalStore, LedgerReader, LedgerStore, ReportReader,
};

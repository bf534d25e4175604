//! Accounting: the chart of accounts, the journal, fiscal years and fixed assets of a company.
//!
//! Everything here is a pure judgement or computation: it reads no clock, makes no id and knows no store. Amounts
//! are in the base currency of the books unless a name says otherwise. A balance is debit minus credit, so an
//! asset's is positive and a liability's is negative.

pub mod account;
pub mod asset;
mod calendar;
pub mod chart;
pub mod default_accounts;
pub mod entry;
pub mod fiscal_year;
pub mod lock;
pub mod report;

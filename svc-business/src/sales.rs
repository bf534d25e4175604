//! Sales documents: invoices, simplified invoices, rectifying ones, proformas and quotes (specification, domain part 5).
//!
//! The rules are pure: they read no clock, make no id and know no store. A document begins as a draft, which
//! may change in everything. Issuing gives it the next number of its series and freezes who sold what to whom; from
//! then on it is put right by a rectifying document, or voided, and its number stays used. Being paid is another axis
//! than being issued: payments add up beside the document and never change its status.
//!
//! - [`document`]: what a document is, and its figures.
//! - [`series`]: how documents are numbered.
//! - [`issue`], [`pay`], [`void`], [`rectify`], [`quote`], [`send`]: what happens to a document, as functions from one
//!   state to the next.
//! - [`input`] and [`rules`]: what a client writes, and what a document is after it.
//! - [`journal`]: what documents and payments do to the books.
//! - [`verifactu`]: the chain of records for the tax office.
//!
//! [`operations`] do these things with documents that are kept: in one unit of work with their entries in the journal,
//! their records for the tax office and their events.

#![warn(clippy::arithmetic_side_effects)]

pub mod document;
mod history;
pub mod input;
pub mod issue;
pub mod journal;
mod list;
pub mod operations;
pub mod pay;
mod ports;
pub mod quote;
mod record;
pub mod rectify;
pub mod rules;
pub mod send;
pub mod series;
pub mod verifactu;
pub mod void;

pub use self::history::{HistoryEntry, HistoryKind};
pub use self::list::{Outline, SalesFilter, SalesSort};
pub use self::ports::{SalesReader, SalesStore, SeriesReader, SeriesStore};
pub(crate) use self::record::standard_series;
pub use self::record::{SeriesFilter, SeriesSort};

//! Purchases: suppliers, and the documents that they send.
//!
//! The rules are pure: they read no clock, make no id and know no store. A document is received, and may change
//! in everything until it is judged. Approving it freezes who sold what, gives it the next number of the book of
//! received documents, and has an entry in the journal; a wrong one is rejected, or voided after it was approved, and
//! its number stays used. Being paid is another axis than being approved: payments add up beside the document.
//!
//! - [`supplier`]: from whom a company buys, and on which terms.
//! - [`document`]: what a document is, and its figures.
//! - [`register`]: how approved documents are numbered.
//! - [`approve`], [`review`], [`pay`], [`void`]: what happens to a document, as functions from one state to the next.
//! - [`input`] and [`rules`]: what a client writes, and what a document is after it.
//! - [`journal`] and [`assets`]: what documents and payments do to the books.
//! - [`import`]: what an electronic invoice is read into, and the document that it becomes.
//!
//! [`operations`] do these things with what is kept: in one unit of work with contacts, entries, assets and events.

#![warn(clippy::arithmetic_side_effects)]

pub mod approve;
pub mod assets;
pub mod document;
pub mod import;
pub mod input;
pub mod journal;
mod list;
pub mod operations;
pub mod pay;
mod ports;
mod record;
pub mod register;
pub mod review;
pub mod rules;
pub mod supplier;
pub mod void;

pub use self::list::{Outline, PurchaseFilter, PurchaseSort, SupplierFilter, SupplierSort};
pub use self::ports::{SupplierDocumentReader, SupplierDocumentStore, SupplierReader, SupplierStore};

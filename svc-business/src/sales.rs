//! Sales documents: invoices, simplified invoices, rectifying ones, proformas and quotes.
//!
//! Everything here is pure: it reads no clock, makes no id and knows no store.
//!
//! - [`document`]: what a document is.
//! - [`series`]: how documents are numbered.

#![warn(clippy::arithmetic_side_effects)]

pub mod document;
pub mod series;

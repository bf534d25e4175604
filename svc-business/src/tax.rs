//! Taxes of companies: what says which returns a company owes, and the returns (specification, domain parts 9.1, 9.2 and 9.4).

pub mod facts;
mod ports;
pub mod profile;
pub mod returns;

pub use self::ports::{TaxProfileReader, TaxProfileStore};

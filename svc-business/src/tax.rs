//! Taxes of companies: what says which returns a company owes (specification, domain part 9.1).

pub mod facts;
mod ports;
pub mod profile;

pub use self::ports::{TaxProfileReader, TaxProfileStore};

//! Storage of what companies sell.

mod content;
mod document;
mod list;
mod outline;
mod parties;
mod payment;
mod series;
mod settlement;
mod status;
mod store;
mod tax_record;

//! Storage of what companies buy.

mod content;
mod document;
mod list;
mod outline;
mod payment;
mod status;
mod store;
mod supplier;

//! Storage of what companies buy.

mod content;
mod document;
mod list;
mod outline;
mod status;
mod store;
mod supplier;

//! Business data for tests: the contract of every storage, valid input.

pub mod contract;
pub mod envelopes;
pub mod sample;
pub mod strategy;
pub mod verbs;

#[doc(hidden)]
pub use self::contract::{outbox_cases, storage_cases};

//! Webhooks: in-memory storage, contract suite, strategies, the reference model of a delivery, and whole
//! histories that are played on a storage beside a model.

mod contract;
mod memory;
pub mod model;
pub mod sample;
pub mod steps;
pub mod strategy;
pub mod verbs;

#[doc(hidden)]
pub use self::contract::{cases, overview_cases, replay_cases};
pub use self::memory::MemoryWebhooks;

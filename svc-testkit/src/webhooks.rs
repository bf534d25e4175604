//! Webhooks: in-memory storage, contract suite, strategies and the reference model of a delivery.

mod contract;
mod memory;
pub mod model;
pub mod sample;
pub mod strategy;

#[doc(hidden)]
pub use self::contract::cases;
pub use self::memory::MemoryWebhooks;

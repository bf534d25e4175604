//! Idempotent requests: an in-memory store and the contract suite.

mod contract;
mod memory;

pub use self::contract::Fixture;
#[doc(hidden)]
pub use self::contract::cases;
pub use self::memory::{MemoryIdempotency, StagedReplies};

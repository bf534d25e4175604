//! The audit log in memory, the contract of every audit log, and entries for tests.

mod contract;
mod fixture;
mod memory;
mod sample;

pub use self::contract::AuditFixture;
#[doc(hidden)]
pub use self::contract::cases;
pub use self::memory::{MemoryAudit, StagedAudit};
pub(crate) use self::sample::assert_unwritten;
pub use self::sample::{entry, heads, noted};

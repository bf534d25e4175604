//! For svc-auth's sessions: people, sessions, passwords and failed attempts in
//! memory, and the contract of their storage.

mod contract;
mod memory;

#[doc(hidden)]
pub use self::contract::cases;
pub use self::contract::{PeopleSeed, SessionFixture};
pub use self::memory::MemorySessions;

//! For svc-auth's shared budgets: a store in memory and the contract of every store.

mod contract;
mod memory;
mod model;

#[doc(hidden)]
pub use self::contract::cases;
pub use self::memory::MemoryBudgets;

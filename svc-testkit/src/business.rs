//! Business data for tests: storage in memory, the contract of every storage, valid input.

pub mod contract;
mod memory;
pub mod sample;
pub mod strategy;

pub use self::memory::MemoryBusiness;

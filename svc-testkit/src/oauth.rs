//! What every storage of OAuth does.

mod contract;

#[doc(hidden)]
pub use self::contract::cases;

#![doc = include_str!("../README.md")]

pub mod audit;
pub mod clock;
pub mod content;
pub mod csv;
pub mod delay;
pub mod digest;
pub mod error;
pub mod event;
pub mod hex;
pub mod id;
pub mod idempotency;
pub mod mark;
#[cfg(feature = "money")]
pub mod money;
mod name;
pub mod outbox;
pub mod page;
pub mod patch;
pub mod permission;
pub mod pii;
pub mod random;
pub mod refused;
pub mod rerun;
pub mod resource;
pub mod role;
pub mod short_text;
#[cfg(feature = "system")]
pub mod system;
pub mod tenant;
pub mod text;
pub mod trail;
pub mod unit;
pub mod version;
pub mod wire;

#[doc(hidden)]
pub use serde as __serde;
#[doc(hidden)]
pub use serde_json as __serde_json;

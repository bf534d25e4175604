#![doc = include_str!("../README.md")]

#[cfg(feature = "send")]
pub mod delivery;
#[cfg(feature = "send")]
pub mod endpoint;
#[cfg(feature = "send")]
pub mod health;
#[cfg(feature = "send")]
pub mod management;
pub mod names;
#[cfg(feature = "send")]
pub mod ports;
#[cfg(feature = "send")]
pub mod replay;
#[cfg(feature = "send")]
pub mod retry;
#[cfg(feature = "send")]
pub mod scheduler;
pub mod seen;
pub mod signature;
#[cfg(feature = "send")]
pub mod subscription;

/// Instants and the clock that tells them: what a receiver needs of `svc-core`.
pub use svc_core::clock;

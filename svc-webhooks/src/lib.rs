#![doc = include_str!("../README.md")]

pub mod delivery;
pub mod endpoint;
pub mod health;
pub mod ports;
pub mod replay;
pub mod retry;
pub mod scheduler;
pub mod seen;
pub mod signature;
pub mod subscription;

/// Instants and the clock that tells them: what a receiver needs of `svc-core`.
pub use svc_core::clock;

#![doc = include_str!("../README.md")]

pub mod clock;
pub mod error;
pub mod event;
pub mod id;
pub mod idempotency;
pub mod money;
pub mod outbox;
pub mod page;
pub mod patch;
pub mod permission;
pub mod pii;
pub mod random;
pub mod resource;
pub mod role;
pub mod tenant;
pub mod unit;

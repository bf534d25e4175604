//! The storage ports of each domain crate, on one database, and how a service gets them.

mod audit;
#[cfg(feature = "business")]
mod auth;
#[cfg(feature = "auth")]
mod auth_beside;
#[cfg(feature = "auth")]
mod budgets;
#[cfg(feature = "business")]
mod business;
mod idempotency;
#[cfg(feature = "business")]
mod oauth;
#[cfg(feature = "business")]
mod sessions;
#[cfg(feature = "webhooks")]
mod webhooks;

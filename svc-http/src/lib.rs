#![doc = include_str!("../README.md")]

mod accounts;
mod answer;
mod api;
mod app;
mod auth;
mod body;
mod contacts;
mod docs;
mod exchange;
mod groups;
mod idempotency;
mod json;
mod list;
mod observe;
mod openapi;
mod party;
mod precondition;
mod problem;
mod query;
mod router;
pub mod server;
mod webhooks;

pub use self::app::{App, Settings};
pub use self::openapi::openapi;
pub use self::router::router;

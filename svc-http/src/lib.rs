#![doc = include_str!("../README.md")]

mod accounts;
mod answer;
mod api;
mod api_request;
mod app;
mod audit_log;
mod auth;
mod body;
mod contacts;
mod docs;
mod gate;
mod groups;
mod hasher;
mod idempotency;
mod json;
mod limits;
mod list;
mod observe;
mod openapi;
mod precondition;
mod problem;
mod query;
mod router;
mod routes;
mod scanning;
mod serve;
pub mod server;
mod session;
mod tokens;
mod transport;
mod webhooks;

pub use self::app::{App, Settings};
pub use self::hasher::BlockingHasher;
pub use self::openapi::openapi;
pub use self::router::router;
pub use self::scanning::ScanningKey;

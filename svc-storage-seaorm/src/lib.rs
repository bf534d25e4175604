#![doc = include_str!("../README.md")]

mod audit;
mod auth;
mod business;
mod database;
mod error;
mod fence;
mod idempotency;
mod keys;
mod lock;
mod master_keys;
mod migration;
mod open_error;
pub mod outbox;
mod ports;
mod postgres;
mod schema;
mod scoped;
mod seal;
mod settings;
mod sqlite;
mod statement;
mod store;
mod target;
#[cfg(test)]
mod tests;
mod transaction;
mod unit;
mod value;
mod webhooks;
mod window;

pub use self::database::{Database, Engine};
pub use self::keys::Keys;
pub use self::master_keys::KeyUse;
pub use self::migration::{MigrateError, migrate};
pub use self::open_error::OpenError;
pub use self::schema::{Schema, SchemaNameError};
pub use self::settings::{Settings, Synchronous};
pub use self::unit::SeaUnit;

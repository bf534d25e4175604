#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(all(feature = "sqlite", feature = "postgres", feature = "business")),
    allow(
        dead_code,
        unreachable_code,
        reason = "each choice of features leaves something out that another one calls"
    )
)]

#[cfg(not(any(feature = "sqlite", feature = "postgres")))]
compile_error!("choose an engine: the feature `sqlite`, `postgres`, or both");

mod audit;
#[cfg(feature = "auth")]
mod auth;
#[cfg(feature = "business")]
mod business;
mod database;
mod error;
mod executed;
mod fence;
mod idempotency;
mod keys;
mod lock;
mod master_keys;
mod migration;
#[cfg(not(feature = "webhooks"))]
mod no_outbox;
mod open_error;
#[cfg(feature = "webhooks")]
pub mod outbox;
mod ports;
mod postgres;
mod readers;
mod schema;
mod scoped;
mod seal;
mod settings;
mod sqlite;
mod statement;
mod store;
mod target;
#[cfg(all(test, feature = "sqlite", feature = "postgres", feature = "business"))]
mod tests;
mod transaction;
mod unit;
mod value;
#[cfg(feature = "webhooks")]
mod webhooks;
mod window;

#[cfg(not(feature = "webhooks"))]
use self::no_outbox as outbox;

pub use self::database::{Database, Engine};
pub use self::executed::Executed;
pub use self::keys::Keys;
pub use self::master_keys::KeyUse;
pub use self::migration::{MigrateError, migrate};
pub use self::open_error::OpenError;
pub use self::schema::{Schema, SchemaNameError};
pub use self::settings::{Settings, Synchronous};
pub use self::unit::SeaUnit;

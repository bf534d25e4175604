//! The sender against receivers of every temper, on real sockets.

#![expect(clippy::unwrap_used, reason = "a test whose scene cannot be set ends there")]

mod addresses;
mod connections;
mod corpus;
mod exchanges;
mod limits;
mod refusals;
mod support;
mod tls;

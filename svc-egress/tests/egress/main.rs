//! The sender against receivers of every temper, on real sockets.

#![expect(clippy::unwrap_used, reason = "a test whose scene cannot be set ends there")]
#![expect(clippy::print_stdout, reason = "some tests print the figures that they measured")]

mod addresses;
mod canaries;
mod connections;
mod corpus;
mod documents;
mod exchanges;
mod hostile;
mod limits;
mod refusals;
mod support;
mod tls;

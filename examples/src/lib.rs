//! The examples.
//!
//! - `cargo run -p svc-examples --bin receive_axum` and `receive_hyper`: receivers that verify signatures and
//!   work on each event once.
//! - `cargo run -p svc-examples --bin orders`: a shop in axum and SeaORM that publishes its own event in its own
//!   transaction and delivers it. It ends by itself.
//! - `cargo run -p svc-examples --bin orders_own_store`: the same shop over a storage that it wrote itself ([`own_store`]).
//! - `cargo run -p svc-examples --bin mount`: the whole API below a prefix of a router of one's own. It ends by itself.
//! - `cargo run -p svc-examples --bin tokens`: a service of one's own that checks API tokens, with
//!   svc-auth alone and a storage of its own ([`tokens`]).

pub mod demo;
pub mod own_store;
pub mod tokens;

/// The Rust of the page for embedders compiles.
#[cfg(doctest)]
#[doc = include_str!("../../docs/embedding.md")]
struct Embedding;

/// The Rust of the README compiles.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

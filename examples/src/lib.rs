//! What the examples share: the clock and the randomness that an embedder brings along.
//!
//! - `cargo run -p svc-examples --bin receive_axum` and `receive_hyper`: receivers that verify signatures and
//!   work on each event once.
//! - `cargo run -p svc-examples --bin embed`: a service of one's own that sends signed webhooks.
//! - `cargo run -p svc-examples --bin tokens`: a service of one's own that checks API tokens, with
//!   svc-auth alone and a storage of its own ([`tokens`]).

pub mod tokens;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use svc_core::clock::{Clock, Timestamp};
use svc_core::random::RandomSource;

/// The wall clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct WallClock;

impl Clock for WallClock {
    #[expect(clippy::disallowed_methods, reason = "this is the adapter of the clock")]
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Timestamp::from_unix_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }
}

/// The operating system's generator.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemRandom;

impl RandomSource for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) {
        getrandom::fill(bytes).expect("the operating system gives randomness");
    }
}

/// The Rust of the README compiles.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

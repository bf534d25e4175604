//! The real executable, driven from outside: commands, HTTP, signals, receivers.

#![expect(clippy::indexing_slicing, reason = "a test that misses a member of a JSON answer should panic")]

mod commands;
mod delivery;
mod developers;
mod harness;
mod operations;
mod postgres;

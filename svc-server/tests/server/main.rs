//! The real executable, driven from outside: commands, HTTP, signals, receivers.

#![expect(clippy::indexing_slicing, reason = "a test that misses a member of a JSON answer should panic")]
#![expect(clippy::print_stdout, reason = "some tests print the figures that they measured")]

mod admin_socket;
mod assistants;
mod audit;
mod canary;
mod ceremony;
mod commands;
mod crossing;
mod delivery;
mod developers;
mod events;
mod first_run;
mod harness;
mod isolation;
mod keys;
mod mail;
mod metrics;
mod nodes;
mod notices;
mod operations;
mod people;
mod postgres;
mod proxy;
mod queue;
mod replays;
mod sealed;
mod statement;
mod tls;

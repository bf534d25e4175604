//! Receivers as people write them: the examples in Rust, and those of `docs/verify` in other languages.

mod document;
mod languages;
mod process;
mod requests;
mod vectors;

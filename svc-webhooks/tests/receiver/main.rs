//! The receivers' side: signatures, the shared vectors, and repeats.
//!
//! The receivers that the documentation shows are tested with the examples.

mod seen;
mod sent;
mod signature;
mod vectors;

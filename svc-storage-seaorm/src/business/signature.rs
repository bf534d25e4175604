//! Storage of what people are asked to sign.

mod envelope;
mod secrets;
mod signer;
mod status;
mod store;

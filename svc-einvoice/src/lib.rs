#![doc = include_str!("../README.md")]

mod error;
mod exchange;
pub mod model;

pub use self::error::{Missing, ReadError, Reading, WriteError};
pub use self::exchange::exchange_form;

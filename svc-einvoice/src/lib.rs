#![doc = include_str!("../README.md")]

mod assembly;
mod error;
mod exchange;
mod means;
pub mod model;
mod notes;
pub mod ubl;
mod xml;

pub use self::error::{Missing, ReadError, Reading, WriteError};
pub use self::exchange::exchange_form;

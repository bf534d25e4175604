#![doc = include_str!("../README.md")]

mod assembly;
#[cfg(feature = "business")]
pub mod bought;
pub mod cii;
mod detect;
mod error;
mod exchange;
#[cfg(feature = "factur-x")]
pub mod factur_x;
pub mod facturae;
mod means;
pub mod model;
mod notes;
#[cfg(feature = "pdf")]
pub mod pdf;
#[cfg(feature = "business")]
pub mod sold;
pub mod ubl;
mod xml;

pub use self::detect::read;
pub use self::error::{Missing, ReadError, Reading, WriteError};
pub use self::exchange::exchange_form;

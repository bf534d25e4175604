#![doc = include_str!("../README.md")]

mod attributes;
mod certificate;
mod check;
mod error;
mod sealer;

pub use self::check::{Checked, check};
pub use self::error::{BrokenSignature, SealerRefused};
pub use self::sealer::PlatformSealer;

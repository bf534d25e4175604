#![doc = include_str!("../README.md")]

mod content;
mod evidence;
mod files;
mod job;
mod judged;

pub use self::files::CompanyFiles;
pub use self::job::{Sealing, carry_out};
pub use self::judged::Judged;
pub use svc_seal::SealKey;

/// The media type of what is signed.
const PDF: &str = "application/pdf";

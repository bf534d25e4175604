#![doc = include_str!("../README.md")]

mod disposition;
mod files;
mod folder;
mod quarantine;
#[cfg(feature = "s3")]
mod s3;
mod sniff;
mod verified;

pub use self::disposition::{attachment, inline};
pub use self::files::{Files, OpenError};
pub use self::folder::FolderStore;
#[cfg(feature = "s3")]
pub use self::s3::{Credentials, S3Store};
pub use self::sniff::sniff;
pub use svc_core::content::safe_name;

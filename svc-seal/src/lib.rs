#![doc = include_str!("../README.md")]

mod certificate;
mod draw;
mod error;
mod evidence;
mod judge;
mod key;
mod pdf;
mod seal;
mod texts;
mod verify;
mod watermark;

pub use self::certificate::certificate;
pub use self::draw::Ink;
pub use self::error::{PdfRefused, SealError, VerifyError};
pub use self::evidence::{Evidence, Identification, Language, Role, SignedDocument, Signer, Step, StepKind};
pub use self::judge::{Judged, judge};
pub use self::key::{SealKey, SealKind, Sealer};
pub use self::seal::{Seal, Signature, seal};
pub use self::verify::{PlatformSignature, Verified, key_id, original, verify};
pub use self::watermark::{Watermark, can_be_watermarked, watermark};
pub use svc_core::trail::{Broken, Chain, Digest, DigestError, Entry, Link};

/// The largest file that is sealed, in bytes: 25 MiB.
pub const MOST_BYTES: usize = 25 * 1024 * 1024;
/// The most pages of a file that is sealed.
pub const MOST_PAGES: usize = 2_000;
/// The most signers of an envelope.
pub const MOST_SIGNERS: usize = 200;
/// The most entries of an envelope, and the most steps and documents.
pub const MOST_ENTRIES: usize = 10_000;
/// The longest evidence, as JSON in bytes: 4 MiB.
pub const MOST_EVIDENCE: usize = 4 * 1024 * 1024;

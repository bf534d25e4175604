//! Records of issued documents in the form of VERI\*FACTU: the chain that shows that none was altered, and the QR code.
//!
//! Each company has one chain. A document that is issued adds a registration record, one that is voided an annulment
//! record, and each keeps a SHA-256 over its own facts and the hash of the record before it (Orden HAC/1177/2024
//! art. 13; the text is the one of the tax office's document on the hash). The unit of work that adds a record keeps
//! the head of the chain locked.
//!
//! Sending records to the tax office needs a certificate and is an adapter's work: until one is there a record is
//! [`Transmission::NotSent`].

mod chain;
mod hash;
mod of_document;
mod qr;
mod record;

pub use self::chain::{Broken, ChainHead, Flaw, verify_chain};
pub use self::hash::{RecordHash, RecordHashError};
pub use self::of_document::{annulment, registration};
pub use self::qr::{QrHost, QrMode, QrUrl, qr_url};
pub use self::record::{
    Annulment, AnyRecord, Compliance, Record, RecordType, Registration, Subject, Transmission,
};

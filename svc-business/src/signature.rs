//! Envelopes: documents that people are asked to sign (specification, domain part 11).
//!
//! The [life of an envelope](machine) is pure. The [verbs](operations) open an envelope alone, so that of two who end it at
//! the same time one wins and the other one is told that it is closed. Each step adds to the trail of the envelope: entries
//! that are chained by their hashes, as the certificate of evidence has them. What is signed is an electronic signature with
//! evidence (Regulation (EU) 910/2014, article 3(10)).
//!
//! People sign with a link that is sent to them; [`key`] tells how links and codes are made, and what is kept of them.

mod ink;
mod input;
pub mod machine;
pub mod operations;
mod ports;
mod refer;
mod rules;
mod signer;
mod state;
mod trail;

pub use crate::link::{code, key};

pub use self::ink::{Ink, InkKind, MOST_FAR, MOST_POINTS};
pub use self::input::{
    CodeRequest, DeclineRequest, EnvelopeFileInput, EnvelopeInput, EnvelopeLinkInput, EnvelopeLinkType,
    EnvelopeVoidRequest, InkInput, ReassignRequest, ReissueRequest, SignRequest, SignerInput,
};
pub use self::machine::EnvelopeRefused;
pub use self::ports::{EnvelopeFiles, EnvelopeReader, EnvelopeStore, FileState, MadeFile};
pub use self::signer::{Signer, SignerAuth, SignerRole, SignerStatus};
pub use self::state::{
    Envelope, EnvelopeFile, EnvelopeFilter, EnvelopeLink, EnvelopeSort, EnvelopeStatus, EnvelopeStatusFilter,
    FilePin, SealedFiles, SigningOrder, TrailHead, VoidReason,
};
pub use self::trail::{Act, TRAIL_ROOM, TrailAction};

/// Files of an envelope.
pub const MOST_FILES: usize = 20;
/// People that a client writes.
pub const MOST_SIGNERS: usize = 50;
/// People of an envelope with those who were replaced.
pub const MOST_SIGNERS_EVER: usize = 100;
/// Records that an envelope is linked with.
pub const MOST_LINKS: usize = 20;

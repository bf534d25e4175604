//! The people of an envelope.

use svc_core::clock::Timestamp;
use svc_core::id::{ContactId, SignerId};
use svc_core::pii::Pii;

use super::code::Codes;
use super::key::Access;
use crate::party::{Email, Phone, TaxId};

/// A person that an envelope names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signer {
    /// Its id.
    pub id: SignerId,
    /// The name, 1 to 200 characters.
    pub name: String,
    /// Where the link goes.
    pub email: Email,
    /// The phone.
    pub phone: Option<Pii<Phone>>,
    /// The tax id.
    pub tax_id: Option<Pii<TaxId>>,
    /// The contact that the person is.
    pub contact: Option<ContactId>,
    /// What the person is asked for.
    pub role: SignerRole,
    /// When it is the person's turn, in an envelope that is signed in order: from 1.
    pub order: u16,
    /// How the person is identified.
    pub auth: SignerAuth,
    /// What the person did.
    pub status: SignerStatus,
    /// The link, from the sending on; those who get a copy have none.
    pub access: Option<Access>,
    /// When the person was last reminded.
    pub reminded_at: Option<Timestamp>,
    /// The codes.
    pub codes: Codes,
}

impl Signer {
    /// Whether the envelope waits for the person: it does for those who sign or approve and were not replaced.
    #[must_use]
    pub const fn is_required(&self) -> bool {
        self.role.acts() && !matches!(self.status, SignerStatus::Replaced { .. })
    }

    /// Whether the person signed or approved.
    #[must_use]
    pub const fn has_signed(&self) -> bool {
        matches!(self.status, SignerStatus::Signed { .. })
    }

    /// Whether it is the person's turn.
    #[must_use]
    pub const fn is_asked(&self) -> bool {
        matches!(self.status, SignerStatus::Notified { .. } | SignerStatus::Viewed { .. })
    }
}

/// What a person is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignerRole {
    /// To sign: `signer`
    Signer,
    /// To approve: `approver`
    Approver,
    /// Nothing: the person gets a copy in the end: `copy`
    Copy,
}

svc_core::wire_names!(SignerRole { Signer = "signer", Approver = "approver", Copy = "copy" });

impl SignerRole {
    /// Whether the envelope waits for people of this role.
    #[must_use]
    pub const fn acts(self) -> bool {
        match self {
            Self::Signer | Self::Approver => true,
            Self::Copy => false,
        }
    }
}

/// How a person is identified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignerAuth {
    /// By the link that was sent to the e-mail address: `email`
    Email,
    /// By the link, and a code that is sent to the e-mail address: `email_otp`
    EmailOtp,
}

svc_core::wire_names!(SignerAuth { Email = "email", EmailOtp = "email_otp" });

/// What a person did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignerStatus {
    /// It is not the person's turn.
    Waiting,
    /// The person was sent the link, or the copy.
    Notified {
        /// When.
        at: Timestamp,
    },
    /// The person opened the documents.
    Viewed {
        /// When the link was sent.
        notified_at: Timestamp,
        /// When.
        at: Timestamp,
    },
    /// The person signed or approved.
    Signed {
        /// When the link was sent.
        notified_at: Timestamp,
        /// When the documents were opened.
        viewed_at: Timestamp,
        /// When.
        at: Timestamp,
    },
    /// The person declined.
    Declined {
        /// When the link was sent.
        notified_at: Timestamp,
        /// When the documents were opened.
        viewed_at: Timestamp,
        /// When.
        at: Timestamp,
        /// Why, in the words of the person: 1 to 1,000 characters.
        reason: String,
    },
    /// Another person took the place.
    Replaced {
        /// When the link was sent, if it was.
        notified_at: Option<Timestamp>,
        /// When the documents were opened, if they were.
        viewed_at: Option<Timestamp>,
        /// That person.
        by: SignerId,
    },
}

impl SignerStatus {
    /// The wire name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Notified { .. } => "notified",
            Self::Viewed { .. } => "viewed",
            Self::Signed { .. } => "signed",
            Self::Declined { .. } => "declined",
            Self::Replaced { .. } => "replaced",
        }
    }

    /// When the link, or the copy, was sent.
    #[must_use]
    pub const fn notified_at(&self) -> Option<Timestamp> {
        match self {
            Self::Waiting => None,
            Self::Notified { at } => Some(*at),
            Self::Viewed { notified_at, .. }
            | Self::Signed { notified_at, .. }
            | Self::Declined { notified_at, .. } => Some(*notified_at),
            Self::Replaced { notified_at, .. } => *notified_at,
        }
    }

    /// When the documents were opened.
    #[must_use]
    pub const fn viewed_at(&self) -> Option<Timestamp> {
        match self {
            Self::Waiting | Self::Notified { .. } => None,
            Self::Viewed { at, .. } => Some(*at),
            Self::Signed { viewed_at, .. } | Self::Declined { viewed_at, .. } => Some(*viewed_at),
            Self::Replaced { viewed_at, .. } => *viewed_at,
        }
    }
}

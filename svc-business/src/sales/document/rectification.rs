//! Putting documents right by others.

use svc_core::id::SalesDocumentId;
use svc_core::money::Amount;

/// What a rectifying document puts right: `rectifies`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rectification {
    /// The documents that it puts right: one at least, each once.
    pub originals: Vec<SalesDocumentId>,
    /// How.
    pub method: Method,
    /// Why, for the tax office.
    pub reason_code: ReasonCode,
    /// Why, for people: 1 to 500 characters.
    pub reason: String,
}

/// How a document puts others right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// It says what is to be added, with a minus what is to be taken off: `differences`
    Differences,
    /// It says what they should have said: `substitution`
    Substitution,
}

svc_core::wire_names!(Method { Differences = "differences", Substitution = "substitution" });

/// Why a document puts others right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReasonCode {
    /// Returns, discounts, an error in law (Ley 37/1992 art. 80.1, 80.2 and 80.6).
    R1,
    /// Insolvency of the customer (art. 80.3).
    R2,
    /// A bad debt (art. 80.4).
    R3,
    /// Another reason.
    R4,
    /// The original is a simplified invoice.
    R5,
}

svc_core::wire_names!(ReasonCode { R1 = "R1", R2 = "R2", R3 = "R3", R4 = "R4", R5 = "R5" });

/// How far a document was put right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RectificationStatus {
    /// `none`
    None,
    /// `partial`
    Partial,
    /// Nothing of it is left: `full`
    Full,
}

svc_core::wire_names!(RectificationStatus { None = "none", Partial = "partial", Full = "full" });

/// An issued document that put this one right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RectifiedBy {
    /// The rectifying document.
    pub document: SalesDocumentId,
    /// What it did to this one.
    pub effect: Effect,
}

/// What a rectifying document does to an original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It adds to the bases of taxes; takes off where the sign is the other one.
    Differences {
        /// One for each tax that it changes.
        bases: Vec<TaxBase>,
    },
    /// It takes the place of the original.
    Substitution,
}

/// A base of a tax by the code of that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaxBase {
    /// The code of the tax.
    pub tax_code: String,
    /// The base.
    pub base: Amount,
}

/// What a substitution takes the place of: sums over the originals (`BaseRectificada`, `CuotaRectificada`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// Σ of the bases.
    pub base: Amount,
    /// Σ of the quotas.
    pub quota: Amount,
    /// Σ of the surcharges.
    pub surcharge_quota: Amount,
}

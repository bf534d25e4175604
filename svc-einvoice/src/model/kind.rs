//! What a document is.

use time::Date;

/// The kind of a document (BT-3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A full invoice (RD 1619/2012 art. 6).
    Invoice,
    /// A simplified invoice (art. 7).
    Simplified,
    /// One that corrects others (*factura rectificativa*, art. 15).
    Corrective(Correction),
    /// What an invoice would be; nothing is owed by it.
    Proforma,
    /// An offer.
    Quote,
}

/// How and why an invoice corrects others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// What its amounts are.
    pub method: CorrectionMethod,
    /// The ground in law; documents from abroad have none.
    pub reason: Option<CorrectionReason>,
    /// The reason in words; may be empty.
    pub text: String,
    /// The invoices that it corrects (BG-3).
    pub corrects: Vec<Preceding>,
}

/// What the amounts of a corrective invoice are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CorrectionMethod {
    /// What changes, signed: negative where it takes something back.
    Differences,
    /// The new amounts, in the place of the old ones.
    Substitution,
}

/// Why an invoice is corrected: the types of invoice records in Spain (Orden HAC/1177/2024, list L2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CorrectionReason {
    /// Error founded in law, and Ley 37/1992 art. 80.uno, dos and seis.
    R1,
    /// Art. 80.tres: insolvency proceedings.
    R2,
    /// Art. 80.cuatro: a debt that cannot be collected.
    R3,
    /// Any other.
    R4,
    /// Correction of a simplified invoice.
    R5,
}

impl CorrectionReason {
    /// All, in order.
    pub const ALL: [Self; 5] = [Self::R1, Self::R2, Self::R3, Self::R4, Self::R5];

    /// The code: `R1`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::R1 => "R1",
            Self::R2 => "R2",
            Self::R3 => "R3",
            Self::R4 => "R4",
            Self::R5 => "R5",
        }
    }

    /// The reason of a code, `None` for another text.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.code() == code)
    }
}

/// An invoice that another one names (BG-3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preceding {
    /// Its number (BT-25).
    pub number: String,
    /// Its day of issue (BT-26).
    pub date: Option<Date>,
}

/// A language in which documents are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Spanish.
    Spanish,
    /// English.
    English,
}

impl Language {
    /// The code of ISO 639-1: `es`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Spanish => "es",
            Self::English => "en",
        }
    }
}

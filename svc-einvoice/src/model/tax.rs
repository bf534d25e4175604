//! Taxes that are charged, and what is withheld.

use rust_decimal::Decimal;
use svc_core::money::Amount;

/// The kind of a tax (BT-118, BT-151; code list UNCL 5305).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaxCategory {
    /// Taxed at a rate above zero.
    Standard,
    /// Taxed at a rate of zero.
    Zero,
    /// Exempt.
    Exempt,
    /// Outside the scope of the tax.
    NotSubject,
    /// Reverse charge.
    ReverseCharge,
    /// Supply within the European Union.
    IntraCommunity,
    /// Export.
    Export,
    /// IGIC of the Canary Islands.
    Igic,
    /// IPSI of Ceuta and Melilla.
    Ipsi,
}

impl TaxCategory {
    /// All, in the order in which documents list them.
    pub const ALL: [Self; 9] = [
        Self::Standard,
        Self::Zero,
        Self::Exempt,
        Self::NotSubject,
        Self::ReverseCharge,
        Self::IntraCommunity,
        Self::Export,
        Self::Igic,
        Self::Ipsi,
    ];

    /// The code: `S`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Standard => "S",
            Self::Zero => "Z",
            Self::Exempt => "E",
            Self::NotSubject => "O",
            Self::ReverseCharge => "AE",
            Self::IntraCommunity => "K",
            Self::Export => "G",
            Self::Igic => "L",
            Self::Ipsi => "M",
        }
    }

    /// The category of a code, `None` for another text.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|category| category.code() == code)
    }

    /// The code of its exemption reason where there is but one (BT-121; code list VATEX).
    #[must_use]
    pub const fn exemption_code(self) -> Option<&'static str> {
        match self {
            Self::ReverseCharge => Some("VATEX-EU-AE"),
            Self::IntraCommunity => Some("VATEX-EU-IC"),
            Self::Export => Some("VATEX-EU-G"),
            Self::NotSubject => Some("VATEX-EU-O"),
            Self::Standard | Self::Zero | Self::Exempt | Self::Igic | Self::Ipsi => None,
        }
    }

    /// Whether a document must tell why no tax is charged.
    #[must_use]
    pub const fn needs_reason(self) -> bool {
        match self {
            Self::Exempt | Self::NotSubject | Self::ReverseCharge | Self::IntraCommunity | Self::Export => {
                true
            }
            Self::Standard | Self::Zero | Self::Igic | Self::Ipsi => false,
        }
    }
}

/// What a line is taxed with: what its amounts are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaxRate {
    /// The kind.
    pub category: TaxCategory,
    /// Percent that is charged (BT-119, BT-152); zero where the buyer owes the tax itself.
    pub rate: Decimal,
    /// Percent on top of that for buyers under the equivalence surcharge (Ley 37/1992 art. 161), else zero.
    pub surcharge_rate: Decimal,
}

impl TaxRate {
    /// A rate without surcharge.
    #[must_use]
    pub const fn of(category: TaxCategory, rate: Decimal) -> Self {
        Self { category, rate, surcharge_rate: Decimal::ZERO }
    }
}

/// Why no tax is charged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exemption {
    /// A code of the list VATEX: `VATEX-EU-132` (BT-121); empty for none.
    pub code: String,
    /// In words: `Exenta por el art. 20 de la Ley 37/1992` (BT-120); may be empty when there is a code.
    pub reason: String,
}

/// One tax of a document (BG-23).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tax {
    /// Its rate.
    pub tax: TaxRate,
    /// What it is charged on (BT-116).
    pub base: Amount,
    /// What is charged, without surcharge (BT-117 is both).
    pub quota: Amount,
    /// The surcharge.
    pub surcharge: Amount,
    /// Why none is charged.
    pub exemption: Option<Exemption>,
}

/// What the buyer keeps back at one rate (IRPF).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withholding {
    /// Percent of the base.
    pub rate: Decimal,
    /// The lines that it is withheld of, without tax.
    pub base: Amount,
    /// What is kept back.
    pub amount: Amount,
}

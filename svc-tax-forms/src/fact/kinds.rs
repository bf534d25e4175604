//! The kinds of facts.

use svc_core::wire_names;
use time::Date;

/// Which tax a fact counts, and on which side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FactKind {
    /// A sale, with the VAT that is charged: `vat_output`
    VatOutput,
    /// An acquisition on which the company charges itself VAT (Ley 37/1992 art. 84.uno.2.º and 85), or import VAT that
    /// it pays with its return (art. 167.dos): `vat_self_assessed`
    VatSelfAssessed,
    /// An acquisition, with the VAT that can be deducted: `vat_input`
    VatInput,
    /// Equivalence surcharge charged to retailers (Ley 37/1992 art. 156): `surcharge_output`
    SurchargeOutput,
    /// Tax withheld from others: `withholding_practised`
    WithholdingPractised,
    /// Tax withheld from the company: `withholding_borne`
    WithholdingBorne,
}

wire_names!(FactKind {
    VatOutput = "vat_output",
    VatSelfAssessed = "vat_self_assessed",
    VatInput = "vat_input",
    SurchargeOutput = "surcharge_output",
    WithholdingPractised = "withholding_practised",
    WithholdingBorne = "withholding_borne",
});

/// How the law of VAT (Ley 37/1992) treats an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Treatment {
    /// Taxed within the country: `ordinary`
    Ordinary,
    /// Goods to or from another member state (art. 13, 25): `intra_community_goods`
    IntraCommunityGoods,
    /// Services to or from another member state (art. 69.uno.1.º): `intra_community_services`
    IntraCommunityServices,
    /// The customer owes the tax, except within the European Union (art. 84.uno.2.º): `reverse_charge`
    ReverseCharge,
    /// Import of goods (art. 17): `import`
    Import,
    /// Export of goods (art. 21): `export`
    Export,
    /// Exempt by art. 20, without deduction of what is paid: `exempt_e1`
    ExemptE1,
    /// Exempt by art. 21: `exempt_e2`
    ExemptE2,
    /// Exempt by art. 22: `exempt_e3`
    ExemptE3,
    /// Exempt by art. 23 and 24: `exempt_e4`
    ExemptE4,
    /// Exempt by art. 25: `exempt_e5`
    ExemptE5,
    /// Exempt by another article: `exempt_e6`
    ExemptE6,
    /// Not subject (art. 7, 14 and others): `not_subject`
    NotSubject,
    /// Not subject because it takes place elsewhere (art. 68 to 70): `not_subject_by_place`
    NotSubjectByPlace,
    /// Taxed by IGIC or IPSI: `other_territory`
    OtherTerritory,
}

wire_names!(Treatment {
    Ordinary = "ordinary",
    IntraCommunityGoods = "intra_community_goods",
    IntraCommunityServices = "intra_community_services",
    ReverseCharge = "reverse_charge",
    Import = "import",
    Export = "export",
    ExemptE1 = "exempt_e1",
    ExemptE2 = "exempt_e2",
    ExemptE3 = "exempt_e3",
    ExemptE4 = "exempt_e4",
    ExemptE5 = "exempt_e5",
    ExemptE6 = "exempt_e6",
    NotSubject = "not_subject",
    NotSubjectByPlace = "not_subject_by_place",
    OtherTerritory = "other_territory",
});

impl Treatment {
    /// Whether the invoice of such an operation has no tax, which its customer charges itself.
    pub(crate) fn charges_itself(self) -> bool {
        match self {
            Self::IntraCommunityGoods | Self::IntraCommunityServices | Self::ReverseCharge => true,
            Self::Ordinary
            | Self::Import
            | Self::Export
            | Self::ExemptE1
            | Self::ExemptE2
            | Self::ExemptE3
            | Self::ExemptE4
            | Self::ExemptE5
            | Self::ExemptE6
            | Self::NotSubject
            | Self::NotSubjectByPlace
            | Self::OtherTerritory => false,
        }
    }
}

/// The income that tax is withheld on (RD 439/2007 art. 75).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WithholdingKey {
    /// Work, administrators among it: `work`
    Work,
    /// Professional and other economic activities: `activity`
    Activity,
    /// Rent of urban property: `rent`
    Rent,
    /// Anything else: `other`
    Other,
}

wire_names!(WithholdingKey { Work = "work", Activity = "activity", Rent = "rent", Other = "other" });

/// Whether a fact rectifies an earlier document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rectifies {
    /// It does not.
    Nothing,
    /// It rectifies one whose day is not known: model 349 counts it in its own period.
    Document,
    /// It rectifies one of that day, which says the return that model 349 corrects.
    DocumentOf(Date),
}

impl Rectifies {
    /// Whether there is an earlier document.
    #[must_use]
    pub fn any(self) -> bool {
        match self {
            Self::Nothing => false,
            Self::Document | Self::DocumentOf(_) => true,
        }
    }
}

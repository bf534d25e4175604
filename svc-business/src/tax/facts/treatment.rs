//! How the law treats what a tax code is of.

use svc_tax_forms::Treatment;

use crate::books::entry::Particulars;
use crate::trade::{ExemptionCode, Supply, TaxCategory, TaxCode};

/// The codes that are of imports of goods.
const IMPORTS: &str = "es_in_import";

pub(super) fn treatment(tax: &TaxCode, particulars: Particulars) -> Treatment {
    match tax.category {
        TaxCategory::Standard | TaxCategory::Zero if tax.code.starts_with(IMPORTS) => Treatment::Import,
        TaxCategory::Standard | TaxCategory::Zero => Treatment::Ordinary,
        TaxCategory::Exempt => exempt(particulars.exemption),
        TaxCategory::NotSubject if particulars.exemption == Some(ExemptionCode::N2) => {
            Treatment::NotSubjectByPlace
        }
        TaxCategory::NotSubject => Treatment::NotSubject,
        TaxCategory::ReverseCharge => Treatment::ReverseCharge,
        TaxCategory::IntraCommunity if particulars.supply == Some(Supply::Services) => {
            Treatment::IntraCommunityServices
        }
        TaxCategory::IntraCommunity => Treatment::IntraCommunityGoods,
        TaxCategory::Export => Treatment::Export,
        TaxCategory::Igic | TaxCategory::Ipsi => Treatment::OtherTerritory,
    }
}

/// Without a reason it is of article 20, which most are.
fn exempt(reason: Option<ExemptionCode>) -> Treatment {
    match reason {
        Some(ExemptionCode::E2) => Treatment::ExemptE2,
        Some(ExemptionCode::E3) => Treatment::ExemptE3,
        Some(ExemptionCode::E4) => Treatment::ExemptE4,
        Some(ExemptionCode::E5) => Treatment::ExemptE5,
        Some(ExemptionCode::E6) => Treatment::ExemptE6,
        Some(ExemptionCode::E1 | ExemptionCode::N1 | ExemptionCode::N2) | None => Treatment::ExemptE1,
    }
}

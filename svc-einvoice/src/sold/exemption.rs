//! Why no tax is charged, in the words of the law.

use svc_business::trade::ExemptionCode;

use crate::model::{Exemption, TaxCategory};

/// The reason of a tax; `None` where it needs none.
pub(super) fn of(category: TaxCategory, code: Option<ExemptionCode>) -> Option<Exemption> {
    if !category.needs_reason() {
        return None;
    }
    let (fits, reason) = match code {
        Some(ExemptionCode::E1) => ("VATEX-EU-132", "Exenta por el art. 20 de la Ley 37/1992"),
        Some(ExemptionCode::E2) => ("VATEX-EU-G", "Exenta por el art. 21 de la Ley 37/1992"),
        Some(ExemptionCode::E3) => ("", "Exenta por el art. 22 de la Ley 37/1992"),
        Some(ExemptionCode::E4) => ("", "Exenta por los arts. 23 y 24 de la Ley 37/1992"),
        Some(ExemptionCode::E5) => ("VATEX-EU-IC", "Exenta por el art. 25 de la Ley 37/1992"),
        Some(ExemptionCode::E6) => ("", "Exenta de impuesto"),
        Some(ExemptionCode::N1) => ("VATEX-EU-O", "No sujeta por los arts. 7, 14 u otros de la Ley 37/1992"),
        Some(ExemptionCode::N2) => ("VATEX-EU-O", "No sujeta por las reglas de localización"),
        None if category == TaxCategory::ReverseCharge => {
            ("VATEX-EU-AE", "Inversión del sujeto pasivo (art. 84.Uno.2.º de la Ley 37/1992)")
        }
        None => ("", "Sin impuesto"),
    };
    let code = category.exemption_code().unwrap_or(fits);
    Some(Exemption { code: code.to_owned(), reason: reason.to_owned() })
}

//! The taxes of an electronic invoice by the codes of purchases.

use time::Date;

use super::ImportedRate;
use crate::purchases::rules::is_purchase_tax;
use crate::trade::{TaxCategory, TaxCode};

/// The tax of purchases that an invoice names by category and rate; `None` when there is none, as of a rate of another
/// country.
///
/// What has no tax, for whatever reason, is exempt to the buyer. Goods of investment cannot be told from others. Reverse
/// charge of a seller from another member state is an acquisition from there.
pub(super) fn find(named: ImportedRate, from_member_state: bool, on: Date) -> Option<&'static TaxCode> {
    let ImportedRate { category, rate } = named;
    let usual = |code| TaxCode::find(code, on);
    match category {
        TaxCategory::Standard => {
            let codes = ["es_in_21", "es_in_10", "es_in_4"];
            codes.into_iter().filter_map(usual).find(|tax| tax.rate == rate)
        }
        TaxCategory::ReverseCharge if !from_member_state => usual("es_in_reverse_21"),
        TaxCategory::ReverseCharge | TaxCategory::IntraCommunity => usual("es_in_intra_21"),
        TaxCategory::Zero | TaxCategory::Exempt | TaxCategory::NotSubject | TaxCategory::Export => {
            usual("es_in_exempt")
        }
        TaxCategory::Igic | TaxCategory::Ipsi => TaxCode::all().iter().find(|tax| {
            (tax.category, tax.rate) == (category, rate) && tax.holds(on) && is_purchase_tax(tax)
        }),
    }
}

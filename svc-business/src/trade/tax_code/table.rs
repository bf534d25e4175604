//! The rows of [`TaxCode::all`].
//!
//! A rate that changes: give its row an `until`, and write a second row with the same code and the next day as its
//! `from`. A new tax: write a row. A row that documents may name never goes. The table answers for days from
//! [`FIRST`] on; a rate that is older begins there. Sources are the consolidated texts in the BOE, where
//! each change of a row is to be checked.

use time::Date;
use time::macros::date;

use super::ExemptionCode::{E1, E2, E3, E4, E5, E6, N1, N2};
use super::TaxCategory::{
    Exempt, Export, Igic, IntraCommunity, Ipsi, NotSubject, ReverseCharge, Standard, Zero,
};
use super::{Side, TaxCode};
use crate::trade::Rate;

/// The first day that the table answers for: the rates of RDL 20/2012 hold, and the years before can no longer be assessed.
const FIRST: Date = date!(2013 - 01 - 01);

/// What most rows of documents that a company issues have in common.
const SALE: TaxCode = TaxCode {
    code: "",
    category: Standard,
    rate: Rate::ZERO,
    surcharge: Rate::ZERO,
    side: Side::Sales,
    self_assessed: false,
    investment: false,
    exemptions: &[],
    from: FIRST,
    until: None,
    source: "",
};

/// What most rows of documents that a company receives have in common.
const PURCHASE: TaxCode = TaxCode { side: Side::Purchases, ..SALE };

/// What the rows of taxes have in common that sales and purchases name alike.
const EITHER: TaxCode = TaxCode { side: Side::Both, ..SALE };

/// IGIC.
const IGIC: TaxCode = TaxCode { category: Igic, source: "Ley 4/2012 de Canarias, arts. 51 to 61", ..EITHER };

/// IPSI: the law has a range, the ordinances of the two cities say what each rate is for.
const IPSI: TaxCode = TaxCode { category: Ipsi, source: "Ley 8/1991 art. 18: 0.5 % to 10 %", ..EITHER };

#[rustfmt::skip]
pub(super) const ROWS: &[TaxCode] = &[
    // IVA on sales.
    TaxCode { code: "es_vat_21", rate: Rate::tenths(210), source: "Ley 37/1992 art. 90.uno", ..SALE },
    TaxCode { code: "es_vat_10", rate: Rate::tenths(100), source: "Ley 37/1992 art. 91.uno", ..SALE },
    TaxCode { code: "es_vat_4", rate: Rate::tenths(40), source: "Ley 37/1992 art. 91.dos", ..SALE },
    TaxCode { code: "es_vat_0", category: Zero, from: date!(2020 - 04 - 23),
        source: "RDL 15/2020 art. 8; Ley 37/1992 art. 91.cuatro", ..SALE },
    TaxCode { code: "es_exempt", category: Exempt, exemptions: &[E1, E2, E3, E4, E5, E6],
        source: "Ley 37/1992 arts. 20 to 25", ..SALE },
    TaxCode { code: "es_not_subject", category: NotSubject, exemptions: &[N1, N2],
        source: "Ley 37/1992 arts. 7, 14 and 68 to 70", ..SALE },
    TaxCode { code: "es_reverse", category: ReverseCharge, source: "Ley 37/1992 art. 84.uno.2.º", ..SALE },
    TaxCode { code: "es_intra_supply", category: IntraCommunity, exemptions: &[E5],
        source: "Ley 37/1992 art. 25", ..SALE },
    TaxCode { code: "es_export", category: Export, exemptions: &[E2], source: "Ley 37/1992 art. 21", ..SALE },

    // IVA on sales to customers under the equivalence surcharge.
    TaxCode { code: "es_vat_21_re", rate: Rate::tenths(210), surcharge: Rate::tenths(52),
        source: "Ley 37/1992 arts. 90.uno and 161.1.º", ..SALE },
    TaxCode { code: "es_vat_10_re", rate: Rate::tenths(100), surcharge: Rate::tenths(14),
        source: "Ley 37/1992 arts. 91.uno and 161.2.º", ..SALE },
    TaxCode { code: "es_vat_4_re", rate: Rate::tenths(40), surcharge: Rate::tenths(5),
        source: "Ley 37/1992 arts. 91.dos and 161.3.º", ..SALE },

    // IVA on purchases.
    TaxCode { code: "es_in_21", rate: Rate::tenths(210), source: "Ley 37/1992 arts. 90.uno and 92", ..PURCHASE },
    TaxCode { code: "es_in_10", rate: Rate::tenths(100), source: "Ley 37/1992 arts. 91.uno and 92", ..PURCHASE },
    TaxCode { code: "es_in_4", rate: Rate::tenths(40), source: "Ley 37/1992 arts. 91.dos and 92", ..PURCHASE },
    TaxCode { code: "es_in_21_inv", rate: Rate::tenths(210), investment: true,
        source: "Ley 37/1992 arts. 90.uno and 108, investment goods", ..PURCHASE },
    TaxCode { code: "es_in_intra_21", category: IntraCommunity, rate: Rate::tenths(210), self_assessed: true,
        source: "Ley 37/1992 arts. 13, 85 and 90.uno", ..PURCHASE },
    TaxCode { code: "es_in_reverse_21", category: ReverseCharge, rate: Rate::tenths(210), self_assessed: true,
        source: "Ley 37/1992 arts. 84.uno.2.º and 90.uno", ..PURCHASE },
    TaxCode { code: "es_in_import_21", rate: Rate::tenths(210),
        source: "Ley 37/1992 arts. 17, 86 and 90.uno", ..PURCHASE },
    TaxCode { code: "es_in_exempt", category: Exempt, source: "Ley 37/1992 arts. 20 to 25", ..PURCHASE },

    // IGIC: the general rate was 6.5 % in 2019 (Ley 7/2018 de Canarias), and is 7 % again since (Ley 19/2019).
    TaxCode { code: "ic_igic_7", rate: Rate::tenths(70), until: Some(date!(2018 - 12 - 31)), ..IGIC },
    TaxCode { code: "ic_igic_6_5", rate: Rate::tenths(65), from: date!(2019 - 01 - 01),
        until: Some(date!(2019 - 12 - 31)), ..IGIC },
    TaxCode { code: "ic_igic_7", rate: Rate::tenths(70), from: date!(2020 - 01 - 01), ..IGIC },
    TaxCode { code: "ic_igic_3", rate: Rate::tenths(30), ..IGIC },
    TaxCode { code: "ic_igic_0", ..IGIC },

    // IPSI.
    TaxCode { code: "ce_ipsi_10", rate: Rate::tenths(100), ..IPSI },
    TaxCode { code: "ce_ipsi_8", rate: Rate::tenths(80), ..IPSI },
    TaxCode { code: "ce_ipsi_4", rate: Rate::tenths(40), ..IPSI },
    TaxCode { code: "ce_ipsi_3", rate: Rate::tenths(30), ..IPSI },
    TaxCode { code: "ce_ipsi_2", rate: Rate::tenths(20), ..IPSI },
    TaxCode { code: "ce_ipsi_1", rate: Rate::tenths(10), ..IPSI },
    TaxCode { code: "ce_ipsi_0_5", rate: Rate::tenths(5), ..IPSI },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_code_has_one_row_a_day() {
        for (at, row) in ROWS.iter().enumerate() {
            assert!(row.until.is_none_or(|last| row.from <= last), "{} ends before it begins", row.code);
            for other in ROWS.iter().skip(at + 1).filter(|other| other.code == row.code) {
                let apart = row.until.is_some_and(|last| last < other.from)
                    || other.until.is_some_and(|last| last < row.from);
                assert!(apart, "two rows of {} hold on one day", row.code);
            }
        }
    }

    #[test]
    fn a_row_is_what_its_category_allows() {
        for row in ROWS {
            let word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
            assert!(!row.code.is_empty() && row.code.bytes().all(word), "{}", row.code);
            assert!(row.source.contains("Ley") && row.from >= FIRST, "{}", row.code);
            match row.category {
                Standard => assert!(row.rate > Rate::ZERO && !row.self_assessed, "{}", row.code),
                Zero | Exempt | NotSubject | Export => assert_eq!(row.rate, Rate::ZERO, "{}", row.code),
                ReverseCharge | IntraCommunity => assert_eq!(row.charged_rate(), Rate::ZERO, "{}", row.code),
                Igic | Ipsi => assert_eq!(row.side, Side::Both, "{}", row.code),
            }
            assert!(row.surcharge == Rate::ZERO || row.category == Standard, "{}", row.code);
        }
    }

    #[test]
    fn a_tax_is_found_by_code_and_date() {
        let rate = |code, on| TaxCode::find(code, on).map(|row| row.rate.to_string());
        assert_eq!(rate("es_vat_21", date!(2025 - 03 - 14)).as_deref(), Some("21"));
        assert_eq!(rate("es_vat_21_re", date!(2013 - 01 - 01)).as_deref(), Some("21"));
        assert_eq!(rate("es_vat_21", date!(2012 - 12 - 31)), None, "before the table");
        assert_eq!(rate("es_vat_0", date!(2020 - 04 - 22)), None, "before the rate");
        assert_eq!(rate("ic_igic_7", date!(2018 - 12 - 31)).as_deref(), Some("7"));
        assert_eq!(rate("ic_igic_7", date!(2019 - 06 - 30)), None, "between its two rows");
        assert_eq!(rate("ic_igic_6_5", date!(2019 - 06 - 30)).as_deref(), Some("6.5"));
        assert_eq!(rate("ic_igic_7", date!(2020 - 01 - 01)).as_deref(), Some("7"));
        assert_eq!(rate("ES_VAT_21", date!(2025 - 03 - 14)), None);
    }

    #[test]
    fn taxes_are_listed_by_category_and_the_highest_rate_first() {
        let sorted: BTreeSet<_> = ROWS.iter().filter(|row| row.side == Side::Sales).collect();
        let codes: Vec<_> = sorted.iter().map(|row| row.code).collect();
        let first = ["es_vat_21_re", "es_vat_21", "es_vat_10_re", "es_vat_10", "es_vat_4_re", "es_vat_4"];
        assert_eq!(codes.get(..6), Some(&first[..]));
        assert_eq!(
            ROWS.iter().collect::<BTreeSet<_>>().len(),
            ROWS.len(),
            "no two rows are one in the order"
        );
    }
}

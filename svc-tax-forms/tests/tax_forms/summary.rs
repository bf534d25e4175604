//! The four quarters of 303 sum to 390.

use proptest::prelude::*;
use rust_decimal::Decimal;
use svc_core::money::{Amount, Currency};
use svc_tax_forms::{Computed, FactKind, Model, Rectifies, TaxFact, Treatment};
use time::Duration;

use crate::facts::fact;
use crate::{compute, day, period};

const RATES: [&str; 7] = ["0", "2", "4", "5", "7.5", "10", "21"];
const SURCHARGES: [&str; 7] = ["0", "0.26", "0.5", "0.62", "1", "1.4", "5.2"];

/// Boxes of 303 whose sum of four quarters is the sum of boxes of 390.
const SAME: [(&[&str], &[&str]); 16] = [
    (&["27"], &["47"]),
    (&["45"], &["64"]),
    (&["46"], &["65"]),
    (&["01"], &["01"]),
    (&["03"], &["02"]),
    (&["153"], &["702", "669"]),
    (&["07"], &["05"]),
    (
        &["10"],
        &["716", "683", "21", "718", "685", "23", "25", "720", "687", "545", "722", "689", "547", "551"],
    ),
    (&["13"], &["28"]),
    (&["15"], &["30"]),
    (&["26"], &["44"]),
    (&["29"], &["49"]),
    (&["31", "33", "35", "37", "39"], &["51", "53", "55", "57", "59", "598"]),
    (&["41"], &["62"]),
    (&["59"], &["103"]),
    (&["60", "120", "122"], &["104", "110", "125"]),
];

fn amount(cents: i64) -> Amount {
    Amount::from_minor(cents, Currency::EUR).expect("in range")
}

/// Facts of the year: the tax is that of the rate, and of what is bought it can be deducted, in part or not at all.
fn facts() -> impl Strategy<Value = Vec<TaxFact>> {
    let kinds =
        [FactKind::VatOutput, FactKind::VatSelfAssessed, FactKind::VatInput, FactKind::SurchargeOutput];
    let treatments = prop::sample::select(Treatment::ALL.to_vec());
    let one = (prop::sample::select(kinds.to_vec()), treatments, 0_usize..7, -9_999_999_i64..99_999_999)
        .prop_flat_map(|shape| (Just(shape), 0_i64..365, any::<bool>(), any::<bool>(), 0_i64..=2))
        .prop_map(|((kind, treatment, rate, base), days, investment, rectifying, share)| {
            let surcharge = kind == FactKind::SurchargeOutput;
            let rates = if surcharge { SURCHARGES } else { RATES };
            let rate: Decimal = rates.get(rate).expect("a rate").parse().expect("a rate");
            let quota = Amount::round(amount(base).decimal() * rate / Decimal::ONE_HUNDRED, Currency::EUR);
            let quota = quota.expect("in range");
            TaxFact {
                treatment,
                rate,
                investment,
                rectifies: if rectifying { Rectifies::Document } else { Rectifies::Nothing },
                base: amount(base),
                quota,
                deductible: amount(quota.minor() * share / 2),
                ..fact(kind, day(2025, 1, 1) + Duration::days(days), "0.00", "0.00")
            }
        });
    prop::collection::vec(one, 0..60)
}

fn cents(computed: &Computed, codes: &[&str]) -> i64 {
    codes.iter().map(|code| computed.amount(code).expect("a box").minor()).sum()
}

proptest! {
    #[test]
    fn four_quarters_are_the_year(facts in facts()) {
        let quarters = ["1T", "2T", "3T", "4T"].map(|code| compute(Model::M303, &period(2025, code), &facts));
        let year = compute(Model::M390, &period(2025, "0A"), &facts);
        for (boxes, summed) in SAME {
            let four: i64 = quarters.iter().map(|quarter| cents(quarter, boxes)).sum();
            prop_assert_eq!(four, cents(&year, summed), "{:?} and {:?}", boxes, summed);
        }
    }

    #[test]
    fn twelve_months_are_four_quarters(facts in facts()) {
        for (quarter, months) in [("1T", ["01", "02", "03"]), ("4T", ["10", "11", "12"])] {
            let whole = compute(Model::M303, &period(2025, quarter), &facts);
            let parts = months.map(|month| compute(Model::M303, &period(2025, month), &facts));
            let sum: i64 = parts.iter().map(|part| cents(part, &["46"])).sum();
            prop_assert_eq!(cents(&whole, &["46"]), sum);
        }
    }

    #[test]
    fn output_less_input_is_the_result(facts in facts()) {
        let made = compute(Model::M303, &period(2025, "2T"), &facts);
        let output = ["152", "167", "03", "155", "06", "09", "11", "13", "15", "158", "170", "18", "21", "24", "26"];
        let input = ["29", "31", "33", "35", "37", "39", "41", "42", "43", "44"];
        prop_assert_eq!(cents(&made, &output), cents(&made, &["27"]));
        prop_assert_eq!(cents(&made, &input), cents(&made, &["45"]));
        prop_assert_eq!(cents(&made, &["27"]) - cents(&made, &["45"]), cents(&made, &["46"]));
    }

    #[test]
    fn the_order_of_facts_changes_no_box(facts in facts()) {
        let turned: Vec<TaxFact> = facts.iter().rev().cloned().collect();
        for (model, of, result) in [(Model::M303, "3T", "71"), (Model::M390, "0A", "86")] {
            let (one, other) = (compute(model, &period(2025, of), &facts), compute(model, &period(2025, of), &turned));
            for (left, right) in one.boxes.iter().zip(&other.boxes) {
                prop_assert_eq!(left.value, right.value, "box {}", left.code);
            }
            prop_assert_eq!(one.sources(result), other.sources(result));
        }
    }
}

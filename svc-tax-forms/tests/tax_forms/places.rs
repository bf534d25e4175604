//! Where facts stand on 303 and 390: in one base box, or outside with a reason.

use proptest::prelude::*;
use rust_decimal::Decimal;
use svc_tax_forms::{FactKind, Form, Model, Origin, Rectifies, TaxFact, Treatment};

use crate::facts::fact;
use crate::{compute, day, eur, period};

const KINDS: [FactKind; 4] =
    [FactKind::VatOutput, FactKind::VatSelfAssessed, FactKind::VatInput, FactKind::SurchargeOutput];
const RATES: [&str; 14] =
    ["0", "2", "3", "4", "5", "7.5", "10", "21", "0.26", "0.5", "0.62", "1", "1.4", "5.2"];

fn facts() -> impl Strategy<Value = TaxFact> {
    let kind = prop::sample::select(KINDS.to_vec());
    let treatment = prop::sample::select(Treatment::ALL.to_vec());
    let rate = prop::sample::select(RATES.to_vec());
    (kind, treatment, rate, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(kind, treatment, rate, investment, rectifying, deductible)| TaxFact {
            treatment,
            rate: rate.parse::<Decimal>().expect("a rate"),
            investment,
            rectifies: if rectifying { Rectifies::Document } else { Rectifies::Nothing },
            deductible: if deductible { eur("7.77") } else { eur("0.00") },
            ..fact(kind, day(2025, 2, 1), "100.00", "7.77")
        },
    )
}

/// Boxes that hold the base, those left out that count a fact once more.
fn base_boxes(form: &Form, computed: &svc_tax_forms::Computed) -> usize {
    let counted = form.boxes().iter().filter(|one| one.origin() == Origin::Computed && !one.again);
    counted.filter(|one| computed.amount(&one.code) == Some(eur("100.00"))).count()
}

proptest! {
    #[test]
    fn a_fact_stands_in_one_base_box_or_outside(fact in facts()) {
        for (model, of) in [(Model::M303, period(2025, "1T")), (Model::M390, period(2025, "0A"))] {
            let computed = compute(model, &of, std::slice::from_ref(&fact));
            let form = Form::find(model, &of).expect("a form");
            // Import tax that the return pays has a box for the tax alone.
            let import = fact.kind == FactKind::VatSelfAssessed && fact.treatment == Treatment::Import;
            let expected = usize::from(computed.outside.is_empty() && !import);
            prop_assert_eq!(base_boxes(form, &computed), expected, "{} {:?}", model, fact);
            prop_assert_eq!(computed.outside.len(), computed.warnings.len());
        }
    }
}

#[test]
fn every_real_rate_of_a_sale_has_a_box() {
    for rate in ["0", "2", "4", "5", "7.5", "10", "21"] {
        let sale = fact(FactKind::VatOutput, day(2025, 2, 1), "100.00", "7.77");
        let sale = TaxFact { rate: rate.parse().expect("a rate"), ..sale };
        for (model, of) in [(Model::M303, period(2025, "1T")), (Model::M390, period(2025, "0A"))] {
            let made = compute(model, &of, std::slice::from_ref(&sale));
            assert!(made.outside.is_empty(), "{model} at {rate} %");
        }
    }
}

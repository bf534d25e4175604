//! Invariants I-08, I-09 and I-10 of the specification, over random documents.

use std::fmt::Debug;

use proptest::prelude::*;
use svc_business::trade::calculation::{Calculation, Document, Line, TaxAdjustment};
use svc_business::trade::{Discount, TaxCode};
use svc_core::money::Amount;
use svc_testkit::property::cases;

use super::documents::{any_document, credit, figures, taxes, totals};

fn sum(amounts: impl IntoIterator<Item = Amount>) -> i64 {
    amounts.into_iter().map(Amount::minor).sum()
}

/// The lines of one tax.
fn group(document: &Document, tax: &'static TaxCode) -> Vec<Line> {
    document.lines.iter().copied().filter(|line| line.tax == tax).collect()
}

/// Quotas, withholdings and totals.
fn summary(calculation: &Calculation) -> impl PartialEq + Debug + use<> {
    let withheld = calculation.withholdings.iter().map(|one| (one.base.minor(), one.amount.minor()));
    (taxes(calculation), withheld.collect::<Vec<_>>(), totals(calculation))
}

proptest! {
    #![proptest_config(cases(500))]

    /// I-08, and what each figure is beside the ones that it is made of.
    #[test]
    fn totals_are_sums_of_rounded_parts(document in any_document()) {
        let figures = figures(&document);
        let sums = figures.totals;
        let (lines, parts) = (&figures.lines, &figures.taxes);
        prop_assert_eq!(sum(lines.iter().map(|line| line.net)), sums.lines.minor());
        prop_assert_eq!(sum(lines.iter().map(|line| line.document_discount_share)), sums.discount.minor());
        prop_assert_eq!(sum(parts.iter().map(|tax| tax.base)), sums.taxable.minor());
        prop_assert_eq!(sum(parts.iter().flat_map(|tax| [tax.quota, tax.surcharge_quota])), sums.tax.minor());
        prop_assert_eq!(sums.taxable.minor() + sums.tax.minor(), sums.total.minor());
        prop_assert_eq!(sum(figures.withholdings.iter().map(|one| one.amount)), sums.withholding.minor());
        prop_assert_eq!(sums.total.minor() - sums.withholding.minor(), sums.payable.minor());
        for tax in parts {
            let of_tax = lines.iter().filter(|line| line.tax == tax.tax);
            prop_assert_eq!(sum(of_tax.map(|line| line.tax_base)), tax.base.minor());
        }
        let discounted = sums.lines.minor() - sums.discount.minor();
        if document.prices_include_tax {
            prop_assert_eq!(sums.total.minor(), discounted, "what is paid is what the lines say");
        } else {
            prop_assert_eq!(sums.taxable.minor(), discounted);
        }
    }

    /// A share is the exact one, rounded up or down to a minor unit, and never more than its line.
    #[test]
    fn shares_are_within_a_unit_of_their_proportion(document in any_document()) {
        let figures = figures(&document);
        let (whole, all) = (figures.totals.discount.minor(), figures.totals.lines.minor());
        for line in figures.lines {
            let (net, share) = (i128::from(line.net.minor()), i128::from(line.document_discount_share.minor()));
            let off = share * i128::from(all) - net * i128::from(whole);
            prop_assert!(off.abs() < i128::from(all).abs().max(1));
            prop_assert!(share.abs() <= net.abs() && share * net >= 0);
        }
    }

    /// I-09: the order of the lines changes no total.
    #[test]
    fn the_order_of_the_lines_changes_no_total(
        (document, shuffled) in any_document().prop_flat_map(|document| {
            let lines = Just(document.lines.clone()).prop_shuffle();
            (Just(document), lines)
        })
    ) {
        let other = Document { lines: shuffled, ..document.clone() };
        prop_assert_eq!(summary(&figures(&document)), summary(&figures(&other)));
    }

    /// I-09: each tax is what it is in a document of its own, with the discount that its lines had.
    #[test]
    fn a_document_split_by_taxes_keeps_each_base(document in any_document()) {
        let whole = figures(&document);
        for tax in &whole.taxes {
            let lines = whole.lines.iter().filter(|line| line.tax == tax.tax);
            let discount = sum(lines.clone().map(|line| line.document_discount_share));
            let net = sum(lines.map(|line| line.net));
            // Among lines of both signs a share may be larger than what is left of the group.
            prop_assume!((net.min(0)..=net.max(0)).contains(&discount));
            let amount = Amount::from_minor(discount, document.currency).expect("in range");
            let alone = Document {
                lines: group(&document, tax.tax),
                discount: Some(Discount::Amount(amount)),
                ..document.clone()
            };
            let alone = figures(&alone);
            prop_assert_eq!(&alone.taxes, &vec![*tax]);
        }
    }

    /// I-10: the credit of all lines is exactly the negative of every figure.
    #[test]
    fn a_credit_takes_every_figure_back(document in any_document()) {
        let (sale, credit) = (figures(&document), figures(&credit(&document)));
        let of = |one: &Calculation| {
            let lines = one.lines.iter().flat_map(|line| {
                [line.gross, line.net, line.document_discount_share, line.tax_base]
            });
            let taxes = one.taxes.iter().flat_map(|tax| {
                [tax.base, tax.quota, tax.surcharge_quota, tax.self_assessed_quota]
            });
            let withheld = one.withholdings.iter().flat_map(|one| [one.base, one.amount]);
            let sums = one.totals;
            let sums = [
                sums.lines, sums.discount, sums.taxable, sums.tax, sums.total, sums.withholding, sums.payable,
            ];
            lines.chain(taxes).chain(withheld).chain(sums).map(Amount::minor).collect::<Vec<_>>()
        };
        let turned: Vec<_> = of(&credit).into_iter().map(|minor| -minor).collect();
        prop_assert_eq!(of(&sale), turned);
    }

    /// Every quota within the tolerance is taken over, and the sums hold as before.
    #[test]
    fn an_adjusted_document_has_the_quotas_that_it_states(document in any_document(), off in -5_i64..=5) {
        let computed = figures(&document);
        let charged: Vec<_> =
            computed.taxes.iter().filter(|tax| !tax.tax.charged_rate().to_string().eq("0")).collect();
        let adjustments: Vec<_> = charged
            .iter()
            .map(|tax| TaxAdjustment {
                tax_code: tax.tax.code.to_owned(),
                quota: Amount::from_minor(tax.quota.minor() + off, document.currency).expect("in range"),
            })
            .collect();
        let adjusted = computed.clone().adjusted(&adjustments).expect("near enough");
        let moved = off * i64::try_from(adjustments.len()).expect("few");
        let (before, after) = (computed.totals, adjusted.totals);
        prop_assert_eq!(after.tax.minor() - before.tax.minor(), moved);
        let paid = if document.prices_include_tax { 0 } else { moved };
        prop_assert_eq!(after.total.minor() - before.total.minor(), paid);
        for tax in &adjusted.taxes {
            let lines = adjusted.lines.iter().filter(|line| line.tax == tax.tax);
            prop_assert_eq!(sum(lines.map(|line| line.tax_base)), tax.base.minor());
        }
        prop_assert_eq!(after.total.minor() - after.withholding.minor(), after.payable.minor());
    }
}

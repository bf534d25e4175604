//! What suppliers computed comes in as they computed it.

use proptest::prelude::*;
use svc_business::purchases::document::DocType;
use svc_business::purchases::import::{ImportedInvoice, ImportedLine, ImportedTax};
use svc_business::trade::TaxCategory;
use svc_testkit::property::cases;

use super::super::documents::{Texts, content, lines};
use super::{decimal, general, imported, plain, rate};

/// What a supplier that computes as the service does would send.
fn sent(texts: &[Texts<'_>]) -> ImportedInvoice {
    let content = content("EUR", lines(texts));
    let figures = content.figures();
    let named = |code: &str| match code {
        "es_in_10" => rate(TaxCategory::Standard, "10"),
        "es_in_intra_21" => rate(TaxCategory::IntraCommunity, "0"),
        "es_in_exempt" => rate(TaxCategory::Exempt, "0"),
        _ => general(),
    };
    let lines = content.lines().iter().zip(&figures.lines).map(|(line, figures)| ImportedLine {
        description: line.description.clone(),
        quantity: decimal(&line.quantity.to_string()),
        unit: line.unit.to_string(),
        unit_price: decimal(&line.unit_price.to_string()),
        discount_percent: Some(decimal(&line.discount_percent.to_string())),
        net: figures.net,
        tax: named(line.tax.code),
        withholding_rate: decimal(&line.withholding_rate.to_string()),
    });
    let taxes = figures.taxes.iter().map(|one| ImportedTax {
        tax: named(one.tax.code),
        base: one.base,
        quota: one.quota,
    });
    ImportedInvoice {
        lines: lines.collect(),
        taxes: taxes.collect(),
        total: figures.totals.total,
        payable: figures.totals.payable,
        ..plain()
    }
}

proptest! {
    #![proptest_config(cases(200))]

    /// What the supplier computed as the service does comes in to the cent and line by line; and where only the amounts
    /// of the lines are known, to the cent.
    #[test]
    fn an_invoice_comes_in_to_the_cent(
        parts in prop::collection::vec(
            (1_i64..200, 0_i64..999_999, 0_usize..4, 0_i64..=100, any::<bool>()),
            1..8,
        ),
        back in any::<bool>(),
    ) {
        const CODES: [&str; 4] = ["es_in_21", "es_in_10", "es_in_intra_21", "es_in_exempt"];
        let texts: Vec<_> = parts
            .iter()
            .map(|(count, price, _, discount, _)| {
                let sign = if back { "-" } else { "" };
                let price = format!("{}.{:03}", price / 1_000, price % 1_000);
                (format!("{sign}{}.{}", count / 10, count % 10), price, discount.to_string())
            })
            .collect();
        let texts: Vec<_> = parts
            .iter()
            .zip(&texts)
            .map(|((.., code, _, withheld), (count, price, discount))| {
                let withheld = if *withheld { "7" } else { "0" };
                (count.as_str(), price.as_str(), discount.as_str(), CODES[*code], withheld)
            })
            .collect();
        let invoice = sent(&texts);
        let whole = imported(&invoice);
        prop_assert_eq!(&whole.warnings, &[]);
        for (line, text) in whole.document.content.lines().iter().zip(&texts) {
            prop_assert_eq!(line.quantity, text.0.parse().expect("a quantity"));
        }
        let mut bare = invoice.clone();
        for line in &mut bare.lines {
            line.unit_price += decimal("7");
        }
        let bare = imported(&bare);
        prop_assert_eq!(&bare.warnings, &[]);
        prop_assert_eq!(bare.document.payable(), invoice.payable);
        let credit = invoice.total.minor() < 0;
        prop_assert_eq!(bare.document.doc_type == DocType::CreditNote, credit);
    }
}

//! Documents whose figures were worked out by hand.

use svc_core::money::{Amount, Currency};

use super::documents::{amount, credit, document, figures, line, percent, taxes, totals};

const VAT_21: &str = "es_vat_21";
const VAT_4: &str = "es_vat_4";

#[test]
fn the_worked_example_comes_out_to_the_cent() {
    let mut worked = document(&[
        ("10", "85.50", "10", VAT_21, "15"),
        ("3", "19.999", "0", VAT_21, "0"),
        ("1", "12.345", "0", VAT_4, "0"),
    ]);
    worked.discount = Some(percent("5"));
    let figures = figures(&worked);

    let lines: Vec<_> = figures
        .lines
        .iter()
        .map(|line| {
            [line.gross, line.net, line.document_discount_share, line.tax_base]
                .map(|amount| amount.to_string())
        })
        .collect();
    assert_eq!(lines[0], ["855.00", "769.50", "38.47", "731.03"]);
    assert_eq!(lines[1], ["60.00", "60.00", "3.00", "57.00"]);
    assert_eq!(lines[2], ["12.35", "12.35", "0.62", "11.73"]);
    assert_eq!(taxes(&figures), [[VAT_21, "788.03", "165.49", "0.00"], [VAT_4, "11.73", "0.47", "0.00"]]);
    let [withholding] = figures.withholdings[..] else { panic!("one rate") };
    assert_eq!(
        (withholding.rate, withholding.base.minor(), withholding.amount.minor()),
        ("15".parse().expect("a rate"), 73_103, 10_965)
    );
    assert_eq!(totals(&figures), ["841.85", "42.09", "799.76", "165.96", "965.72", "109.65", "856.07"]);
}

#[test]
fn a_surcharge_stands_beside_its_quota() {
    let figures = figures(&document(&[
        ("1", "100.00", "0", "es_vat_21_re", "0"),
        ("1", "33.33", "0", "es_vat_10_re", "0"),
        ("1", "9.99", "0", "es_vat_4_re", "0"),
    ]));
    assert_eq!(
        taxes(&figures),
        [
            ["es_vat_21_re", "100.00", "21.00", "5.20"],
            ["es_vat_10_re", "33.33", "3.33", "0.47"],
            ["es_vat_4_re", "9.99", "0.40", "0.05"]
        ]
    );
    assert_eq!(totals(&figures), ["143.32", "0.00", "143.32", "30.45", "173.77", "0.00", "173.77"]);
}

#[test]
fn a_price_with_tax_stays_what_it_is() {
    // 100 / 1.21 = 82.644…; 100 / 1.262 = 79.239…, of which 5.2 % are 4.12.
    let mut document =
        document(&[("1", "100.00", "0", VAT_21, "0"), ("1", "100.00", "0", "es_vat_21_re", "0")]);
    document.prices_include_tax = true;
    let figures = figures(&document);
    assert_eq!(
        taxes(&figures),
        [["es_vat_21_re", "79.24", "16.64", "4.12"], [VAT_21, "82.64", "17.36", "0.00"]]
    );
    assert_eq!(totals(&figures), ["200.00", "0.00", "161.88", "38.12", "200.00", "0.00", "200.00"]);
}

#[test]
fn tax_is_not_withheld_on_tax() {
    // Three times 10.00 with tax: 30 / 1.21 = 24.79, and 8.264… each is 8.27, 8.26, 8.26.
    let lines = [("1", "10.00", "0", VAT_21, "15"), ("1", "10.00", "0", VAT_21, "15")];
    let mut document = document(&[lines[0], lines[1], ("1", "10.00", "0", VAT_21, "0")]);
    document.prices_include_tax = true;
    let figures = figures(&document);
    let bases: Vec<_> = figures.lines.iter().map(|line| line.tax_base.minor()).collect();
    assert_eq!(bases, [827, 826, 826]);
    assert_eq!(totals(&figures), ["30.00", "0.00", "24.79", "5.21", "30.00", "2.48", "27.52"]);
}

#[test]
fn lines_with_tax_that_cancel_out_keep_their_own_bases() {
    let mut document = document(&[("1", "10.01", "0", VAT_21, "15"), ("-1", "10.00", "0", VAT_21, "0")]);
    document.prices_include_tax = true;
    let figures = figures(&document);
    // 10.01 / 1.21 = 8.273, not the 10.01 that the base of the group, 0.01 of 0.01, would make of it.
    let bases: Vec<_> = figures.lines.iter().map(|line| line.tax_base.minor()).collect();
    assert_eq!(bases, [827, -826]);
    assert_eq!(totals(&figures), ["0.01", "0.00", "0.01", "0.00", "0.01", "1.24", "-1.23"]);
}

#[test]
fn each_rate_of_withholding_is_listed_with_the_highest_first() {
    let figures = figures(&document(&[
        ("1", "1000.00", "0", VAT_21, "7"),
        ("1", "800.00", "0", VAT_21, "19"),
        ("1", "0.50", "0", VAT_4, "7"),
        ("1", "10.00", "0", VAT_4, "0"),
    ]));
    let rates: Vec<_> = figures
        .withholdings
        .iter()
        .map(|one| (one.rate.to_string(), one.base.to_string(), one.amount.to_string()))
        .collect();
    let expected = [("19", "800.00", "152.00"), ("7", "1000.50", "70.04")];
    assert_eq!(
        rates,
        expected.map(|(rate, base, amount)| (rate.to_owned(), base.to_owned(), amount.to_owned()))
    );
    assert_eq!(totals(&figures), ["1810.50", "0.00", "1810.50", "378.42", "2188.92", "222.04", "1966.88"]);
}

#[test]
fn a_discount_by_amount_may_be_the_whole_document() {
    let mut document = document(&[("2", "10.00", "0", VAT_21, "15"), ("1", "5.00", "0", VAT_4, "0")]);
    document.discount = Some(amount("10.00"));
    let part = figures(&document);
    let shares: Vec<_> = part.lines.iter().map(|line| line.document_discount_share.minor()).collect();
    assert_eq!(shares, [800, 200]);
    assert_eq!(totals(&part), ["25.00", "10.00", "15.00", "2.64", "17.64", "1.80", "15.84"]);
    document.discount = Some(amount("25.00"));
    assert_eq!(totals(&figures(&document)), ["25.00", "25.00", "0.00", "0.00", "0.00", "0.00", "0.00"]);
}

#[test]
fn a_credit_is_the_document_with_its_signs_turned() {
    let mut sale = document(&[("10", "85.50", "10", VAT_21, "15"), ("3", "19.999", "0", VAT_4, "0")]);
    sale.discount = Some(amount("1.00"));
    assert_eq!(totals(&figures(&sale)), ["829.50", "1.00", "828.50", "163.80", "992.30", "115.29", "877.01"]);
    let credit = figures(&credit(&sale));
    assert_eq!(totals(&credit), ["-829.50", "-1.00", "-828.50", "-163.80", "-992.30", "-115.29", "-877.01"]);
}

#[test]
fn a_sum_of_zero_has_no_discount_to_share() {
    let mut document = document(&[("1", "10.00", "0", VAT_21, "0"), ("-1", "10.00", "0", VAT_4, "0")]);
    document.discount = Some(percent("50"));
    let figures = figures(&document);
    assert_eq!(taxes(&figures), [[VAT_21, "10.00", "2.10", "0.00"], [VAT_4, "-10.00", "-0.40", "0.00"]]);
    assert_eq!(totals(&figures), ["0.00", "0.00", "0.00", "1.70", "1.70", "0.00", "1.70"]);
}

#[test]
fn a_minor_unit_that_two_taxes_claim_does_not_follow_the_order_of_the_lines() {
    // Taken off the 21 % the cent lowers the tax: 0.49 × 21 % is 0.10, and 0.50 × 21 % is 0.11.
    let lines = [("1", "0.50", "0", VAT_4, "0"), ("1", "0.50", "0", VAT_21, "0")];
    for lines in [lines, [lines[1], lines[0]]] {
        let mut document = document(&lines);
        document.discount = Some(amount("0.01"));
        assert_eq!(totals(&figures(&document)), ["1.00", "0.01", "0.99", "0.12", "1.11", "0.00", "1.11"]);
    }
    // Within one tax it is the earlier line's.
    let mut document = document(&[lines[0], lines[0], lines[0]]);
    document.discount = Some(amount("0.02"));
    let shares: Vec<_> =
        figures(&document).lines.iter().map(|line| line.document_discount_share.minor()).collect();
    assert_eq!(shares, [1, 1, 0]);
}

#[test]
fn each_currency_is_rounded_to_its_own_digits() {
    let lines = [("3", "333.335", "0", VAT_21, "0"), ("1", "0.4995", "0", VAT_4, "0")];
    for (code, expected) in [
        ("JPY", ["1000", "50", "950", "200", "1150", "0", "1150"]),
        ("KWD", ["1000.505", "50.025", "950.480", "199.520", "1150.000", "0.000", "1150.000"]),
    ] {
        let mut document = document(&lines);
        document.currency = code.parse().expect("a currency");
        document.discount = Some(percent("5"));
        assert_eq!(totals(&figures(&document)), expected, "{code}");
    }
}

#[test]
fn the_customer_owes_the_tax_of_a_reverse_charge_itself() {
    let figures = figures(&document(&[
        ("1", "99.99", "0", "es_in_reverse_21", "0"),
        ("1", "10.00", "0", "es_in_intra_21", "0"),
    ]));
    let owed: Vec<_> = figures.taxes.iter().map(|tax| tax.self_assessed_quota.to_string()).collect();
    assert_eq!(owed, ["21.00", "2.10"]);
    assert_eq!(totals(&figures), ["109.99", "0.00", "109.99", "0.00", "109.99", "0.00", "109.99"]);
}

#[test]
fn five_hundred_lines_are_rounded_once_for_each_tax() {
    let mut document = document(&[]);
    document.lines = vec![line(("1", "0.03", "0", VAT_21, "0")); 500];
    document.discount = Some(amount("0.99"));
    let figures = figures(&document);
    // By line it would be 0.01 of tax each: 5.00. A share of 0.00198 leaves 99 lines with a cent, the first ones.
    assert_eq!(totals(&figures), ["15.00", "0.99", "14.01", "2.94", "16.95", "0.00", "16.95"]);
    let cents: Vec<_> = figures.lines.iter().map(|line| line.document_discount_share.minor()).collect();
    assert!(cents[..99].iter().all(|&cents| cents == 1) && cents[99..].iter().all(|&cents| cents == 0));
}

#[test]
fn the_largest_line_and_the_largest_document_are_exact() {
    let figures = figures(&document(&[
        ("999999.999999", "7438016.528925", "0", VAT_21, "0"),
        ("0.000001", "9000000", "0", "es_export", "0"),
    ]));
    // 999,999.999999 × 7,438,016.528925 = 7,438,016,528,917.561983471075.
    assert_eq!(figures.lines[0].gross.to_string(), "7438016528917.56");
    assert_eq!(
        (figures.lines[1].gross.to_string(), figures.totals.total.to_string()),
        ("9.00".to_owned(), "8999999999999.25".to_owned())
    );
    let most = Amount::from_minor(900_000_000_000_000, Currency::EUR).expect("in range");
    let one = document(&[("1", "9000000000000", "0", "es_export", "0")]);
    assert_eq!(super::documents::figures(&one).totals.payable, most);
}

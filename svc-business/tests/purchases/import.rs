//! Electronic invoices become received documents.

mod to_the_cent;

use svc_business::contact::Kind;
use svc_business::purchases::document::{DocType, Origin, State, SupplierDocument, SupplierNumber};
use svc_business::purchases::import::{
    Imported, ImportedAdjustment, ImportedInvoice, ImportedKind, ImportedLine, ImportedRate, ImportedSeller,
    ImportedTax, Warning,
};
use svc_business::purchases::rules::{LineDefaults, Setting};
use svc_business::trade::{ItemType, TaxCategory};
use svc_core::error::ValidationErrors;
use svc_core::money::{Amount, Currency};
use svc_core::patch::Patch;
use svc_core::pii::{PiiAccess, Reveal};
use svc_testkit::business::sample;
use time::macros::date;

use super::documents::{DAY, approve, euros, findings, ids, percent, supplier};

fn rate(category: TaxCategory, rate: &str) -> ImportedRate {
    ImportedRate { category, rate: percent(rate) }
}

fn general() -> ImportedRate {
    rate(TaxCategory::Standard, "21")
}

fn decimal(text: &str) -> rust_decimal::Decimal {
    text.parse().expect("a decimal")
}

fn line(quantity: &str, price: &str, net: &str, tax: ImportedRate) -> ImportedLine {
    ImportedLine {
        description: "Paper".to_owned(),
        quantity: decimal(quantity),
        unit: "KGM".to_owned(),
        unit_price: decimal(price),
        discount_percent: None,
        net: euros(net),
        tax,
        withholding_rate: decimal("0"),
    }
}

fn tax(tax: ImportedRate, base: &str, quota: &str) -> ImportedTax {
    ImportedTax { tax, base: euros(base), quota: euros(quota) }
}

/// Of 121.00, with nothing unusual about it.
fn plain() -> ImportedInvoice {
    ImportedInvoice {
        kind: ImportedKind::Invoice,
        number: "F-1".to_owned(),
        issue_date: Some(date!(2025 - 03 - 01)),
        operation_date: None,
        due_date: Some(date!(2025 - 04 - 01)),
        currency: Currency::EUR,
        seller: ImportedSeller::default(),
        prices_include_tax: false,
        lines: vec![line("4", "25.00", "100.00", general())],
        discounts: Vec::new(),
        charges: Vec::new(),
        taxes: vec![tax(general(), "100.00", "21.00")],
        total: euros("121.00"),
        payable: euros("121.00"),
        payment_method: None,
        iban: Some("ES9121000418450200051332".to_owned()),
        notes: vec!["Thank you".to_owned()],
    }
}

#[expect(clippy::disallowed_methods, reason = "tests stand in for the authority")]
fn import(invoice: &ImportedInvoice) -> Result<Imported, ValidationErrors> {
    let access = PiiAccess::Full(Reveal::granted());
    let defaults = LineDefaults::of(Some(&supplier()));
    let setting = Setting { today: DAY, ids: ids(), access, defaults, creating: true };
    let base = SupplierDocument::blank(sample::id(1), Currency::EUR, Origin::Xml, DAY, &ids());
    invoice.document(base, &setting)
}

fn imported(invoice: &ImportedInvoice) -> Imported {
    import(invoice).expect("all of it can be taken over")
}

/// Quantity, price and tax of each line.
fn told(document: &SupplierDocument) -> Vec<String> {
    let lines = document.content.lines().iter();
    lines.map(|line| format!("{} x {} {}", line.quantity, line.unit_price, line.tax.code)).collect()
}

#[test]
fn an_invoice_is_taken_over_as_it_is() {
    let Imported { document, warnings } = imported(&plain());
    assert_eq!(warnings, []);
    assert_eq!(told(&document), ["4 x 25 es_in_21"]);
    assert_eq!(
        (document.doc_type, document.state(), document.origin),
        (DocType::Invoice, State::Received, Origin::Xml)
    );
    assert_eq!((document.issue_date, document.received_date), (date!(2025 - 03 - 01), DAY));
    assert_eq!((document.due_date(), document.payable()), (Some(date!(2025 - 04 - 01)), euros("121.00")));
    assert_eq!(document.number.as_ref().map(SupplierNumber::as_str), Some("F-1"));
    assert_eq!((document.notes.as_deref(), document.iban.is_some()), (Some("Thank you"), true));
    assert_eq!(document.content.lines()[0].unit.to_string(), "KGM");
    approve(SupplierDocument { supplier: Some(supplier().id), ..document });
}

#[test]
fn what_does_not_come_to_the_stated_amount_is_one_piece_of_it() {
    let discounted =
        ImportedLine { discount_percent: Some(decimal("10")), ..line("10", "85.50", "769.50", general()) };
    let by_amount = line("10", "85.50", "755.00", general());
    let fine = line("3", "0.3333333", "1.00", general());
    let back = line("-2", "5.00", "-9.00", general());
    let lines = vec![discounted, by_amount, fine, back];
    let invoice = ImportedInvoice {
        lines,
        taxes: vec![tax(general(), "1516.50", "318.47")],
        total: euros("1834.97"),
        payable: euros("1834.97"),
        ..plain()
    };
    let Imported { document, warnings } = imported(&invoice);
    assert_eq!(warnings, []);
    let expected = ["10 x 85.5 es_in_21", "1 x 755 es_in_21", "1 x 1 es_in_21", "-1 x 9 es_in_21"];
    assert_eq!(told(&document), expected);
}

#[test]
fn discounts_and_charges_become_lines_of_their_own_tax() {
    let reduced = rate(TaxCategory::Standard, "10");
    let part = |amount: &str, tax| ImportedAdjustment { reason: String::new(), amount: euros(amount), tax };
    let invoice = ImportedInvoice {
        lines: vec![line("1", "100.00", "100.00", general()), line("1", "50.00", "50.00", reduced)],
        discounts: vec![part("10.00", general()), part("5.00", reduced), part("0.00", reduced)],
        charges: vec![part("3.00", general())],
        taxes: vec![tax(general(), "93.00", "19.53"), tax(reduced, "45.00", "4.50")],
        total: euros("162.03"),
        payable: euros("162.03"),
        ..plain()
    };
    let Imported { document, warnings } = imported(&invoice);
    assert_eq!(warnings, []);
    let expected =
        ["1 x 100 es_in_21", "1 x 50 es_in_10", "-1 x 10 es_in_21", "-1 x 5 es_in_10", "1 x 3 es_in_21"];
    assert_eq!(told(&document), expected);
    assert_eq!(document.content.lines()[4].description, "Charge");
}

#[test]
fn what_is_withheld_of_all_lines_is_withheld_of_the_discount_too() {
    let withheld = |rate: &str| ImportedLine {
        withholding_rate: decimal(rate),
        ..line("1", "100.00", "100.00", general())
    };
    let discounted = |other: &str, payable: &str| ImportedInvoice {
        lines: vec![withheld("15"), withheld(other)],
        discounts: vec![ImportedAdjustment { reason: String::new(), amount: euros("20.00"), tax: general() }],
        taxes: vec![tax(general(), "180.00", "37.80")],
        total: euros("217.80"),
        payable: euros(payable),
        ..plain()
    };
    assert_eq!(imported(&discounted("15", "190.80")).warnings, []);
    // Where lines differ, an invoice does not say of which of them its discount is a part.
    let (stated, computed) = (euros("190.80"), euros("195.80"));
    assert_eq!(imported(&discounted("7", "190.80")).warnings, [Warning::Payable { stated, computed }]);
}

#[test]
fn a_quota_that_rounding_explains_is_taken_over() {
    let stated = |quota: &str, total: &str| ImportedInvoice {
        taxes: vec![tax(general(), "100.00", quota)],
        total: euros(total),
        payable: euros(total),
        ..plain()
    };
    let Imported { document, warnings } = imported(&stated("21.02", "121.02"));
    assert_eq!((document.payable(), warnings), (euros("121.02"), Vec::new()));
    assert_eq!(document.content.adjustments().len(), 1);
    let Imported { document, warnings } = imported(&stated("21.50", "121.50"));
    let expected = [
        Warning::Tax { tax_code: "es_in_21".to_owned(), stated: euros("21.50"), computed: euros("21.00") },
        Warning::Total { stated: euros("121.50"), computed: euros("121.00") },
        Warning::Payable { stated: euros("121.50"), computed: euros("121.00") },
    ];
    assert_eq!((document.payable(), warnings.as_slice()), (euros("121.00"), &expected[..]));
}

#[test]
fn a_total_below_zero_is_a_credit_note() {
    let back = ImportedInvoice {
        lines: vec![line("-4", "25.00", "-100.00", general())],
        taxes: vec![tax(general(), "-100.00", "-21.00")],
        total: euros("-121.00"),
        payable: euros("-121.00"),
        ..plain()
    };
    let Imported { document, warnings } = imported(&back);
    assert_eq!((document.doc_type, warnings), (DocType::CreditNote, Vec::new()));
    let simplified = ImportedInvoice { kind: ImportedKind::Simplified, ..plain() };
    assert_eq!(imported(&simplified).document.doc_type, DocType::SimplifiedInvoice);
}

#[test]
fn a_tax_is_found_by_category_and_rate() {
    for (category, percent, code) in [
        (TaxCategory::Standard, "4", "es_in_4"),
        (TaxCategory::ReverseCharge, "0", "es_in_reverse_21"),
        (TaxCategory::IntraCommunity, "0", "es_in_intra_21"),
        (TaxCategory::Export, "0", "es_in_exempt"),
        (TaxCategory::Exempt, "0", "es_in_exempt"),
        (TaxCategory::Igic, "7", "ic_igic_7"),
        (TaxCategory::Ipsi, "0.5", "ce_ipsi_0_5"),
    ] {
        let named = rate(category, percent);
        let invoice =
            ImportedInvoice { lines: vec![line("1", "1.00", "1.00", named)], taxes: Vec::new(), ..plain() };
        assert_eq!(imported(&invoice).document.content.lines()[0].tax.code, code);
    }
}

#[test]
fn what_comes_from_another_member_state_is_an_acquisition() {
    let from = |tax_id: &str, category| {
        let seller = ImportedSeller { tax_id: Some(tax_id.to_owned()), ..ImportedSeller::default() };
        let lines = vec![line("1", "1.00", "1.00", rate(category, "0"))];
        let document = imported(&ImportedInvoice { seller, lines, taxes: Vec::new(), ..plain() }).document;
        let line = &document.content.lines()[0];
        (line.tax.code, line.item_type)
    };
    // Services are under reverse charge, goods have a category of their own (Directive 2006/112/EC, articles 138 and 196).
    for (tax_id, category, expected) in [
        ("IE6388047V", TaxCategory::ReverseCharge, ("es_in_intra_21", ItemType::Service)),
        ("DE136695976", TaxCategory::IntraCommunity, ("es_in_intra_21", ItemType::Good)),
        ("ESB12345674", TaxCategory::ReverseCharge, ("es_in_reverse_21", ItemType::Service)),
        ("B12345674", TaxCategory::ReverseCharge, ("es_in_reverse_21", ItemType::Service)),
    ] {
        assert_eq!(from(tax_id, category), expected, "{tax_id}");
    }
}

#[test]
fn what_takes_the_place_of_another_invoice_says_so() {
    let numbers = vec!["100".to_owned()];
    let invoice = ImportedInvoice { kind: ImportedKind::Replacing { numbers: numbers.clone() }, ..plain() };
    let Imported { document, warnings } = imported(&invoice);
    assert_eq!((document.doc_type, warnings), (DocType::Invoice, vec![Warning::Replaces { numbers }]));
}

#[test]
fn what_cannot_be_taken_over_is_named_at_once() {
    let german = rate(TaxCategory::Standard, "19");
    let invoice = ImportedInvoice {
        number: " ".to_owned(),
        issue_date: None,
        lines: vec![
            line("1", "1.00", "1.00", german),
            ImportedLine { withholding_rate: decimal("101"), ..line("1", "1.00", "1.00", general()) },
        ],
        charges: vec![ImportedAdjustment { reason: String::new(), amount: euros("1.00"), tax: german }],
        ..plain()
    };
    let expected = [
        "number required",
        "issueDate required",
        "lines[0].tax invalid_tax_code",
        "lines[1].withholdingRate out_of_range",
        "charges[0].tax invalid_tax_code",
    ];
    assert_eq!(findings(&import(&invoice).expect_err("much is wrong")), expected);
    let tomorrow = ImportedInvoice { issue_date: DAY.next_day(), ..plain() };
    assert_eq!(findings(&import(&tomorrow).expect_err("too early")), ["receivedDate out_of_range"]);
}

#[test]
fn what_is_withheld_and_no_account_is_told() {
    let withheld =
        ImportedLine { withholding_rate: decimal("15.00"), ..line("4", "25.00", "100.00", general()) };
    let invoice = ImportedInvoice {
        lines: vec![withheld],
        payable: euros("106.00"),
        iban: Some("ES00".to_owned()),
        ..plain()
    };
    let Imported { document, warnings } = imported(&invoice);
    assert_eq!((document.payable(), warnings), (euros("106.00"), vec![Warning::Iban]));
}

#[test]
fn prices_with_tax_keep_their_total() {
    let invoice = ImportedInvoice {
        kind: ImportedKind::Simplified,
        prices_include_tax: true,
        lines: vec![line("3", "9.99", "29.97", general())],
        taxes: vec![tax(general(), "24.77", "5.20")],
        total: euros("29.97"),
        payable: euros("29.97"),
        ..plain()
    };
    let Imported { document, warnings } = imported(&invoice);
    assert_eq!((document.payable(), warnings), (euros("29.97"), Vec::<Warning>::new()));
}

#[test]
fn a_currency_of_its_own_waits_for_its_rate() {
    let dollars: Currency = "USD".parse().expect("a currency");
    let amount = |text| Amount::parse(text, dollars).expect("an amount");
    let invoice = ImportedInvoice {
        currency: dollars,
        lines: vec![ImportedLine { net: amount("100.00"), ..line("4", "25.00", "100.00", general()) }],
        taxes: Vec::new(),
        total: amount("121.00"),
        payable: amount("121.00"),
        ..plain()
    };
    let Imported { document, warnings } = imported(&invoice);
    assert_eq!((document.fx_rate(), document.payable(), warnings), (None, amount("121.00"), Vec::new()));
}

#[test]
fn the_seller_is_written_as_a_contact() {
    let text = |text: &str| Some(text.to_owned());
    let seller = ImportedSeller {
        name: "Ana García López".to_owned(),
        is_person: true,
        tax_id: text("ES12345678Z"),
        city: text("Madrid"),
        phone: text(" "),
        ..ImportedSeller::default()
    };
    let contact = seller.contact();
    assert_eq!(contact.kind, Patch::Value(Kind::Person));
    assert_eq!(contact.given_name, Patch::Value("Ana".to_owned()));
    assert_eq!(contact.family_name, Patch::Value("García López".to_owned()));
    assert_eq!((contact.phone, contact.email), (Patch::Absent, Patch::Absent));
    assert!(
        matches!(&contact.address, Patch::Value(address) if address.city == Patch::Value("Madrid".to_owned()))
    );
    let company = ImportedSeller { name: "Papelera Norte SL".to_owned(), ..ImportedSeller::default() };
    let contact = company.contact();
    assert_eq!(contact.legal_name, Patch::Value("Papelera Norte SL".to_owned()));
    assert_eq!((contact.kind, contact.address), (Patch::Value(Kind::Organization), Patch::Absent));
}

//! Returns as files.

use proptest::prelude::*;
use svc_tax_forms::export::{Declarant, ExportError, Language, csv, csv_of_parties, file};
use svc_tax_forms::{Computed, Model, Previous, PreviousReturn, Rectifies, TaxFact, Treatment};

use crate::facts::{german, purchase, sale, self_charged, spanish, with};
use crate::{compute, compute_after, day, eur, period};

fn declarant() -> Declarant {
    Declarant {
        tax_id: "A58818501".to_owned(),
        name: "Ferretería Sol SL".to_owned(),
        phone: "910000000".to_owned(),
        contact: "Núñez Açaí Ada".to_owned(),
        number: "3470000000001".to_owned(),
    }
}

/// The lines, each of 500 positions.
fn lines(computed: &Computed) -> Vec<Vec<u8>> {
    let bytes = file(computed, &declarant()).expect("a file");
    assert_eq!(bytes.len() % 502, 0);
    bytes.chunks(502).map(|line| line.strip_suffix(b"\r\n").expect("a line end").to_vec()).collect()
}

/// Positions as the orders count them, from 1.
fn at(line: &[u8], first: usize, last: usize) -> String {
    line.get(first - 1..last).expect("positions").iter().copied().map(char::from).collect()
}

fn third_parties() -> Computed {
    let customer = spanish("B12345674", "Peñas & Hijos, S.L.");
    let scrap = spanish("B98765430", "Chatarras Ebro SL");
    let mut facts = vec![
        with(&customer, sale(day(2025, 1, 31), "5000.00", "1050.00")),
        with(&customer, sale(day(2025, 5, 1), "-200.00", "-42.00")),
        with(&german(), purchase(day(2025, 7, 1), "4000.00", "840.00")),
    ];
    let charged = self_charged(Treatment::ReverseCharge, day(2025, 12, 1), "9000.00", "1890.00");
    facts.extend(charged.map(|fact| with(&scrap, fact)));
    compute(Model::M347, &period(2025, "0A"), &facts)
}

#[test]
fn the_first_record_of_347_is_of_the_declarant() {
    let lines = lines(&third_parties());
    let first = &lines[0];
    assert_eq!(at(first, 1, 17), "13472025A58818501");
    assert_eq!(at(first, 18, 57), format!("{:40}", "FERRETERIA SOL SL"));
    assert_eq!(at(first, 58, 67), "T910000000");
    assert_eq!(at(first, 68, 107), format!("{:40}", "NUÑEZ AÇAI ADA"));
    assert_eq!(at(first, 108, 120), "3470000000001");
    assert_eq!(at(first, 121, 135), "  0000000000000");
    assert_eq!(at(first, 136, 144), "000000003");
    assert_eq!(at(first, 145, 160), " 000000001964800");
    assert_eq!(at(first, 161, 185), "000000000 000000000000000");
    assert_eq!(at(first, 186, 500), " ".repeat(315));
}

#[test]
fn a_record_of_347_has_the_year_and_its_quarters() {
    let lines = lines(&third_parties());
    let row = lines.iter().find(|line| at(line, 18, 26) == "B12345674").expect("the customer");
    assert_eq!(at(row, 1, 17), "23472025A58818501");
    assert_eq!(at(row, 27, 35), " ".repeat(9));
    assert_eq!(at(row, 36, 75), format!("{:40}", "PEÑAS & HIJOS, S.L."));
    assert_eq!(at(row, 76, 82), "D28   B");
    assert_eq!(at(row, 83, 98), " 000000000580800");
    assert_eq!(at(row, 99, 131), format!("  {} {}", "0".repeat(15), "0".repeat(15)));
    assert_eq!(at(row, 132, 135), "0000");
    assert_eq!(at(row, 136, 151), " 000000000605000");
    assert_eq!(at(row, 168, 183), "N000000000024200");
    assert_eq!(at(row, 264, 283), " ".repeat(20));
    assert_eq!(at(row, 284, 299), " 000000000000000");
}

#[test]
fn a_record_of_347_marks_reverse_charge_and_names_parties_abroad() {
    let lines = lines(&third_parties());
    let scrap = lines.iter().find(|line| at(line, 18, 26) == "B98765430").expect("the supplier");
    assert_eq!((at(scrap, 82, 98), at(scrap, 282, 282)), ("A 000000000900000".to_owned(), "X".to_owned()));
    let abroad = lines.iter().find(|line| at(line, 264, 280).starts_with("DE")).expect("the German");
    assert_eq!(at(abroad, 18, 26), " ".repeat(9));
    assert_eq!(at(abroad, 76, 82), "D99DE A");
    assert_eq!(at(abroad, 36, 75), format!("{:40}", "MULLER WERKZEUGE GMBH"));
}

#[test]
fn a_party_of_a_third_country_is_named_by_its_country_alone() {
    let abroad =
        svc_tax_forms::Party { tax_id: Some("123456789".to_owned()), country: "US".to_owned(), ..german() };
    let made = compute(
        Model::M347,
        &period(2025, "0A"),
        &[with(&abroad, purchase(day(2025, 7, 1), "4000.00", "0.00"))],
    );
    let lines = lines(&made);
    let [_, row] = lines.as_slice() else { panic!("two records") };
    assert_eq!(
        (at(row, 18, 26), at(row, 77, 80), at(row, 264, 280)),
        (" ".repeat(9), "99US".to_owned(), " ".repeat(17))
    );
    let mut unknown = spanish("", "Obras Ebro SL");
    unknown.tax_id = None;
    let made = compute(
        Model::M347,
        &period(2025, "0A"),
        &[with(&unknown, sale(day(2025, 7, 1), "4000.00", "0.00"))],
    );
    assert_eq!(file(&made, &declarant()), Err(ExportError::NoTaxId { party: unknown.id }));
}

fn operators() -> Computed {
    let goods = |date, base| {
        with(&german(), TaxFact { treatment: Treatment::IntraCommunityGoods, ..sale(date, base, "0.00") })
    };
    let first = compute(Model::M349, &period(2025, "1T"), &[goods(day(2025, 1, 10), "1000.00")]);
    let credit =
        TaxFact { rectifies: Rectifies::DocumentOf(day(2025, 1, 10)), ..goods(day(2025, 5, 1), "-100.00") };
    let previous = Previous::new([PreviousReturn::of(&first)]);
    compute_after(Model::M349, &period(2025, "2T"), &[goods(day(2025, 4, 1), "50.25"), credit], &previous)
}

#[test]
fn the_records_of_349_are_of_declarant_operators_and_corrections() {
    let lines = lines(&operators());
    let [first, operator, correction] = lines.as_slice() else { panic!("three records") };
    assert_eq!(at(first, 1, 17), "13492025A58818501");
    assert_eq!(at(first, 123, 137), "00000000000002T");
    assert_eq!(at(first, 138, 161), "000000001000000000005025");
    assert_eq!(at(first, 162, 185), "000000001000000000090000");
    assert_eq!(at(first, 186, 500), " ".repeat(315));
    assert_eq!(at(operator, 1, 17), "23492025A58818501");
    assert_eq!(at(operator, 18, 75), " ".repeat(58));
    assert_eq!(at(operator, 76, 92), "DE123456789      ");
    assert_eq!(at(operator, 133, 146), "E0000000005025");
    assert_eq!(at(operator, 147, 500), " ".repeat(354));
    assert_eq!(at(correction, 133, 146), format!("E{}", " ".repeat(13)));
    assert_eq!(at(correction, 147, 178), "20251T00000000900000000000100000");
}

#[test]
fn what_a_layout_cannot_say_is_refused() {
    let goods =
        TaxFact { treatment: Treatment::IntraCommunityGoods, ..sale(day(2025, 4, 1), "-1.00", "0.00") };
    let negative = compute(Model::M349, &period(2025, "2T"), &[with(&german(), goods.clone())]);
    let expected = ExportError::Negative { field: "the amount of the operations", party: "total".to_owned() };
    assert_eq!(file(&negative, &declarant()), Err(expected));
    let nameless = svc_tax_forms::Party { tax_id: None, ..german() };
    let unknown =
        compute(Model::M349, &period(2025, "2T"), &[with(&nameless, TaxFact { base: eur("1.00"), ..goods })]);
    assert_eq!(file(&unknown, &declarant()), Err(ExportError::NoTaxId { party: "con_de".to_owned() }));
    let long = Declarant { tax_id: "A588185010".to_owned(), ..declarant() };
    let error = file(&operators(), &long).expect_err("refused");
    assert_eq!(error.to_string(), "the tax identifier of the declarant does not fit into 9 positions");
    let vat = compute(Model::M303, &period(2025, "2T"), &[]);
    assert_eq!(file(&vat, &declarant()), Err(ExportError::NoLayout { model: Model::M303 }));
}

#[test]
fn csv_has_code_label_and_amount() {
    let made = compute(Model::M115, &period(2025, "2T"), &[]);
    let text = csv(&made, Language::English);
    let expected = "code,label,amount\r\n01,Number of recipients,0\r\n02,Base of what was withheld,0.00\r\n";
    assert!(text.starts_with(expected), "{text}");
    assert!(csv(&made, Language::Spanish).contains("\r\n05,Resultado a ingresar,0.00\r\n"));
}

#[test]
fn csv_of_parties_quotes_names_and_lets_no_formula_through() {
    let mut made = third_parties();
    let text = csv_of_parties(&made);
    let names =
        "tax_id,name,key,mark,corrects,amount,first_quarter,fourth_quarter,second_quarter,third_quarter\r\n";
    assert!(text.starts_with(names));
    let row = "B12345674,\"Peñas & Hijos, S.L.\",B,,,5808.00,6050.00,0.00,-242.00,0.00\r\n";
    assert!(text.contains(row), "{text}");
    made.parties[0].party.name = "=1+1".to_owned();
    assert!(csv_of_parties(&made).contains(",'=1+1,"));
    assert!(csv_of_parties(&operators()).contains(",E,,2025 1T,900.00,1000.00\r\n"));
}

proptest! {
    #[test]
    fn a_line_has_500_positions_whatever_names_are(name in ".{0,60}", contact in any::<String>(), cents in 400_000_i64..9_000_000) {
        let customer = svc_tax_forms::Party { name, ..spanish("B12345674", "") };
        let base = svc_core::money::Amount::from_minor(cents, svc_core::money::Currency::EUR).expect("in range");
        let sale = TaxFact { base, ..sale(day(2025, 1, 31), "0.00", "0.00") };
        let made = compute(Model::M347, &period(2025, "0A"), &[with(&customer, sale)]);
        let bytes = file(&made, &Declarant { contact, ..declarant() }).expect("a file");
        prop_assert_eq!(bytes.len(), 2 * 502);
        for line in bytes.chunks(502) {
            prop_assert!(line.ends_with(b"\r\n"));
            let letters = line.iter().take(500);
            prop_assert!(letters.copied().all(|byte| (b' '..=b'~').contains(&byte) || [0xD1, 0xC7].contains(&byte)));
            prop_assert!(!line.iter().any(u8::is_ascii_lowercase));
        }
    }
}

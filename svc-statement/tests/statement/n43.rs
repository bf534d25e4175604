//! Norma 43.

use svc_statement::{Format, Options, Place, ReadError, Warning};

use crate::samples::N43;
use crate::{day, eur, one, read_as, refusal};

/// The sample with columns of a record written over; columns from 1.
fn with(record: usize, from: usize, text: &str) -> String {
    let mut lines: Vec<String> = N43.lines().map(|line| format!("{line:<80}")).collect();
    let to = from - 1 + text.len();
    lines.get_mut(record - 1).expect("a record").replace_range(from - 1..to, text);
    lines.join("\n")
}

#[test]
fn a_statement_is_read_with_all_that_it_says() {
    let statement = one(N43);
    assert_eq!(statement.account.iban.as_deref(), Some("ES9121000418450200051332"));
    assert_eq!(statement.account.other.as_deref(), Some("21000418450200051332"));
    assert_eq!(statement.holder.as_deref(), Some("TALLERES EJEMPLO SL"));
    assert_eq!((statement.from, statement.to), (Some(day(2026, 1, 1)), Some(day(2026, 1, 31))));
    assert_eq!((statement.opening, statement.closing), (Some(eur("1000.00")), Some(eur("2125.40"))));
    assert!(statement.warnings.is_empty(), "{:?}", statement.warnings);

    let [transfer, direct_debit, fee] = statement.movements.as_slice() else { panic!("three movements") };
    assert_eq!(transfer.amount, eur("1210.00"));
    assert_eq!(transfer.position, 2);
    assert_eq!(transfer.bank_code.as_deref(), Some("04-205"));
    let text = "TRANSFERENCIA DE COMERCIAL INVENTADA S.L. FACTURA F2025-00042 GRACIAS";
    assert_eq!(transfer.description, text);
    assert_eq!(transfer.references, ["0000000123", "F2025-00042", "CLIENTE 0001"]);
    assert_eq!((direct_debit.booking_date, direct_debit.value_date), (day(2026, 1, 10), day(2026, 1, 11)));
    assert_eq!(direct_debit.amount, eur("-80.10"));
    assert_eq!(direct_debit.description, "Domiciliaciones, recibos, letras y pagos por su cuenta");
    assert_eq!(fee.references, ["LIQ 31/01"]);
}

#[test]
fn a_text_that_runs_on_into_the_next_field_is_not_torn() {
    let text = "PAGO DE LA FACTURA NUMERO VEINTISIETE FERRETERIA";
    let statement = one(&with(3, 5, text));
    assert!(statement.movements[0].description.starts_with(text));
}

#[test]
fn line_ends_and_padding_do_not_matter() {
    let expected = one(N43);
    assert_eq!(one(&N43.replace('\n', "\r\n")), expected);
    assert_eq!(one(&format!("{N43}\u{1a}")), expected);
    assert_eq!(one(&with(1, 80, " ")), expected);
    assert_eq!(one(&format!("\u{feff}{N43}")), expected);
}

#[test]
fn letters_are_read_in_each_encoding() {
    let text = N43.replace("GRACIAS", "PEÑÓN €5");
    let windows: Vec<u8> = text
        .chars()
        .map(|letter| if letter == '€' { 0x80 } else { u8::try_from(letter).expect("Latin-1") })
        .collect();
    for bytes in [text.as_bytes(), &windows] {
        let statement = crate::read(bytes).expect("a statement").remove(0);
        assert!(statement.movements[0].description.ends_with("PEÑÓN €5"));
    }
}

#[test]
fn every_field_that_is_wrong_is_named_with_its_record() {
    let cases = [
        (1, 3, "x", "bank"),
        (1, 7, " ", "office"),
        (1, 11, "x", "account"),
        (1, 21, "261301", "first day"),
        (1, 27, "260230", "last day"),
        (1, 27, "251231", "last day"),
        (1, 33, "0", "sign of the opening balance"),
        (1, 34, "x", "opening balance"),
        (1, 48, "001", "currency"),
        (1, 51, "x", "mode"),
        (2, 7, "x", "office"),
        (2, 11, "260532", "operation date"),
        (2, 17, "x", "value date"),
        (2, 23, "x", "common concept"),
        (2, 25, "x", "own concept"),
        (2, 28, "3", "sign of the amount"),
        (2, 29, " ", "amount"),
        (2, 43, "x", "document number"),
        (3, 3, "x", "number of the text"),
        (8, 5, "001", "currency of the equivalent"),
        (8, 8, "x", "equivalent"),
        (9, 3, "x", "bank"),
        (9, 7, "x", "office"),
        (9, 11, "x", "account"),
        (9, 21, "x", "number of debits"),
        (9, 26, "x", "sum of debits"),
        (9, 40, "x", "number of credits"),
        (9, 45, "x", "sum of credits"),
        (9, 59, "3", "sign of the closing balance"),
        (9, 60, "x", "closing balance"),
        (9, 74, "x", "currency"),
        (10, 21, "x", "number of records"),
        (4, 1, "99", "code"),
    ];
    for (number, from, text, field) in cases {
        let error = read_as(Format::N43, with(number, from, text).as_bytes()).expect_err(field);
        let number = u32::try_from(number).expect("small");
        let ReadError::Malformed { place, .. } = &error else { panic!("{field}: {error}") };
        assert_eq!(*place, Place::Record { number, field }, "{error}");
        assert_eq!(error.code(), "malformed_statement");
    }
}

#[test]
fn every_figure_that_does_not_agree_is_named_with_both_values() {
    let cases = [
        (9, 3, "0182", "bank", "0182", "2100"),
        (9, 7, "0001", "office", "0001", "0418"),
        (9, 11, "0200051333", "account", "0200051333", "0200051332"),
        (9, 21, "00003", "number of debits", "3", "2"),
        (9, 26, "00000000008461", "sum of debits", "84.61", "84.60"),
        (9, 40, "00000", "number of credits", "0", "1"),
        (9, 45, "00000000121001", "sum of credits", "1210.01", "1210.00"),
        (9, 59, "1", "the closing balance", "-2125.40", "2125.40"),
        (9, 60, "00000000212541", "the closing balance", "2125.41", "2125.40"),
        (9, 74, "840", "currency", "USD", "EUR"),
        (1, 34, "00000000100001", "the closing balance", "2125.40", "2125.41"),
        (10, 21, "000007", "number of records", "7", "9"),
    ];
    for (number, from, text, figure, stated, computed) in cases {
        let error = refusal(&with(number, from, text));
        assert_eq!(error.code(), "statement_inconsistent", "{error}");
        let ReadError::Inconsistent { figure: named, stated: one, computed: other, .. } = error else {
            panic!("{figure}");
        };
        assert_eq!((named, one.as_str(), other.as_str()), (figure, stated, computed));
    }
}

#[test]
fn the_end_of_the_file_may_be_missing_or_count_itself() {
    let without: Vec<&str> = N43.lines().take(9).collect();
    assert_eq!(one(&without.join("\n")).warnings, [Warning::NoEndRecord]);
    let warning = Warning::RecordCount { stated: 10, counted: 9 };
    assert_eq!(one(&with(10, 21, "000010")).warnings, [warning]);
}

#[test]
fn records_out_of_their_order_are_refused() {
    let lines: Vec<&str> = N43.lines().collect();
    let cases = [
        (vec![lines[0]], "cut off"),
        (vec![lines[0], lines[0]], "record 33 before another account"),
        (vec![lines[0], lines[2]], "record 22 before it"),
        (vec![lines[0], lines[7]], "record 22 before it"),
        (vec![lines[0], lines[9]], "record 33 before it"),
    ];
    for (records, expected) in cases {
        let error = refusal(&records.join("\n")).to_string();
        assert!(error.contains(expected), "{error}");
    }
    let first = read_as(Format::N43, lines[1].as_bytes()).expect_err("no header").to_string();
    assert_eq!(first, "record 1, code: expected record 11 before it");
    let behind = refusal(&format!("{N43}{}", lines[0])).to_string();
    assert_eq!(behind, "record 11, code: expected nothing after record 88");
    let six = format!("{}\n{}", lines[..2].join("\n"), [lines[2]; 6].join("\n"));
    assert!(refusal(&six).to_string().contains("at most five records 23"));
    let long = N43.replace("GRACIAS", &"x".repeat(80));
    assert_eq!(refusal(&long).to_string(), "record 4, length: expected at most 80 characters");
}

#[test]
fn amounts_have_two_decimals_whatever_the_currency() {
    // The header and the end of the account name the currency.
    let yen = |text: &str| text.replace("978", "392");
    let options = Options::new("JPY".parse().expect("a currency"));
    let read = |text: &str| svc_statement::read(text.as_bytes(), &options);
    let error = read(&yen(N43)).expect_err("yen have no decimals");
    assert!(error.to_string().contains("an amount with at most 0 decimals"), "{error}");
    let whole =
        yen(N43).replace("00000000008010", "00000000008000").replace("00000000000450", "00000000000500");
    let whole = whole.replace("00000000008460", "00000000008500").replace("00000000212540", "00000000212500");
    let mut statements = read(&whole).unwrap_or_else(|error| panic!("{error}"));
    let amounts: Vec<_> = statements.remove(0).movements.iter().map(|one| one.amount.to_string()).collect();
    assert_eq!(amounts, ["1210", "-80", "-5"]);
}

//! Large files, and too large ones.

use std::fmt::Write as _;

use svc_core::money::Currency;
use svc_statement::{
    AccountRef, LONGEST_DESCRIPTION, LONGEST_TEXT, MOST_BYTES, MOST_MOVEMENTS, MOST_REFERENCES, Movement,
    ReadError, Statement,
};

use crate::samples::CAMT_02;
use crate::writers::camt::{Version, message, statement as camt};
use crate::writers::n43;
use crate::{day, eur, one, read, refusal};

/// The details of an entry that says nothing, as the writer has them.
const EMPTY_DETAILS: &str = "<NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><RltdPties></RltdPties>\
     <RmtInf><Ustrd></Ustrd></RmtInf></TxDtls></NtryDtls>";

fn large(movements: usize) -> Statement {
    let account = AccountRef {
        iban: Some("ES9121000418450200051332".to_owned()),
        other: Some("21000418450200051332".to_owned()),
    };
    let mut statement = Statement::empty(account);
    statement.currency = Some(Currency::EUR);
    (statement.from, statement.to) = (Some(day(2026, 1, 1)), Some(day(2026, 12, 31)));
    (statement.opening, statement.closing) = (Some(eur("0.00")), Some(eur("0.00")));
    let mut movement = Movement::new(0, day(2026, 1, 2), day(2026, 1, 2), eur("0.00"));
    movement.bank_code = Some("12-000".to_owned());
    statement.movements = vec![movement; movements];
    statement
}

fn table(rows: usize) -> String {
    let mut text = String::from("fecha;importe\n");
    for _ in 0..rows {
        text.push_str("31/01/2026;-1,50\n");
    }
    text
}

#[test]
fn a_hundred_thousand_movements_of_n43_are_read() {
    let accounts = [large(50_000), large(50_000)];
    assert_eq!(total(&read(n43::file(&accounts).as_bytes()).expect("N43")), 100_000);
}

#[test]
fn a_hundred_thousand_movements_of_camt_are_read() {
    let mut statement = camt(Version::V02, &large(1));
    let entry = statement.find("<Ntry>").expect("an entry");
    let rest = statement.split_off(entry).replace(EMPTY_DETAILS, "");
    let text = format!("{statement}{}</Stmt>", rest.trim_end_matches("</Stmt>").repeat(100_000));
    assert_eq!(total(&read(message(Version::V02, &text).as_bytes()).expect("camt")), 100_000);
}

#[test]
fn a_hundred_thousand_movements_of_csv_are_read() {
    assert_eq!(total(&read(table(100_000).as_bytes()).expect("CSV")), 100_000);
}

fn total(statements: &[Statement]) -> usize {
    statements.iter().map(|statement| statement.movements.len()).sum()
}

#[test]
fn too_many_movements_are_refused() {
    assert_eq!(refusal(&table(MOST_MOVEMENTS + 1)), ReadError::TooManyMovements);
    let batch = "<TxDtls/>".repeat(MOST_MOVEMENTS + 1);
    let text = CAMT_02.replace("<Btch><NbOfTxs>2</NbOfTxs></Btch>", &batch);
    assert_eq!(refusal(&text), ReadError::TooManyMovements);
}

#[test]
fn a_file_that_is_too_large_is_refused() {
    assert_eq!(read(&vec![b' '; MOST_BYTES + 1]), Err(ReadError::TooLarge));
}

#[test]
fn texts_are_cut_at_a_character() {
    let long = "ñ".repeat(LONGEST_DESCRIPTION * 4);
    let text = CAMT_02.replace("Recibo luz", &long).replace("Comercial Inventada", &long);
    let statement = one(&text);
    assert_eq!(statement.movements[1].description.chars().count(), LONGEST_DESCRIPTION);
    let name = statement.movements[0].counterparty_name.as_ref().expect("a name");
    assert_eq!(name.chars().count(), LONGEST_TEXT);
}

#[test]
fn references_are_limited_and_not_repeated() {
    let mut references = String::new();
    for number in 0..40 {
        let _ = write!(references, "<TxId>R{}</TxId>", number / 2);
    }
    let statement = one(&CAMT_02.replace("<TxId>TX1</TxId>", &references));
    let found = &statement.movements[0].references;
    assert_eq!(found.len(), MOST_REFERENCES);
    assert_eq!(found[..4], ["0001", "SRV1", "R0", "R1"]);
}

#[test]
fn too_many_columns_are_refused() {
    let error = refusal(&format!("fecha;importe\n31/01/2026;1,00{}\n", ";".repeat(1_000_000)));
    assert_eq!(error.to_string(), "line 2: expected at most 256 columns");
}

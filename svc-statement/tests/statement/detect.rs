//! Formats by content.

use svc_statement::{Format, ReadError, detect};

use crate::samples::{CAMT_02, CSV, N43, camt_08};
use crate::{one, read};

#[test]
fn each_format_is_known_by_its_content() {
    assert_eq!(detect(N43.as_bytes()), Some(Format::N43));
    assert_eq!(detect(CAMT_02.as_bytes()), Some(Format::Camt053));
    assert_eq!(detect(camt_08().as_bytes()), Some(Format::Camt053));
    assert_eq!(detect(CSV.as_bytes()), Some(Format::Csv));
    let later = CAMT_02.replace("camt.053.001.02", "camt.053.001.13");
    assert_eq!(detect(later.as_bytes()), Some(Format::Camt053));
}

#[test]
fn what_is_none_of_them_is_refused_with_what_is_read() {
    let files: [&[u8]; 6] = [
        b"",
        b"\n\n",
        b"%PDF-1.7\x00\x01",
        b"PK\x03\x04;;\n;;\n",
        b"a letter\nto a bank\n",
        b"<html></html>",
    ];
    for file in files {
        assert_eq!(detect(file), None);
        let error = read(file).expect_err("refused");
        assert!(matches!(error, ReadError::Unsupported { .. } | ReadError::Malformed { .. }), "{error}");
    }
}

#[test]
fn names_on_the_wire_are_read_back() {
    for format in [Format::N43, Format::Camt053, Format::Csv] {
        assert_eq!(format.to_string().parse(), Ok(format));
    }
    assert!("mt940".parse::<Format>().is_err());
}

#[test]
fn tables_of_spreadsheets_in_utf_16_are_read() {
    let mut bytes = b"\xff\xfe".to_vec();
    bytes.extend(CSV.replace(';', "\t").encode_utf16().flat_map(u16::to_le_bytes));
    let statement = read(&bytes).expect("a statement").remove(0);
    assert_eq!(statement.closing, one(CSV).closing);
}

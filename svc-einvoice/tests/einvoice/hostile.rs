//! Bytes of strangers.

use std::sync::LazyLock;

use proptest::prelude::*;
use svc_einvoice::{ReadError, facturae, read, ubl};

use crate::cii::SAMPLE;
use crate::document;

#[test]
fn a_document_type_is_refused_before_it_is_read() {
    let bomb =
        r#"<?xml version="1.0"?><!DOCTYPE b [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><Invoice>&b;</Invoice>"#;
    assert_eq!(read(bomb.as_bytes()), Err(ReadError::DocumentType));
    let external = r#"<!DOCTYPE x SYSTEM "file:///etc/passwd"><Invoice/>"#;
    assert_eq!(read(external.as_bytes()), Err(ReadError::DocumentType));
}

#[test]
fn an_entity_that_is_not_of_xml_is_refused() {
    assert!(matches!(read(b"<Invoice><ID>&x;</ID></Invoice>"), Err(ReadError::Xml { .. })));
    let known = read("<Invoice><ID>&lt;&#65;&amp;</ID></Invoice>".as_bytes()).expect("valid");
    assert_eq!(known.invoice.number, "<A&");
}

#[test]
fn depth_number_and_size_are_limited() {
    let deep = "<a>".repeat(100_000);
    assert_eq!(read(deep.as_bytes()), Err(ReadError::Limit("48 elements within each other")));
    let many = format!("<Invoice>{}</Invoice>", "<a/>".repeat(400_001));
    assert_eq!(read(many.as_bytes()), Err(ReadError::Limit("400,000 elements")));
    let long = format!("<Invoice>{}</Invoice>", "<InvoiceLine/>".repeat(20_001));
    assert_eq!(read(long.as_bytes()), Err(ReadError::Limit("20,000 lines")));
    let taxed = format!("<Invoice><TaxTotal>{}</TaxTotal></Invoice>", "<TaxSubtotal/>".repeat(201));
    assert_eq!(read(taxed.as_bytes()), Err(ReadError::Limit("200 taxes, discounts or charges")));
    let wide = (0..100).map(|at| format!(" a{at}=\"\"")).collect::<Vec<_>>().concat();
    let wide = format!("<Invoice{wide}/>");
    assert_eq!(read(wide.as_bytes()), Err(ReadError::Limit("32 attributes of an element")));
    assert_eq!(read(&vec![b' '; 33 * 1024 * 1024]), Err(ReadError::Limit("32 MiB")));
}

#[test]
fn other_documents_are_named() {
    assert_eq!(
        read(b"<html/>"),
        Err(ReadError::Root {
            found: "html".to_owned(),
            expected: "Invoice, CreditNote, CrossIndustryInvoice or Facturae"
        })
    );
    assert!(matches!(read(b""), Err(ReadError::Xml { .. })));
    assert!(matches!(read(b"<Invoice>"), Err(ReadError::Xml { .. })));
}

#[test]
fn an_empty_invoice_lists_what_it_lacks() {
    let reading = read(b"<Invoice/>").expect("it is well-formed");
    let terms: Vec<_> = reading.missing.iter().map(|gap| gap.term).collect();
    assert_eq!(terms, ["BT-3", "BT-5", "BT-1", "BT-2", "BG-4", "BG-7", "BG-25", "BG-23", "BG-22"]);
}

#[test]
fn latin_1_is_read_where_it_is_declared() {
    let bytes = b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><Invoice><ID>A\xf1o</ID></Invoice>";
    assert_eq!(read(bytes).expect("valid").invoice.number, "Año");
    assert!(matches!(read(b"<Invoice><ID>A\xf1o</ID></Invoice>"), Err(ReadError::Xml { .. })));
}

#[test]
fn a_wrong_value_names_its_element() {
    let text = String::from_utf8(ubl::write(&document("vector")).expect("valid")).expect("UTF-8");
    let wrong = text.replace(">19.999<", ">nineteen<");
    assert_eq!(
        ubl::read(wrong.as_bytes()).expect_err("no number").to_string(),
        "Invoice/InvoiceLine[2]/Price/PriceAmount: expected a decimal number"
    );
}

/// Files of each format.
static SAMPLES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut samples = vec![SAMPLE.as_bytes().to_vec()];
    for name in ["vector", "corrective-less", "surcharge", "pounds"] {
        samples.push(ubl::write(&document(name)).expect("valid"));
        samples.push(facturae::write(&document(name)).expect("valid"));
    }
    #[cfg(feature = "pdf")]
    samples.push(
        svc_einvoice::pdf::render(&document("vector"), svc_einvoice::pdf::Options::default()).expect("valid"),
    );
    samples
});

/// Values that are hard on who computes with them.
const HARD: [&str; 8] = [
    "79228162514264337593543950335",
    "-1e28",
    "0.0000000000000000000000000001",
    "NaN",
    "",
    "1e-400",
    "9000000000000",
    "-0",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn changed_bytes_never_panic(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0_u8..16), 1..12),
    ) {
        let mut bytes = which.get(SAMPLES.as_slice()).clone();
        for (at, byte, how) in changes {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            match how {
                0 => bytes.truncate(at),
                1..4 => bytes.insert(at, byte),
                4..7 => {
                    bytes.remove(at);
                }
                _ => bytes[at] = byte,
            }
        }
        let _ = read(&bytes);
    }

    #[test]
    fn changed_numbers_never_panic(which in any::<prop::sample::Index>(), hard in prop::sample::select(HARD.to_vec()), nth in 0_usize..80) {
        let sample: &Vec<u8> = which.get(SAMPLES.as_slice());
        let text = String::from_utf8_lossy(sample).into_owned();
        // Every element whose text begins with a digit or a sign is a candidate.
        let starts: Vec<usize> = text.match_indices('>').map(|(at, _)| at + 1)
            .filter(|at| text[*at..].starts_with(|c: char| c.is_ascii_digit() || c == '-')).collect();
        if let Some(start) = starts.get(nth % starts.len().max(1)) {
            let end = text[*start..].find('<').map_or(text.len(), |length| start + length);
            let changed = format!("{}{hard}{}", &text[..*start], &text[end..]);
            if let Ok(reading) = read(changed.as_bytes()) {
                let _ = (ubl::write(&reading.invoice), facturae::write(&reading.invoice));
            }
        }
    }
}

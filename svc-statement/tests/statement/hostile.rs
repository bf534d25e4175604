//! Files of strangers.

use svc_statement::Format;

use crate::samples::{CAMT_02, CSV, N43, camt_08};
use crate::{read, read_as, refusal};

/// A generator of numbers (xorshift), so that a failure can be found again.
struct Seed(u64);

impl Seed {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).expect("64 bits") % below
    }

    /// A byte that means something in one of the formats.
    fn byte(&mut self) -> Option<u8> {
        const BYTES: &[u8] = b"\0\x1a\n\r\";,.-+<>&/= 0129xE\xff\xc3\xe2\x80";
        BYTES.get(self.next(BYTES.len())).copied()
    }

    /// Changes, removes, doubles or swaps a few pieces of a file.
    fn mutate(&mut self, file: &mut Vec<u8>) {
        for _ in 0..=self.next(4) {
            if file.is_empty() {
                return;
            }
            let at = self.next(file.len());
            let to = (at + self.next(40)).min(file.len());
            match self.next(5) {
                0 => drop(file.splice(at..=at, self.byte())),
                1 => drop(file.splice(at..at, self.byte())),
                2 => drop(file.drain(at..to)),
                3 => {
                    let piece: Vec<u8> = file.iter().take(to).skip(at).copied().collect();
                    let there = self.next(file.len());
                    file.splice(there..there, piece);
                }
                _ => file.truncate(at),
            }
        }
    }
}

/// Reads mutations of a file in its own format or by its content; what counts is that it ends.
fn survives(format: Format, file: &str) {
    let mut seed = Seed(0x9e37_79b9_7f4a_7c15);
    let mut accepted = 0_u32;
    for round in 0..10_000 {
        let mut mutated = file.as_bytes().to_vec();
        seed.mutate(&mut mutated);
        match if round % 2 == 0 { read_as(format, &mutated) } else { read(&mutated) } {
            Ok(statements) => accepted += u32::from(!statements.is_empty()),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    assert!(accepted > 0, "mutations that leave a file valid are among them");
}

#[test]
fn ten_thousand_mutations_of_n43_are_read_or_refused() {
    survives(Format::N43, N43);
}

#[test]
fn ten_thousand_mutations_of_camt_are_read_or_refused() {
    survives(Format::Camt053, CAMT_02);
}

#[test]
fn ten_thousand_mutations_of_csv_are_read_or_refused() {
    survives(Format::Csv, CSV);
}

#[test]
fn document_types_and_entities_are_refused() {
    let bomb = "<!DOCTYPE d [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]>";
    let with = CAMT_02.replace("<Document", &format!("{bomb}<Document"));
    let error = read_as(Format::Camt053, with.as_bytes()).expect_err("a document type").to_string();
    assert!(error.contains("no document type definition"), "{error}");
    let within = CAMT_02.replace("<Stmt>", &format!("<Stmt>{bomb}"));
    assert_eq!(refusal(&within).code(), "malformed_statement");
    let entity = refusal(&CAMT_02.replace("Recibo luz", "&b;")).to_string();
    assert!(entity.contains("an entity that is not known"), "{entity}");
    let external = CAMT_02.replace("<Document", "<!DOCTYPE d SYSTEM \"file:///etc/hostname\"><Document");
    assert_eq!(
        read_as(Format::Camt053, external.as_bytes()).expect_err("refused").code(),
        "malformed_statement"
    );
}

#[test]
fn elements_too_deep_are_refused_wherever_they_are() {
    for place in ["<Stmt>", "<GrpHdr>", "<Ustrd>", "<BookgDt>"] {
        let deep = CAMT_02.replacen(place, &format!("{place}{}", "<Pty>".repeat(100_000)), 1);
        let error = refusal(&deep).to_string();
        assert!(error.contains("more than 48 elements within each other"), "{error}");
    }
}

#[test]
fn xml_that_is_cut_off_anywhere_is_refused() {
    let text = camt_08();
    for at in (300..text.len() - 12).step_by(3).filter(|at| text.is_char_boundary(*at)) {
        let error = read_as(Format::Camt053, &text.as_bytes()[..at]).expect_err("cut off");
        assert_eq!(error.code(), "malformed_statement", "{at}: {error}");
    }
}

#[test]
fn hidden_characters_are_taken_out_of_texts() {
    let text = CAMT_02.replace("Recibo luz", "Re\u{202e}cibo&#x200b;\u{7f}\t luz");
    assert_eq!(crate::one(&text).movements[1].description, "Recibo luz");
}

#[test]
fn a_quotation_mark_that_is_never_closed_takes_no_long_time() {
    let text = format!("fecha;importe\n31/01/2026;\"1,00{}", "\";\"x\n".repeat(200_000));
    assert!(read(text.as_bytes()).is_err());
}

//! Files of strangers.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

use svc_seal::{Language, PdfRefused, can_be_watermarked, judge, original, seal, verify};

use crate::samples::{by_hand, evidence, key, modern, seal_of, small};

/// A generator of numbers (xorshift), so that a failure can be found again.
struct Seed(u64);

impl Seed {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).expect("64 bits") % below
    }

    /// A piece that means something in a PDF file.
    fn piece(&mut self) -> &'static [u8] {
        const PIECES: [&[u8]; 24] = [
            b"<<",
            b">>",
            b"[",
            b"]",
            b"(",
            b")",
            b"<",
            b">",
            b"/",
            b"%",
            b"\\",
            b"#",
            b" 0 R",
            b"obj",
            b"stream\n",
            b"9",
            b"-",
            b"99999999999",
            b"/Kids",
            b"/Prev 9",
            b"/Length 9999999",
            b"/XRefStm 0",
            b"xref",
            b"\xff",
        ];
        PIECES.get(self.next(PIECES.len())).copied().unwrap_or_default()
    }

    /// Changes, removes, doubles or swaps a few pieces of a file.
    fn mutate(&mut self, file: &mut Vec<u8>) {
        for _ in 0..=self.next(4) {
            if file.is_empty() {
                return;
            }
            // Most of what is read is at the end.
            let near = file.len().min(1 + self.next(file.len()));
            let at = if self.next(2) == 0 { self.next(file.len()) } else { file.len() - 1 - self.next(near) };
            let to = (at + self.next(40)).min(file.len());
            match self.next(6) {
                0 => file.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << self.next(8)),
                1 => drop(file.splice(at..at, self.piece().iter().copied())),
                2 => drop(file.splice(at..to, self.piece().iter().copied())),
                3 => drop(file.drain(at..to)),
                4 => {
                    let piece: Vec<u8> = file.iter().take(to).skip(at).copied().collect();
                    let there = self.next(file.len());
                    file.splice(there..there, piece);
                }
                _ => {
                    // Another number, so that tables point elsewhere.
                    if let Some(digit) = file.iter_mut().skip(at).find(|byte| byte.is_ascii_digit()) {
                        *digit = b'0' + u8::try_from(self.next(10)).expect("a digit");
                    }
                }
            }
        }
    }
}

#[test]
fn ten_thousand_mutations_are_sealed_or_refused_in_time() {
    let document = modern();
    let sealed = seal(&small(), &seal_of(&evidence(&small(), Language::Es), &[], &key())).expect("sealed");
    let mut seed = Seed(0x9e37_79b9_7f4a_7c15);
    let (mut accepted, mut refused) = (0_u32, 0_u32);
    for file in [small(), document, sealed] {
        for round in 0..3_400 {
            let mut mutated = file.clone();
            seed.mutate(&mut mutated);
            let began = Instant::now();
            let judged = judge(&mutated);
            assert!(began.elapsed() < Duration::from_secs(5), "round {round}");
            let _ = original(&mutated);
            assert!(mutated == file || verify(&mutated, &key()).is_err(), "round {round}");
            match judged {
                Ok(judged) => {
                    accepted += 1;
                    assert!(judged.pages > 0);
                    // Drawing takes longer than all else.
                    if accepted % 40 == 0 {
                        seals(&mutated);
                    }
                }
                Err(error) => {
                    refused += 1;
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
    assert!(accepted > 100 && refused > 1_000, "{accepted} accepted, {refused} refused");
}

#[test]
fn ten_thousand_mutations_are_stamped_or_refused_in_time() {
    let mut seed = Seed(0x2545_f491_4f6c_dd1d);
    let (mut stamped, mut refused) = (0_u32, 0_u32);
    let sealed = seal(&small(), &seal_of(&evidence(&small(), Language::Es), &[], &key())).expect("sealed");
    for file in [small(), modern(), sealed] {
        for round in 0..3_400 {
            let mut mutated = file.clone();
            seed.mutate(&mut mutated);
            let began = Instant::now();
            let judged = can_be_watermarked(&mutated);
            assert!(began.elapsed() < Duration::from_secs(10), "round {round}");
            match judged {
                Ok(judged) => {
                    stamped += 1;
                    // Drawing takes longer than all else.
                    if stamped.is_multiple_of(40) {
                        let given = crate::watermark::stamped(&mutated);
                        assert_eq!(judge(&given).map(|given| given.pages), Ok(judged.pages), "round {round}");
                        assert_eq!(can_be_watermarked(&given).map(|given| given.pages), Ok(judged.pages));
                    }
                }
                Err(error) => {
                    refused += 1;
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
    assert!(stamped > 100 && refused > 1_000, "{stamped} stamped, {refused} refused");
}

/// What is judged as good can be sealed.
fn seals(document: &[u8]) {
    let evidence = evidence(document, Language::Es);
    let sealed = seal(document, &seal_of(&evidence, &[], &key())).expect("it was judged");
    assert_eq!(original(&sealed), Ok(document));
    verify(&sealed, &key()).expect("it fits");
    judge(&sealed).expect("it can be sealed again");
}

/// A file whose cross-reference stream has these entries and this content.
fn with_stream(entries: &str, content: &[u8], objects: &str) -> Vec<u8> {
    let mut file = format!("%PDF-1.7\n{objects}").into_bytes();
    let start = file.len();
    let length = content.len();
    let _ = write!(file, "9 0 obj\n<< /Type /XRef /Root 1 0 R {entries} /Length {length} >>\nstream\n");
    file.extend(content);
    let _ = write!(file, "\nendstream\nendobj\nstartxref\n{start}\n%%EOF");
    file
}

fn deflated(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(content).expect("deflated");
    encoder.finish().expect("deflated")
}

#[test]
fn a_bomb_of_cross_references_is_refused() {
    let bomb = deflated(&vec![0; 64 * 1024 * 1024]);
    let entries = "/Size 9 /W [1 2 1] /Filter /FlateDecode";
    assert_eq!(judge(&with_stream(entries, &bomb, "")), Err(PdfRefused::TooMuchContent));
    let rows = [1, 0, 9, 0].repeat(600_000);
    let entries = "/Size 999999999 /W [1 2 1] /Filter /FlateDecode";
    assert_eq!(judge(&with_stream(entries, &deflated(&rows), "")), Err(PdfRefused::TooManyObjects));
}

#[test]
fn a_bomb_of_objects_is_refused() {
    let bomb = deflated(&vec![b' '; 80 * 1024 * 1024]);
    let mut file = format!(
        "%PDF-1.7\n1 0 obj\n<< /Type /ObjStm /N 1 /First 5 /Filter /FlateDecode /Length {} >>\nstream\n",
        bomb.len()
    )
    .into_bytes();
    file.extend(bomb);
    let start = file.len();
    file.extend(b"9 0 obj\n<< /Type /XRef /Root 2 0 R /Size 3 /W [1 2 1] /Length 12 >>\nstream\n");
    file.extend([0, 0, 0, 0, 1, 0, 9, 0, 2, 0, 1, 0]);
    let _ = write!(file, "\nendstream\nendobj\nstartxref\n{start}\n%%EOF");
    assert_eq!(judge(&file), Err(PdfRefused::TooMuchContent));
}

#[test]
fn sections_that_go_round_are_refused() {
    let mut round = small();
    let at = memchr::memmem::find(&round, b"/Root").expect("a trailer");
    let start = memchr::memmem::find(&round, b"xref").expect("a table");
    round.splice(at..at, format!("/Prev {start} ").into_bytes());
    assert_eq!(judge(&round).expect_err("round").code(), "pdf_damaged");
}

#[test]
fn sections_within_each_other_take_no_long_time() {
    // Each is within a text of the one before.
    let mut nested = String::from("%PDF-1.7\n");
    let mut starts = Vec::new();
    for _ in 0..400 {
        starts.push(nested.len());
        let previous = starts.len() * 90 + 9;
        let head = format!("9 0 obj << /Type /XRef /Size 1 /W [1 1 1] /Length 0 /Prev {previous} /X (");
        let _ = write!(nested, "{head:<90}");
    }
    nested.push_str(&" ".repeat(4_000_000));
    nested.push_str(&") >> stream\n".repeat(400));
    let _ = write!(nested, "startxref\n{}\n%%EOF", starts[0]);
    let began = Instant::now();
    assert_eq!(judge(nested.as_bytes()), Err(PdfRefused::TooMuchContent));
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[test]
fn much_white_space_is_no_reason_to_refuse() {
    let kids: Vec<String> = (0..1_500).map(|kid| format!("{} 0 R", kid + 3)).collect();
    let tree = format!("<< /Kids [{}] >>", kids.join(" "));
    let page = format!("<< >>{}", " ".repeat(100_000));
    let mut spaced = vec!["<< /Pages 2 0 R >>", &tree];
    spaced.extend(std::iter::repeat_n(page.as_str(), 200));
    spaced.extend(std::iter::repeat_n("<< >>", 1_300));
    let began = Instant::now();
    assert_eq!(judge(&by_hand(&spaced)).map(|judged| judged.pages), Ok(1_500));
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[test]
fn pages_within_each_other_are_read_as_far_as_the_budget_goes() {
    let kids: Vec<String> = (3..1_003).map(|kid| format!("{kid} 0 R")).collect();
    let mut file =
        format!("%PDF-1.7\n1 0 obj << /Pages 2 0 R >> endobj\n2 0 obj << /Kids [{}] >>\n", kids.join(" "));
    let mut table = String::from("xref\n1 1\n0000000009 00000 n \n2 1001\n");
    let second = file.find("2 0 obj").expect("a tree");
    let _ = writeln!(table, "{second:010} 00000 n ");
    for page in 3..1_003 {
        let _ = writeln!(table, "{:010} 00000 n ", file.len());
        let _ = write!(file, "{page} 0 obj << /X (");
    }
    file.push_str(&" ".repeat(1_000_000));
    file.push_str(&") >> ".repeat(1_000));
    let start = file.len();
    let _ = write!(file, "{table}trailer << /Root 1 0 R >>\nstartxref\n{start}\n%%EOF");
    let began = Instant::now();
    assert_eq!(judge(file.as_bytes()), Err(PdfRefused::TooMuchContent));
    assert!(began.elapsed() < Duration::from_secs(10));
}

//! Which files can be sealed.

use svc_seal::{Judged, MOST_BYTES, PdfRefused, judge};

use crate::samples::{by_hand, modern, small};

const PAGES: &str = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";
const PAGE: &str = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] >>";

#[test]
fn files_with_tables_and_with_streams_are_read() {
    let small = small();
    assert_eq!(judge(&small), Ok(Judged { pages: 1, size: small.len() }));
    let modern = modern();
    assert!(memchr::memmem::find(&modern, b"/ObjStm").is_some(), "it has object streams");
    assert_eq!(judge(&modern).map(|judged| judged.pages), Ok(2));
}

#[test]
fn the_generation_of_what_is_free_may_be_any() {
    let file = String::from_utf8(small()).expect("ASCII").replace("65535 f", "65536 f");
    assert_eq!(judge(file.as_bytes()).map(|judged| judged.pages), Ok(1));
}

#[test]
fn what_cannot_be_sealed_is_refused_by_name() {
    let mut encrypted = small();
    let at = memchr::memmem::find(&encrypted, b"/Root").expect("a trailer");
    encrypted.splice(at..at, *b"/Encrypt << /Filter /Standard >> ");
    let form = "<< /Type /Catalog /Pages 2 0 R /AcroForm << /XFA [] /Fields [] >> >>";
    let signed = "<< /Type /Sig /ByteRange [0 10 20 30] /Contents <00> >>";
    let cases: [(&str, Vec<u8>); 8] = [
        ("not_pdf", b"PK\x03\x04".to_vec()),
        ("not_pdf", [b"\n".as_slice(), &small()].concat()),
        ("pdf_damaged", b"%PDF-1.7\n".to_vec()),
        ("pdf_encrypted", encrypted),
        ("pdf_xfa", by_hand(&[form, PAGES, PAGE])),
        ("pdf_signed", by_hand(&["<< /Pages 2 0 R >>", PAGES, PAGE, signed])),
        ("pdf_no_pages", by_hand(&["<< /Pages 2 0 R >>", "<< /Kids [] /Count 0 >>"])),
        ("pdf_too_large", [small(), vec![b' '; MOST_BYTES]].concat()),
    ];
    for (code, file) in cases {
        let refused = judge(&file).expect_err(code);
        assert_eq!(refused.code(), code, "{refused}");
        assert!(refused.to_string().len() > 20, "it says what to do: {refused}");
    }
}

/// What pages do not need, sealing may: a file is judged by being sealed.
#[test]
fn what_only_sealing_reads_is_judged_too() {
    let form = "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields 4 0 R >> >>";
    let whole = by_hand(&[form, PAGES, PAGE, "[]"]);
    assert_eq!(judge(&whole).map(|judged| judged.pages), Ok(1));
    // The place of the fields leads into the middle of another object.
    let text = String::from_utf8(whole.clone()).expect("ASCII");
    let fields = text.find("4 0 obj").expect("the fields");
    let entry = format!("{fields:010}");
    assert_eq!(text.matches(&entry).count(), 1);
    let moved = text.replace(&entry, &format!("{:010}", fields + 3));
    assert_eq!(judge(moved.as_bytes()).expect_err("not to be sealed").code(), "pdf_damaged");
}

#[test]
fn trees_of_pages_that_are_cyclic_deep_or_endless_are_refused() {
    let cyclic = by_hand(&["<< /Pages 2 0 R >>", "<< /Kids [3 0 R] >>", "<< /Kids [2 0 R] >>"]);
    assert_eq!(judge(&cyclic).expect_err("cyclic").code(), "pdf_damaged");
    let twice = by_hand(&["<< /Pages 2 0 R >>", "<< /Kids [3 0 R 3 0 R] >>", PAGE]);
    assert_eq!(judge(&twice).expect_err("a page twice").code(), "pdf_damaged");
    let itself = by_hand(&["<< /Pages 2 0 R >>", "2 0 R"]);
    assert_eq!(judge(&itself).expect_err("itself").code(), "pdf_damaged");

    let mut deep = vec!["<< /Pages 2 0 R >>".to_owned()];
    deep.extend((3..100).map(|next| format!("<< /Kids [{next} 0 R] >>")));
    deep.push(PAGE.to_owned());
    let deep: Vec<&str> = deep.iter().map(String::as_str).collect();
    assert_eq!(judge(&by_hand(&deep)), Err(PdfRefused::TooDeep));

    let kids: Vec<String> = (3..2_004).map(|kid| format!("{kid} 0 R")).collect();
    let many = format!("<< /Kids [{}] >>", kids.join(" "));
    let mut objects = vec!["<< /Pages 2 0 R >>", &many];
    objects.extend(std::iter::repeat_n(PAGE, 2_001));
    assert_eq!(judge(&by_hand(&objects)), Err(PdfRefused::TooManyPages));
    let fewer = many.replace(" 2003 0 R", "");
    objects[1] = &fewer;
    assert_eq!(judge(&by_hand(&objects)).map(|judged| judged.pages), Ok(2_000));
}

#[test]
fn nesting_is_bounded_and_comments_and_escapes_are_understood() {
    let deep = format!("<< /Pages 2 0 R /X {}{} >>", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(judge(&by_hand(&[&deep, PAGES, PAGE])), Err(PdfRefused::TooDeep));
    let wide = format!("<< /Pages 2 0 R /X [{}] >>", "1 ".repeat(400_000));
    assert_eq!(judge(&by_hand(&[&wide, PAGES, PAGE])), Err(PdfRefused::TooManyObjects));
    let odd =
        "<</P#61ges%a comment\r2 0 R/A(\\(a\\051(b)\\\r\n\\7\\777)/B<4 1 4>/C[true false null -.5 +7 1 2]>>";
    assert_eq!(judge(&by_hand(&[odd, PAGES, PAGE])).map(|judged| judged.pages), Ok(1));
}

//! Pages stamped for who reads them.

use std::fmt::Write as _;

use lopdf::Document;
use svc_seal::{Language, PdfRefused, SealError, Watermark, can_be_watermarked, judge, seal, watermark};

use crate::samples::{at, by_hand, evidence, key, modern, seal_of, small};

const READER: &str = "maría.lópez@buyer.example";

fn with() -> Watermark<'static> {
    Watermark { reader: READER, at: at(0), language: Language::En }
}

pub(crate) fn stamped(document: &[u8]) -> Vec<u8> {
    watermark(document, &with()).expect("stamped")
}

/// What a page draws, its figures unpacked, in the order in which they are drawn.
fn drawn(file: &Document, page: (u32, u16)) -> Vec<String> {
    let text = |content: Vec<u8>| String::from_utf8_lossy(&content).into_owned();
    let content = text(file.get_page_content(page));
    let resources = file.get_dictionary(page).expect("a page").get(b"Resources").expect("resources");
    let figures = resources.as_dict().expect("a dictionary").get(b"XObject").expect("figures");
    let mut all = vec![content.clone()];
    for line in content.lines().filter(|line| !line.is_empty()) {
        let name = line.strip_suffix(" Do").and_then(|name| name.strip_prefix('/')).expect("a figure");
        let id = figures
            .as_dict()
            .expect("figures")
            .get(name.as_bytes())
            .expect("it")
            .as_reference()
            .expect("a reference");
        let stream = file.get_object(id).expect("a figure").as_stream().expect("a stream");
        all.push(text(stream.get_plain_content().unwrap_or_else(|_| stream.content.clone())));
    }
    all
}

#[test]
fn each_page_is_what_it_showed_with_the_stamp_above_it() {
    for document in [small(), modern()] {
        let before = Document::load_mem(&document).expect("a PDF");
        let file = Document::load_mem(&stamped(&document)).expect("a PDF");
        let (pages, then) = (file.get_pages(), before.get_pages());
        assert_eq!(pages.len(), then.len());
        for (&page, &was) in pages.values().zip(then.values()) {
            let [content, shown, sheet] = drawn(&file, page).try_into().expect("two figures");
            assert_eq!(content.trim(), "/SvcShown Do\n/SvcStamp Do");
            assert_eq!(shown.trim(), String::from_utf8_lossy(&before.get_page_content(was)).trim());
            assert!(sheet.matches("/S Do").count() > 8, "{sheet}");
        }
    }
}

#[test]
fn the_stamp_names_the_reader_and_the_instant() {
    let file = Document::load_mem(&stamped(&small())).expect("a PDF");
    // The letters of the stamp, by the table that its face has of them.
    let tables = file.objects.values().filter_map(|object| object.as_stream().ok());
    let tables = tables.filter_map(|stream| stream.get_plain_content().ok());
    let all: Vec<String> = tables.map(|table| String::from_utf8_lossy(&table).into_owned()).collect();
    let table = all
        .iter()
        .find(|table| table.contains("beginbfchar") || table.contains("beginbfrange"))
        .expect("a table of letters");
    for letter in READER.chars().chain("2026-01-31 09:15:00 UTC".chars()) {
        let code = u32::from(letter);
        assert!(table.to_lowercase().contains(&format!("<{code:04x}>")), "{letter} of {table}");
    }
    let other = Watermark { reader: "b@example.com", ..with() };
    assert_ne!(watermark(&small(), &other).expect("stamped"), stamped(&small()));
    assert_eq!(stamped(&small()), stamped(&small()), "nothing depends on when it is done");
}

#[test]
fn the_document_is_not_within_what_is_given() {
    let content = "q 1 0 0 1 9 9 cm Q";
    let stream = format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len());
    let hidden = "<< /Type /EmbeddedFile /Length 6 >>\nstream\nSECRET\nendstream";
    let document = by_hand(&[
        "<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(a) 6 0 R] >> /Dests << /Names [] >> >> /AF [6 0 R] \
         /OpenAction << /S /JavaScript /JS (SECRET) >> /PieceInfo << /X 5 0 R >> /Outlines 8 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 300 200] >>",
        "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Thumb 5 0 R /PieceInfo << /X 5 0 R >> \
         /Annots [<< /Subtype /FileAttachment /FS 6 0 R >> 7 0 R << /Subtype /Link /Dest [9 0 R /Fit] >>] >>",
        &stream,
        hidden,
        "<< /Type /Filespec /F (a) /EF << /F 5 0 R >> >>",
        "<< /Subtype /Widget /T (s) /Note (kept) /V << /ByteRange [0 1 2 3] /Contents <5345435245540a> >> >>",
        "<< /Type /Outlines /First 3 0 R >>",
        "<< /Type /Page /Contents 5 0 R >>",
    ]);
    let stamped = stamped(&document);
    let found = |needle: &[u8]| memchr::memmem::find(&stamped, needle).is_some();
    assert!(found(content.as_bytes()) && found(b"<6b657074>"), "what the page shows is there");
    for gone in [
        &b"SECRET"[..],
        b"/ByteRange",
        b"/EF",
        b"/JavaScript",
        b"/Thumb",
        b"/PieceInfo",
        b"/AF",
        b"FileAttachment",
    ] {
        assert!(!found(gone), "{}", String::from_utf8_lossy(gone));
    }
    assert!(!stamped.starts_with(&document));
    assert_eq!(
        stamped.windows(5).filter(|piece| piece == b"%%EOF").count(),
        1,
        "there is no earlier file within it"
    );
    assert_eq!(judge(&stamped).map(|judged| judged.pages), Ok(1));
}

#[test]
fn a_sealed_file_is_stamped_and_is_sealed_no_more() {
    let evidence = evidence(&small(), Language::Es);
    let sealed = seal(&small(), &seal_of(&evidence, &[], &key())).expect("sealed");
    let stamped = stamped(&sealed);
    assert!(memchr::memmem::find(&stamped, b"/SvcSeal").is_none());
    assert!(memchr::memmem::find(&stamped, b"evidence.json").is_none());
    let pages = |file: &[u8]| judge(file).expect("a PDF").pages;
    assert_eq!(pages(&stamped), pages(&sealed));
}

#[test]
fn pages_of_several_pieces_and_sizes_are_stamped() {
    let piece = |text: &str| format!("<< /Length {} >>\nstream\n{text}\nendstream", text.len());
    let document = by_hand(&[
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /Resources << /Font << /F1 7 0 R >> >> /Rotate -90 >>",
        "<< /Type /Page /Contents [5 0 R 99 0 R 6 0 R] /MediaBox [0 0 100 2000] /CropBox [10 10 90 1990] >>",
        "<< /Type /Page /Contents 5 0 R /MediaBox [300 300 0 0] /Rotate 450 >>",
        &piece("q q q 0 0 1 1 re W n [(a"),
        &piece(") ] TJ"),
        "<< /Type /Font /BaseFont /Helvetica /Subtype /Type1 >>",
    ]);
    let file = Document::load_mem(&stamped(&document)).expect("a PDF");
    let pages: Vec<_> = file.get_pages().into_values().collect();
    let [_, shown, _] = drawn(&file, pages[0]).try_into().expect("two figures");
    assert_eq!(shown.split_whitespace().collect::<Vec<_>>().join(" "), "q q q 0 0 1 1 re W n [(a ) ] TJ");
    let turned = |page| file.get_dictionary(page).and_then(|page| page.get(b"Rotate")?.as_i64()).ok();
    assert_eq!(pages.iter().map(|page| turned(*page)).collect::<Vec<_>>(), [Some(270), Some(90)]);
    let text = String::from_utf8_lossy(&stamped(&document)).into_owned();
    assert!(text.contains("/F1"), "what a page takes from above is its own");
}

#[test]
fn what_cannot_be_stamped_is_refused_with_what_to_do() {
    let filtered = "<< /Length 2 /Filter /ASCIIHexDecode >>\nstream\n> \nendstream";
    let page = |contents: &str| {
        let page = format!("<< /Type /Page /Contents {contents} >>");
        by_hand(&["<< /Pages 2 0 R >>", "<< /Kids [3 0 R] /Count 1 >>", &page, filtered, filtered])
    };
    // One piece stays as it is packed.
    assert_eq!(can_be_watermarked(&page("[4 0 R]")).map(|judged| judged.pages), Ok(1));
    let broken = PdfRefused::Damaged { what: "the content of a page" };
    for contents in ["[4 0 R 5 0 R]", "[7]", "3 0 R"] {
        assert_eq!(can_be_watermarked(&page(contents)), Err(broken), "{contents}");
        assert!(
            matches!(watermark(&page(contents), &with()), Err(SealError::Pdf(refused)) if refused == broken)
        );
    }
    let sized = by_hand(&["<< /Pages 2 0 R >>", "<< /Kids [3 0 R] >>", "<< /MediaBox [0 0 0 9] >>"]);
    assert_eq!(can_be_watermarked(&sized), Err(PdfRefused::Damaged { what: "the size of a page" }));
    assert_eq!(can_be_watermarked(b"<html>"), Err(PdfRefused::NotPdf));
    let at = memchr::memmem::find(&small(), b"/Root").expect("a trailer");
    let mut encrypted = small();
    encrypted.splice(at..at, *b"/Encrypt << >> ");
    assert_eq!(can_be_watermarked(&encrypted), Err(PdfRefused::Encrypted));
}

#[test]
fn resources_and_pieces_that_many_pages_have_take_no_room_without_bounds() {
    let kids: Vec<String> = (0..1_500).map(|kid| format!("{} 0 R", kid + 4)).collect();
    let mut names = String::new();
    for number in 0..40_000 {
        let _ = write!(names, "/N{number} {number} ");
    }
    let tree = format!("<< /Kids [{}] /Resources << /Properties << {names} >> >> >>", kids.join(" "));
    let stream = format!("<< /Length 300000 >>\nstream\n{}\nendstream", " ".repeat(300_000));
    let mut objects = vec!["<< /Pages 2 0 R >>", &tree, &stream];
    objects.extend(std::iter::repeat_n("<< /Contents 3 0 R >>", 1_500));
    assert_eq!(can_be_watermarked(&by_hand(&objects)), Err(PdfRefused::TooMuchContent));
    let tree = format!("<< /Kids [{}] >>", kids.join(" "));
    objects[1] = &tree;
    assert_eq!(can_be_watermarked(&by_hand(&objects)), Err(PdfRefused::TooMuchContent));
    let pieces = "<< /Contents [3 0 R 3 0 R] >>";
    let mut objects = vec!["<< /Pages 2 0 R >>", &tree, &stream];
    objects.extend(std::iter::repeat_n(pieces, 1_500));
    assert_eq!(can_be_watermarked(&by_hand(&objects)), Err(PdfRefused::TooMuchContent));
}

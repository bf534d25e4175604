//! Invoices in PDF files.

use lopdf::{Dictionary, Document, Object, Stream, dictionary};
use svc_einvoice::pdf::{Options, Standing, render};
use svc_einvoice::{ReadError, cii, factur_x, read, ubl};

use crate::cii::SAMPLE;
use crate::document;

/// A file with these attachments and nothing else.
fn file(attachments: &[(&str, &str)]) -> Vec<u8> {
    let mut document = Document::with_version("1.7");
    for (name, text) in attachments {
        let stream = Stream::new(Dictionary::new(), text.as_bytes().to_vec());
        let stream = document.add_object(Object::Stream(stream));
        document.add_object(dictionary! {
            "Type" => "Filespec",
            "F" => Object::string_literal(*name),
            "EF" => dictionary! { "F" => stream },
        });
    }
    let catalog = document.add_object(dictionary! { "Type" => "Catalog" });
    document.trailer.set("Root", catalog);
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).expect("a vector takes all that is written");
    bytes
}

#[test]
fn the_prescribed_name_comes_first() {
    let bytes = file(&[("other.xml", "<other/>"), ("notes.txt", "no"), ("factur-x.xml", SAMPLE)]);
    assert_eq!(factur_x::extract(&bytes).as_deref(), Ok(SAMPLE.as_bytes()));
    assert_eq!(read(&bytes), cii::read(SAMPLE.as_bytes()));
}

#[test]
fn what_is_rendered_has_its_document_in_it() {
    let invoice = document("surcharge");
    let bytes = render(&invoice, Options::default()).expect("valid");
    assert_eq!(factur_x::extract(&bytes), Ok(ubl::write(&invoice).expect("valid")));
    assert_eq!(read(&bytes).expect("valid").invoice, invoice);
}

#[test]
fn a_draft_has_none() {
    let bytes = render(&document("vector"), Options { standing: Standing::Draft }).expect("valid");
    assert_eq!(factur_x::extract(&bytes), Err(ReadError::NothingEmbedded));
    assert!(matches!(factur_x::extract(b"%PDF-1.7\n"), Err(ReadError::Pdf(_))));
}

/// The texts of each page, as a program reads them.
fn pages(bytes: &[u8]) -> Vec<String> {
    let document = Document::load_mem(bytes).expect("a PDF file");
    let numbers: Vec<u32> = document.get_pages().into_keys().collect();
    numbers.iter().map(|number| document.extract_text(&[*number]).expect("texts")).collect()
}

#[test]
fn the_worked_vector_is_on_the_page_to_the_cent() {
    let text = pages(&render(&document("vector"), Options::default()).expect("valid")).concat();
    for figure in [
        "769,50",
        "60,00",
        "12,35",
        "841,85",
        "-42,09",
        "788,03",
        "165,49",
        "11,73",
        "0,47",
        "799,76",
        "165,96",
        "965,72 €",
        "-109,65",
        "856,07 €",
        "F2025-00042",
        "B12345674",
        "14/03/2025",
    ] {
        assert!(text.contains(figure), "{figure}: {text}");
    }
}

#[test]
fn five_hundred_lines_carry_their_sum_from_page_to_page() {
    let pages = pages(&render(&document("five-hundred-lines"), Options::default()).expect("valid"));
    let count = pages.len();
    assert!((10..20).contains(&count), "{count}");
    for (page, at) in pages.iter().zip(1_usize..) {
        assert!(page.contains(&format!("Página {at} de {count}")), "{page}");
        assert_eq!(page.contains("Suma anterior"), at > 1, "{page}");
        assert_eq!(page.contains("Suma y sigue"), at < count, "{page}");
    }
    assert!(pages.concat().contains("Artículo 500") && pages.concat().contains("Artículo 001"));
}

#[test]
fn a_draft_says_so_on_each_page_and_english_is_english() {
    let draft = pages(
        &render(&document("five-hundred-lines"), Options { standing: Standing::Draft }).expect("valid"),
    );
    assert!(draft.iter().all(|page| page.contains("BORRADOR")));
    let text = pages(&render(&document("english"), Options::default()).expect("valid")).concat();
    assert!(text.contains("Invoice") && text.contains("Amount due") && text.contains("856.07"), "{text}");
}

//! Pages to read.

use svc_einvoice::pdf::{Options, Standing, render};

use crate::{document, documents};

#[test]
fn a_document_of_any_kind_has_a_page_and_the_same_one_each_time() {
    for named in documents::all() {
        let bytes = render(&named.invoice, Options::default()).expect("it can be laid out");
        assert!(bytes.starts_with(b"%PDF-1.7") && bytes.len() < 250_000, "{}: {}", named.name, bytes.len());
        assert_eq!(render(&named.invoice, Options::default()), Ok(bytes), "{}", named.name);
    }
}

#[test]
fn letters_that_the_fonts_lack_and_endless_words_do_no_harm() {
    let mut invoice = document("vector");
    for text in ["中文 \u{1f600}", &"x".repeat(5_000), "\u{0}\u{7f}\r\n\t", ""] {
        text.clone_into(&mut invoice.seller.name);
        for line in &mut invoice.lines {
            text.clone_into(&mut line.description);
        }
        invoice.notes = vec![text.to_owned()];
        render(&invoice, Options { standing: Standing::Draft }).expect("it can be laid out");
    }
}

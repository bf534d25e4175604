//! The certificate of evidence.

use svc_seal::{Digest, Entry, Language, SealError, certificate, judge};

use crate::samples::{at, evidence};

#[test]
fn a_certificate_is_a_pdf_and_the_same_each_time() {
    for language in [Language::Es, Language::En] {
        let mut evidence = evidence(b"a document", language);
        evidence.documents[0].after = Some(Digest::of(b"sealed"));
        let file = certificate(&evidence).expect("pages");
        assert_eq!(judge(&file).expect("a PDF").pages, 2);
        assert_eq!(certificate(&evidence).expect("pages"), file);
    }
}

#[test]
fn many_entries_go_over_many_pages() {
    let mut evidence = evidence(b"a document", Language::Es);
    for number in 0..400 {
        evidence.entries.push(Entry {
            at: at(number),
            actor: "sig_2".to_owned(),
            action: "signer.viewed".to_owned(),
            ip: None,
            user_agent: None,
            details: Some("x".repeat(500)),
        });
    }
    let pages = judge(&certificate(&evidence).expect("pages")).expect("a PDF").pages;
    assert!((20..80).contains(&pages), "{pages}");
}

#[test]
fn letters_that_the_fonts_lack_and_endless_words_do_no_harm() {
    for text in ["中文 \u{1f600} \u{202e}x", &"x".repeat(5_000), "\u{0}\u{7f}\r\n\t", "", "e\u{301}"] {
        let mut evidence = evidence(b"a document", Language::En);
        text.clone_into(&mut evidence.subject);
        text.clone_into(&mut evidence.documents[0].name);
        for signer in &mut evidence.signers {
            text.clone_into(&mut signer.name);
            signer.steps[0].user_agent = Some(text.to_owned());
        }
        judge(&certificate(&evidence).expect("pages")).expect("a PDF");
    }
}

#[test]
fn a_certificate_of_a_broken_chain_or_of_too_much_is_not_written() {
    let mut broken = evidence(b"a document", Language::En);
    let mut links = broken.entries.links().to_vec();
    links.remove(1);
    broken.entries = svc_seal::Chain::from_links(links);
    assert!(matches!(certificate(&broken), Err(SealError::Chain(broken)) if broken.number == 2));
    let mut large = evidence(b"a document", Language::En);
    large.subject = "x".repeat(svc_seal::MOST_EVIDENCE);
    assert!(matches!(certificate(&large), Err(SealError::TooMuchEvidence)));
}

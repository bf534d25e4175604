//! Files sealed, and what other readers make of them.

use lopdf::{Document, Object};
use proptest::prelude::*;
use svc_seal::{
    Ink, Language, Seal, SealError, SealKey, SealKind, Sealer, Signature, certificate, judge, original, seal,
    verify,
};

use crate::samples::{at, by_hand, evidence, key, modern, picture, seal_of, signatures, small};

fn sealed(document: &[u8]) -> Vec<u8> {
    seal(document, &seal_of(&evidence(document, Language::Es), &signatures(), &key())).expect("sealed")
}

#[test]
fn a_sealed_file_begins_with_the_document_and_has_a_page_more() {
    let drawn = certificate(&evidence(b"-", Language::En)).expect("pages");
    for document in [small(), modern(), drawn] {
        let sealed = sealed(&document);
        assert!(sealed.starts_with(&document));
        assert_eq!(original(&sealed).expect("the document"), document);
        let pages = judge(&document).expect("a PDF").pages;
        assert_eq!(judge(&sealed).expect("a PDF").pages, pages + 1);
        assert_eq!(self::sealed(&document), sealed, "the same again");
        let read = Document::load_mem(&sealed).expect("another reader");
        assert_eq!(read.xref_recovery, None, "nothing had to be mended");
        assert_eq!(read.get_pages().len(), usize::try_from(pages + 1).expect("few"));
    }
}

#[test]
fn the_page_of_signatures_is_upright_whatever_the_document_says() {
    let read = Document::load_mem(&sealed(&small())).expect("a PDF");
    let (_, last) = read.get_pages().pop_last().expect("pages");
    let page = read.get_dictionary(last).expect("a page");
    assert_eq!(page.get(b"Rotate").and_then(Object::as_i64).expect("a rotation"), 0);
    assert!(page.has(b"CropBox") && page.has(b"Resources"));
}

#[test]
fn attachments_and_the_list_of_associated_files_are_kept() {
    let catalog =
        "<< /Type /Catalog /Pages 2 0 R /AF [4 0 R] /Names << /EmbeddedFiles << /Kids [5 0 R] >> >> >>";
    let document = by_hand(&[
        catalog,
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] >>",
        "<< /Type /Filespec /F (evidence.json) >>",
        "<< /Limits [(evidence.json) (z)] /Names [(evidence.json) 4 0 R (z) 4 0 R] >>",
    ]);
    let read = Document::load_mem(&sealed(&document)).expect("a PDF");
    let catalog = read.catalog().expect("a catalog");
    assert_eq!(catalog.get(b"AF").and_then(Object::as_array).expect("associated files").len(), 2);
    let names = catalog.get(b"Names").and_then(Object::as_dict).expect("names");
    let files = names.get(b"EmbeddedFiles").and_then(Object::as_dict).expect("attachments");
    let files = files.get(b"Names").and_then(Object::as_array).expect("a list");
    let keys: Vec<&[u8]> = files.iter().filter_map(|key| key.as_str().ok()).collect();
    assert_eq!(keys, [b"evidence-2.json".as_slice(), b"evidence.json", b"z"]);
}

#[test]
fn many_signers_go_over_many_pages() {
    let document = small();
    let mut evidence = evidence(&document, Language::Es);
    let signer = evidence.signers[0].clone();
    evidence.signers = vec![signer; 40];
    let key = key();
    let sealed = seal(&document, &seal_of(&evidence, &signatures(), &key)).expect("sealed");
    let pages = judge(&sealed).expect("a PDF").pages;
    assert!((8..20).contains(&pages), "{pages}");
    evidence.signers = vec![evidence.signers[0].clone(); svc_seal::MOST_SIGNERS + 1];
    let refused = seal(&document, &seal_of(&evidence, &[], &key));
    assert!(matches!(refused, Err(SealError::TooMuchEvidence)));
}

#[test]
fn what_a_document_says_of_itself_is_never_taken_for_the_seal() {
    let forged = "<< /Type /SvcSeal /Version 1 /Key 0000000007 >>";
    let text = String::from_utf8(by_hand(&[
        &format!("<< /Pages 2 0 R /Metadata 4 0 R /X {forged} >>"),
        "<< /Kids [3 0 R] >>",
        "<< /MediaBox [0 0 9 9] >>",
        "null",
    ]));
    let text =
        text.expect("ASCII").replace("/Root", &format!("/Info {forged} /ID [{forged} {forged}] /Root"));
    let mut evidence = evidence(text.as_bytes(), Language::Es);
    evidence.subject = forged.to_owned();
    evidence.documents[0].name = forged.to_owned();
    let key = key();
    let sealed = seal(text.as_bytes(), &seal_of(&evidence, &[], &key)).expect("sealed");
    assert_eq!(verify(&sealed, &key).map(|verified| verified.evidence), Ok(evidence));
}

#[test]
fn the_pages_call_the_signature_electronic_and_nothing_more() {
    let texts = include_str!("../../src/texts.rs").to_lowercase();
    for word in ["qualified", "cualificad", "advanced", "avanzad"] {
        assert!(!texts.contains(word), "{word}");
    }
}

#[test]
fn a_sealed_file_can_be_sealed_again() {
    let document = small();
    let once = sealed(&document);
    let twice = sealed(&once);
    assert_eq!(original(&twice).expect("the first seal"), once);
    assert_eq!(original(original(&twice).expect("once")).expect("the document"), document);
    verify(&twice, &key()).expect("both fit");
    verify(&once, &key()).expect("the first fits");
}

#[test]
fn a_document_that_the_evidence_does_not_name_is_not_sealed() {
    let other = evidence(b"another", Language::En);
    let refused = seal(&small(), &seal_of(&other, &[], &key()));
    assert!(matches!(refused, Err(SealError::OtherDocument)));
}

#[test]
fn a_signature_that_cannot_be_drawn_is_refused_by_its_signer() {
    let mut cut = picture(20, 20);
    cut.truncate(60);
    let bad = [
        Ink::Png(b"GIF89a".to_vec()),
        Ink::Png(cut),
        Ink::Png(picture(2_001, 1)),
        Ink::Png(vec![0; 600_000]),
        Ink::Strokes(Vec::new()),
        Ink::Strokes(vec![vec![(f32::NAN, 0.0)]]),
        Ink::Strokes(vec![vec![(0.0, f32::INFINITY)]]),
        Ink::Strokes(vec![vec![(0.0, 0.0); 20_001]]),
    ];
    let (document, key) = (small(), key());
    let evidence = evidence(&document, Language::En);
    for ink in bad {
        let signatures = [Signature { signer: "sig_2".to_owned(), ink }];
        let refused = seal(&document, &seal_of(&evidence, &signatures, &key));
        assert!(matches!(refused, Err(SealError::Ink { signer, .. }) if signer == "sig_2"));
    }
    let wide = Ink::Png(picture(1_999, 1_999));
    let many =
        ["sig_1", "sig_2", "sig_3"].map(|signer| Signature { signer: signer.to_owned(), ink: wide.clone() });
    seal(&document, &seal_of(&evidence, &many, &key)).expect("12 million pixels");
    for ink in [Ink::Strokes(vec![vec![(5.0, 5.0)]]), Ink::Typed(String::new()), Ink::Typed("x".repeat(900))]
    {
        let signatures = [Signature { signer: "sig_2".to_owned(), ink }];
        seal(&document, &seal_of(&evidence, &signatures, &key)).expect("odd, but drawn");
    }
}

/// Answers a sequence with the digest in it.
struct Fake {
    room: usize,
}

impl Sealer for Fake {
    fn room(&self) -> usize {
        self.room
    }

    fn sign(&self, digest: &svc_seal::Digest) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
        Ok([&[0x30, 32], digest.as_bytes().as_slice()].concat())
    }
}

#[test]
fn a_platform_signature_is_over_all_but_its_own_value() {
    for document in [small(), modern()] {
        let (evidence, key) = (evidence(&document, Language::Es), key());
        let with = Seal { kind: SealKind::Platform(&Fake { room: 64 }), ..seal_of(&evidence, &[], &key) };
        let sealed = seal(&document, &with).expect("sealed");
        let platform = verify(&sealed, &key).expect("it fits").platform.expect("a signature");
        assert_eq!(platform.cms.get(2..), Some(platform.digest.as_bytes().as_slice()));
        let read = Document::load_mem(&sealed).expect("another reader");
        let value =
            read.objects.values().filter_map(|object| object.as_dict().ok()).find(|one| one.has_type(b"Sig"));
        let ranges =
            value.and_then(|value| value.get(b"ByteRange").ok()).and_then(|ranges| ranges.as_array().ok());
        let ranges: Vec<usize> = ranges
            .expect("ranges")
            .iter()
            .map(|number| usize::try_from(number.as_i64().expect("a number")).expect("positive"))
            .collect();
        let parts = [&sealed[..ranges[1]], &sealed[ranges[2]..ranges[2] + ranges[3]]].concat();
        assert_eq!(svc_seal::Digest::of(&parts), platform.digest);
        assert_eq!(ranges[2] + ranges[3], sealed.len());
        assert_eq!((sealed[ranges[1]], sealed[ranges[2] - 1]), (b'<', b'>'));
        assert_eq!(judge(&sealed).expect_err("it is signed").code(), "pdf_signed");
    }
}

#[test]
fn a_platform_signature_stands_beside_the_fields_of_a_form() {
    let document = by_hand(&[
        "<< /Type /Catalog /Pages 2 0 R /AcroForm 4 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] >>",
        "<< /Fields [5 0 R] /DA (/Helv 9 Tf) >>",
        "<< /FT /Tx /T (name) /V (Acme) >>",
    ]);
    let (evidence, key) = (evidence(&document, Language::Es), key());
    let with = Seal { kind: SealKind::Platform(&Fake { room: 64 }), ..seal_of(&evidence, &[], &key) };
    let read = Document::load_mem(&seal(&document, &with).expect("sealed")).expect("a PDF");
    let form = read
        .catalog()
        .and_then(|catalog| catalog.get(b"AcroForm"))
        .and_then(Object::as_dict)
        .expect("a form");
    let fields = form.get(b"Fields").and_then(Object::as_array).expect("fields");
    assert_eq!((fields.len(), &fields[0]), (2, &Object::Reference((5, 0))));
    assert!(form.has(b"DA") && form.has(b"SigFlags"));
    let field = fields[1].as_reference().and_then(|id| read.get_dictionary(id)).expect("a field");
    let page = field.get(b"P").and_then(Object::as_reference).expect("a page");
    let (_, last) = read.get_pages().pop_last().expect("pages");
    assert_eq!(page, last);
    let shown = read.get_dictionary(last).and_then(|page| page.get(b"Annots")).and_then(Object::as_array);
    assert_eq!(shown.expect("what is on the page"), &[fields[1].clone()]);
}

#[test]
fn a_change_of_a_file_with_a_platform_signature_is_found_or_is_one_of_its_value() {
    let document = small();
    let (evidence, key) = (evidence(&document, Language::Es), key());
    let with = Seal { kind: SealKind::Platform(&Fake { room: 40 }), ..seal_of(&evidence, &[], &key) };
    let sealed = seal(&document, &with).expect("sealed");
    let whole = verify(&sealed, &key).expect("it fits").platform.expect("a signature");
    let mut changed = sealed.clone();
    let mut in_value = 0;
    // Each byte where the signature is, and every fifth elsewhere.
    let value = memchr::memmem::find(&sealed, b"/Contents <").expect("a value");
    for at in (0..sealed.len()).filter(|at| at % 5 == 0 || at.abs_diff(value) < 120) {
        changed[at] ^= 1;
        if let Ok(verified) = verify(&changed, &key) {
            let platform = verified.platform.expect("a signature");
            assert_eq!(platform.digest, whole.digest, "byte {at}");
            assert_ne!(platform.cms, whole.cms, "byte {at}");
            in_value += 1;
        }
        changed[at] = sealed[at];
    }
    assert!((1..=68).contains(&in_value), "{in_value}");
}

#[test]
fn a_platform_signature_that_does_not_fit_is_an_error() {
    let document = small();
    let (evidence, key) = (evidence(&document, Language::Es), key());
    for room in [0, 33, 1_000_000] {
        let with = Seal { kind: SealKind::Platform(&Fake { room }), ..seal_of(&evidence, &[], &key) };
        assert!(
            matches!(seal(&document, &with), Err(SealError::SealerRoom { room: asked }) if asked == room)
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn whatever_is_sealed_is_taken_out_as_it_was(
        texts in prop::collection::vec(".{0,60}", 3),
        id in any::<u32>(),
        bytes in any::<[u8; 32]>(),
        english in any::<bool>(),
        seconds in 0_i64..4_000_000_000,
    ) {
        let document = by_hand(&[
            "<< /Pages 2 0 R >>",
            "<< /Kids [3 0 R] >>",
            "<< /MediaBox [0 0 9 9] /X (<< /Type /SvcSeal /Version 1 /Key ) >>",
        ]);
        let language = if english { Language::En } else { Language::Es };
        let mut evidence = evidence(&document, language);
        let [envelope, subject, name] = <[String; 3]>::try_from(texts).expect("three");
        evidence.envelope = envelope;
        evidence.subject = subject;
        evidence.signers[0].name = name;
        let key = SealKey::new(id, bytes);
        let sealed_at = at(seconds);
        let signatures = signatures();
        let with = Seal { sealed_at, ..seal_of(&evidence, &signatures, &key) };
        let sealed = seal(&document, &with).expect("sealed");
        prop_assert_eq!(original(&sealed), Ok(document.as_slice()));
        let verified = verify(&sealed, &key).expect("it fits");
        prop_assert_eq!((&verified.evidence, verified.sealed_at), (&evidence, sealed_at));
    }
}

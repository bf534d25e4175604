//! `verify` on sealed files, whole and broken.

use std::path::PathBuf;

use serde_json::Value;
use svc_core::clock::Timestamp;
use svc_core::hex::Hex;
use svc_pades::PlatformSealer;
use svc_seal::{
    Chain, Digest, Entry, Evidence, Identification, Language, Role, Seal, SealKey, SealKind, SignedDocument,
    Signer, Step, StepKind,
};
use svc_storage_seaorm::Keys;

use crate::harness::{Run, Site};

const MASTER: [u8; 32] = [7; 32];
const OTHER: [u8; 32] = [8; 32];

fn hex(key: [u8; 32]) -> String {
    Hex(&key).to_string()
}

/// A site that has master key 1, its document, and the file that it was sealed to with key 1.
fn sealed() -> (Site, Vec<u8>, PathBuf) {
    sealed_with(SealKind::Keyed)
}

fn sealed_with(kind: SealKind<'_>) -> (Site, Vec<u8>, PathBuf) {
    let now = Timestamp::from_unix_seconds(1_769_850_900);
    let mut entries = Chain::new();
    let action = "envelope.sent".to_owned();
    let actor = "usr_1".to_owned();
    entries.push(Entry { at: now, actor, action, ip: None, user_agent: None, details: None });
    let signed = Step { at: now, kind: StepKind::Signed, ip: None, user_agent: None };
    let eva = Signer {
        id: "sgr_1".to_owned(),
        name: "Eva Sol".to_owned(),
        email: "eva@example.com".to_owned(),
        role: Role::Signer,
        identified: Identification::Email,
        steps: vec![signed],
    };
    let mut evidence = Evidence {
        envelope: "env_1".to_owned(),
        subject: "Lease".to_owned(),
        sender: "Acme SL".to_owned(),
        language: Language::En,
        sent_at: now,
        completed_at: now,
        documents: vec![],
        signers: vec![eva],
        entries,
    };
    let document = svc_seal::certificate(&evidence).expect("a PDF");
    let pages = svc_seal::judge(&document).expect("good").pages;
    let before = Digest::of(&document);
    evidence.documents.push(SignedDocument { name: "lease.pdf".to_owned(), pages, before, after: None });
    let (id, key) = Keys::new(1, MASTER).seal_key();
    let key = SealKey::new(id, *key);
    let with = Seal { evidence: &evidence, signatures: &[], sealed_at: now, key: &key, kind };
    let bytes = svc_seal::seal(&document, &with).expect("sealed");
    let site = Site::new().with("SVC_MASTER_KEY", &hex(MASTER));
    let path = site.path().join("Lease (signed).pdf");
    std::fs::write(&path, bytes).expect("written");
    (site, document, path)
}

fn report(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).expect("JSON")
}

fn code(run: &Run) -> String {
    let failure: Value = serde_json::from_str(&run.stderr).expect("JSON");
    failure["error"]["code"].as_str().expect("a code").to_owned()
}

#[test]
fn a_sealed_file_says_who_signed_what_and_gives_the_document_back() {
    let (site, document, path) = sealed();
    let (file, original) = (path.to_str().expect("text"), site.path().join("lease.pdf"));
    let run = site.run(&["verify", file, "--original", original.to_str().expect("text"), "--json"]);
    assert!(run.status.success(), "{run:?}");
    let found = report(&run);
    assert_eq!(found["ok"], true);
    let proof = &found["items"][0];
    assert_eq!((&proof["envelopeId"], &proof["sender"]), (&"env_1".into(), &"Acme SL".into()));
    assert_eq!(proof["signers"][0]["name"], "Eva Sol");
    assert_eq!(proof["originalSha256"], Digest::of(&document).to_string());
    assert_eq!(std::fs::read(&original).expect("written"), document);

    let again = site.run(&["verify", file, "--original", original.to_str().expect("text"), "--json"]);
    assert_eq!((again.status.code(), code(&again)), (Some(1), "file_unwritable".to_owned()));
    let text = site.run(&["verify", file]);
    assert!(text.stdout.contains("whole") && text.stdout.contains("Eva Sol"), "{text:?}");
    assert!(!site.path().join("data").exists(), "verifying makes no database");
}

#[test]
fn any_changed_byte_breaks_a_sealed_file() {
    let (site, _, path) = sealed();
    let whole = std::fs::read(&path).expect("read");
    let mut names = Vec::new();
    let step = whole.len() / 60;
    for at in (0..whole.len()).step_by(step) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x01;
        let name = site.path().join(format!("{at}.pdf"));
        std::fs::write(&name, bytes).expect("written");
        names.push(name);
    }
    for bytes in [&whole[..whole.len() - 1], &[&whole[..], b"\n"].concat(), b"%PDF-1.7", b""] {
        let name = site.path().join(format!("of {} bytes.pdf", bytes.len()));
        std::fs::write(&name, bytes).expect("written");
        names.push(name);
    }
    let names: Vec<_> = names.iter().map(|name| name.to_str().expect("text")).collect();
    let run = site.run(&[&["verify", "--json"], &names[..]].concat());
    assert_eq!(run.status.code(), Some(1));
    let found = report(&run);
    let items = found["items"].as_array().expect("a list");
    assert_eq!(items.len(), names.len());
    for item in items {
        assert_eq!(item["ok"], false, "{item}");
        assert!(item["code"].is_string() && item["signers"].is_null(), "{item}");
    }
}

#[test]
fn files_of_an_earlier_key_verify_with_it() {
    let (site, _, path) = sealed();
    let file = path.to_str().expect("text").to_owned();
    let site = site.with("SVC_MASTER_KEY", &format!("2:{}", hex(OTHER)));
    let run = site.run(&["verify", &file, "--json"]);
    assert_eq!((run.status.code(), code(&run)), (Some(1), "seal_other_key".to_owned()));
    let site = site.with("SVC_MASTER_KEYS_OLD", &format!("1:{}", hex(MASTER)));
    assert!(site.run(&["verify", &file]).status.success());
    // A key of the same number that sealed nothing.
    let site = site.with("SVC_MASTER_KEYS_OLD", &format!("1:{}", hex([9; 32])));
    let run = site.run(&["verify", &file, "--json"]);
    assert_eq!(code(&run), "sealed_file_changed");
}

#[test]
fn without_its_key_or_its_file_the_command_says_what_to_do() {
    let (site, _, path) = sealed();
    let file = path.to_str().expect("text").to_owned();
    let missing = site.run(&["verify", "missing.pdf", "--json"]);
    assert_eq!((missing.status.code(), code(&missing)), (Some(1), "file_unreadable".to_owned()));
    let two = site.run(&["verify", &file, &file, "--original", "x.pdf", "--json"]);
    assert_eq!((two.status.code(), code(&two)), (Some(2), "usage".to_owned()));
    let keyless = Site::new();
    let run = keyless.run(&["verify", &file, "--json"]);
    assert_eq!((run.status.code(), code(&run)), (Some(1), "master_key_missing".to_owned()));
    assert!(!keyless.path().join("data").exists(), "no key is made");
}

/// A certificate for seals and its key, in the folder of a site.
fn certificate(site: &Site) -> [PathBuf; 2] {
    let made = rcgen::generate_simple_self_signed(["seal.example.com".to_owned()]).expect("made");
    let files = ["seal.pem", "seal.key"].map(|name| site.path().join(name));
    std::fs::write(&files[0], made.cert.pem()).expect("written");
    std::fs::write(&files[1], made.signing_key.serialize_pem()).expect("written");
    files
}

#[test]
fn the_certificate_of_the_platform_is_told_and_its_signature_is_checked() {
    let [cert, key] = certificate(&Site::new()).map(|path| std::fs::read(path).expect("read"));
    let sealer = PlatformSealer::from_pem(&cert, &key).expect("they fit");
    let (site, _, path) = sealed_with(SealKind::Platform(&sealer));
    let found = report(&site.run(&["verify", path.to_str().expect("text"), "--json"]));
    assert_eq!(found["items"][0]["platform"]["subject"], sealer.subject());
    assert_eq!(found["items"][0]["platform"]["validAtSealing"], true);
    // The last byte of the signature, which the seal does not cover.
    let mut bytes = std::fs::read(&path).expect("read");
    let end = bytes.windows(6).position(|part| part == b"> /M (").expect("a signature");
    let last = (0..end).rev().find(|at| bytes[*at] != b'0').expect("digits");
    bytes[last] = if bytes[last] == b'1' { b'2' } else { b'1' };
    std::fs::write(&path, bytes).expect("written");
    let run = site.run(&["verify", path.to_str().expect("text"), "--json"]);
    assert_eq!((run.status.code(), code(&run)), (Some(1), "platform_signature_broken".to_owned()));
}

#[test]
fn a_certificate_that_cannot_seal_is_told_before_anything_is_served() {
    let site = Site::new();
    let [cert, key] = certificate(&site).map(|path| path.to_str().expect("text").to_owned());
    let site = site.with("SVC_SEAL__CERT", &cert);
    let alone = site.run(&["doctor", "--json"]);
    assert!(alone.stdout.contains("needs its private key in `seal.key`"), "{alone:?}");
    let site = site.with("SVC_SEAL__KEY", &key);
    let both = site.run(&["doctor", "--json"]);
    assert!(both.stdout.contains("signed files are sealed by"), "{both:?}");
    let site = site.with("SVC_SEAL__KEY", &cert);
    let run = site.run(&["serve", "--json"]);
    assert_eq!((run.status.code(), code(&run)), (Some(2), "seal_files_refused".to_owned()));
}

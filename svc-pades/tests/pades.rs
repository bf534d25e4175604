//! Files sealed with a certificate, read back, and broken.

#![allow(clippy::indexing_slicing, reason = "a test fails where there is nothing")]

use rcgen::{
    BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose,
    PKCS_ECDSA_P256_SHA256, PKCS_ECDSA_P384_SHA384, PKCS_RSA_SHA256, SignatureAlgorithm,
};
use svc_core::clock::Timestamp;
use svc_pades::{BrokenSignature, Checked, PlatformSealer, SealerRefused, check};
use svc_seal::{
    Chain, Digest, Evidence, Language, PlatformSignature, Seal, SealKey, SealKind, Sealer as _,
    SignedDocument, certificate, judge, seal, verify,
};

const NOW: i64 = 1_769_850_900;

/// The certificate of a platform and the authority that vouches for it, as PEM, and the key of the first.
fn issued(algorithm: &'static SignatureAlgorithm, usages: &[KeyUsagePurpose]) -> (String, String) {
    let mut root = CertificateParams::default();
    root.distinguished_name.push(DnType::CommonName, "Example Trust Services");
    root.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let root_key = KeyPair::generate().expect("a key");
    let root_pem = root.self_signed(&root_key).expect("signed").pem();
    let mut own = CertificateParams::default();
    own.distinguished_name.push(DnType::CommonName, "Acme Seal");
    own.distinguished_name.push(DnType::OrganizationName, "Acme SL");
    own.key_usages = usages.to_vec();
    let key = KeyPair::generate_for(algorithm).expect("a key");
    let pem = own.signed_by(&key, &Issuer::new(root, root_key)).expect("signed").pem();
    (format!("{pem}{root_pem}"), key.serialize_pem())
}

fn sealer(algorithm: &'static SignatureAlgorithm) -> PlatformSealer {
    let (chain, key) = issued(algorithm, &[KeyUsagePurpose::ContentCommitment]);
    PlatformSealer::from_pem(chain.as_bytes(), key.as_bytes()).expect("they fit")
}

/// A sealed file.
fn sealed(sealer: &PlatformSealer) -> Vec<u8> {
    let now = Timestamp::from_unix_seconds(NOW);
    let mut evidence = Evidence {
        envelope: "env_1".to_owned(),
        subject: "Lease".to_owned(),
        sender: "Acme SL".to_owned(),
        language: Language::En,
        sent_at: now,
        completed_at: now,
        documents: vec![],
        signers: vec![],
        entries: Chain::new(),
    };
    let document = certificate(&evidence).expect("a PDF");
    let pages = judge(&document).expect("good").pages;
    let name = "lease.pdf".to_owned();
    evidence.documents.push(SignedDocument { name, pages, before: Digest::of(&document), after: None });
    let kind = SealKind::Platform(sealer);
    let with = Seal { evidence: &evidence, signatures: &[], sealed_at: now, key: &key(), kind };
    seal(&document, &with).expect("sealed")
}

fn key() -> SealKey {
    SealKey::new(1, [7; 32])
}

fn signature(file: &[u8]) -> PlatformSignature {
    verify(file, &key()).expect("whole").platform.expect("a signature")
}

#[test]
fn a_sealed_file_has_a_signature_that_names_the_platform() {
    for algorithm in [&PKCS_ECDSA_P256_SHA256, &PKCS_RSA_SHA256] {
        let sealer = sealer(algorithm);
        let file = sealed(&sealer);
        let Checked { subject, issuer, not_before, not_after } = check(&signature(&file)).expect("in order");
        assert!(subject.contains("CN=Acme Seal") && subject.contains("O=Acme SL"), "{subject}");
        assert_eq!(subject, sealer.subject());
        assert!(issuer.contains("Example Trust Services"), "{issuer}");
        let now = Timestamp::from_unix_seconds(NOW);
        assert!(not_before < now && now < not_after && sealer.covers(now));
        assert_eq!(sealer.until(), Some(not_after));
        assert!(!sealer.covers(not_after.plus(std::time::Duration::from_secs(1))));
        // The time is in the dictionary of the signature, as PAdES wants it.
        let text = String::from_utf8_lossy(&file).into_owned();
        assert!(text.contains("> /M (D:20260131091500Z) >>"));
    }
}

/// Those of what vouches for the certificate too.
#[test]
fn each_byte_of_the_signature_counts() {
    let whole = signature(&sealed(&sealer(&PKCS_ECDSA_P256_SHA256)));
    check(&whole).expect("in order");
    for at in 0..whole.cms.len() {
        for bit in [0x01, 0x80] {
            let mut cms = whole.cms.clone();
            cms[at] ^= bit;
            assert!(check(&PlatformSignature { cms, digest: whole.digest }).is_err(), "byte {at}");
        }
    }
    let cut = PlatformSignature { cms: whole.cms[..40].to_vec(), digest: whole.digest };
    assert_eq!(check(&cut), Err(BrokenSignature::Unreadable));
    let other = PlatformSignature { digest: Digest::of(b"another file"), ..whole };
    assert_eq!(check(&other), Err(BrokenSignature::OtherFile));
}

#[test]
fn room_is_enough_for_each_signature() {
    let sealer = sealer(&PKCS_ECDSA_P256_SHA256);
    for number in 0..200_u32 {
        let cms = sealer.sign(&Digest::of(&number.to_be_bytes())).expect("signed");
        assert!(cms.len() <= sealer.room(), "{} {}", cms.len(), sealer.room());
    }
}

#[test]
fn pairs_that_cannot_seal_are_refused_with_the_reason() {
    let usage = [KeyUsagePurpose::DigitalSignature];
    let (chain, key) = issued(&PKCS_ECDSA_P256_SHA256, &usage);
    let refused = |chain: &str, key: &str| {
        PlatformSealer::from_pem(chain.as_bytes(), key.as_bytes()).expect_err("refused")
    };
    assert_eq!(refused("", &key), SealerRefused::NoCertificate);
    assert_eq!(refused(&chain, ""), SealerRefused::NoKey);
    assert_eq!(refused(&chain, &chain), SealerRefused::NoKey);
    let (_, other) = issued(&PKCS_ECDSA_P256_SHA256, &usage);
    assert!(matches!(refused(&chain, &other), SealerRefused::OtherKey(_)));
    let (chain, key) = issued(&PKCS_ECDSA_P384_SHA384, &usage);
    assert_eq!(refused(&chain, &key), SealerRefused::Algorithm);
    let (chain, key) = issued(&PKCS_ECDSA_P256_SHA256, &[KeyUsagePurpose::KeyAgreement]);
    assert_eq!(refused(&chain, &key), SealerRefused::Usage);
    let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    assert!(matches!(refused(broken, &key), SealerRefused::Chain(_)));
}

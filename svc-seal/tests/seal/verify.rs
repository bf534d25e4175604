//! Any change of a sealed file is found.

use proptest::prelude::*;
use svc_seal::{Digest, Language, SealKey, VerifyError, key_id, original, seal, verify};

use crate::samples::{at, evidence, key, modern, seal_of, signatures, small};

fn sealed() -> Vec<u8> {
    let document = small();
    seal(&document, &seal_of(&evidence(&document, Language::Es), &[], &key())).expect("sealed")
}

#[test]
fn a_sealed_file_proves_what_was_sealed() {
    let document = small();
    let evidence = evidence(&document, Language::Es);
    let sealed = seal(&document, &seal_of(&evidence, &[], &key())).expect("sealed");
    let verified = verify(&sealed, &key()).expect("it fits");
    assert_eq!(verified.original_digest, Digest::of(&document));
    assert_eq!(verified.digest, Digest::of(&sealed));
    assert_eq!((verified.sealed_at, verified.envelope.as_str()), (at(900), "env_01kg9s5wm2"));
    assert_eq!((verified.evidence, verified.platform), (evidence, None));
}

#[test]
fn every_byte_of_a_sealed_file_counts() {
    let sealed = sealed();
    let mut changed = sealed.clone();
    for at in 0..sealed.len() {
        // One bit; where the seal and the cross-references are, also the case of a letter, and all bits.
        let near_the_end = at + 1_500 > sealed.len();
        for change in [1 << (at % 8), 0x20, 0xff].into_iter().take(if near_the_end { 3 } else { 1 }) {
            changed[at] ^= change;
            assert!(verify(&changed, &key()).is_err(), "byte {at} of {}", sealed.len());
            changed[at] = sealed[at];
        }
    }
    verify(&changed, &key()).expect("all changes were taken back");
}

#[test]
fn what_is_cut_off_or_added_is_found() {
    let sealed = sealed();
    for length in 0..sealed.len() {
        assert!(verify(&sealed[..length], &key()).is_err(), "{length}");
        assert!(verify(&sealed[length + 1..], &key()).is_err(), "{length}");
    }
    let added = [sealed.as_slice(), b"\n"].concat();
    assert_eq!(verify(&added, &key()), Err(VerifyError::Length));
    // A second seal by another, which names the whole of it.
    let other = SealKey::new(7, [1; 32]);
    let evidence = evidence(&sealed, Language::En);
    let forged = seal(&sealed, &seal_of(&evidence, &[], &other)).expect("sealed");
    assert_eq!(verify(&forged, &key()), Err(VerifyError::Changed));
}

#[test]
fn another_key_is_named_and_a_wrong_one_is_found() {
    let sealed = sealed();
    assert_eq!(key_id(&sealed), Some(7));
    assert_eq!(verify(&sealed, &SealKey::new(8, [42; 32])), Err(VerifyError::OtherKey { key: 7 }));
    assert_eq!(verify(&sealed, &SealKey::new(7, [43; 32])), Err(VerifyError::Changed));
    assert_eq!(verify(&small(), &key()), Err(VerifyError::NoSeal));
    assert_eq!(original(&small()), Err(VerifyError::NoSeal));
}

#[test]
fn an_original_that_was_changed_is_not_taken_out() {
    let mut sealed = sealed();
    sealed[12] ^= 1;
    assert_eq!(original(&sealed), Err(VerifyError::Original));
    assert_eq!(VerifyError::Original.code(), "original_changed");
}

/// Larger files, sealed once.
fn large() -> &'static [Vec<u8>] {
    static LARGE: std::sync::OnceLock<Vec<Vec<u8>>> = std::sync::OnceLock::new();
    LARGE.get_or_init(|| {
        let document = modern();
        let evidence = evidence(&document, Language::En);
        let once = seal(&document, &seal_of(&evidence, &signatures(), &key())).expect("sealed");
        let evidence = self::evidence(&once, Language::En);
        let twice = seal(&once, &seal_of(&evidence, &signatures(), &key())).expect("sealed");
        vec![once, twice]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_changes_of_larger_files_are_found(
        which in 0_usize..2,
        changes in prop::collection::vec((any::<prop::sample::Index>(), 1_u8..), 1..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
        added in prop::collection::vec(any::<u8>(), 0..4),
    ) {
        let sealed = &large()[which];
        let mut changed = sealed.clone();
        for (place, change) in changes {
            let at = place.index(changed.len());
            changed[at] ^= change;
        }
        if let Some(cut) = cut {
            changed.truncate(cut.index(changed.len()));
        }
        changed.extend(added);
        prop_assume!(&changed != sealed);
        prop_assert!(verify(&changed, &key()).is_err());
    }
}

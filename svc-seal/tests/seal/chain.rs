//! Entries, each with the hash of the one before.

use proptest::prelude::*;
use svc_seal::{Broken, Chain, Digest, Entry, Language, Link};

use crate::samples::{at, evidence};

#[test]
fn the_hash_of_an_entry_is_that_of_its_canonical_json() {
    let entry = Entry {
        at: at(0),
        actor: "sig_1".to_owned(),
        action: "signer.signed".to_owned(),
        ip: Some("192.0.2.7".to_owned()),
        user_agent: None,
        details: Some("a \"b\"\n\u{1}ñ".to_owned()),
    };
    let json = "{\"action\":\"signer.signed\",\"actor\":\"sig_1\",\"at\":\"2026-01-31T09:15:00.000Z\",\
                \"details\":\"a \\\"b\\\"\\n\\u0001ñ\",\"ip\":\"192.0.2.7\"}";
    let mut chain = Chain::new();
    let first = chain.push(entry.clone());
    assert_eq!(first, Digest::of(&[&[0; 32], json.as_bytes()].concat()));
    let second = chain.push(entry);
    assert_eq!(second, Digest::of(&[first.as_bytes().as_slice(), json.as_bytes()].concat()));
    assert_eq!(chain.head(), second);
}

#[test]
fn evidence_is_the_same_after_it_was_json() {
    let evidence = evidence(b"a document", Language::Es);
    let json = serde_json::to_string(&evidence).expect("JSON");
    assert_eq!(serde_json::from_str::<svc_seal::Evidence>(&json).expect("evidence"), evidence);
    assert!(json.contains("\"previousHash\":\"0000"), "{json}");
    assert!(json.contains("\"step\":\"otp_proved\""), "{json}");
}

#[test]
fn a_digest_is_64_digits_in_lower_case_and_nothing_else() {
    let digest = Digest::of(b"abc");
    assert_eq!(digest.to_string(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_eq!(digest.to_string().parse(), Ok(digest));
    for wrong in ["", "ba78", &digest.to_string().to_uppercase(), &format!("{digest}0"), &"ñ".repeat(32)] {
        assert!(wrong.parse::<Digest>().is_err(), "{wrong}");
    }
}

fn links(length: usize) -> Vec<Link> {
    let mut chain = Chain::new();
    for number in 0..length {
        chain.push(Entry {
            at: at(i64::try_from(number).expect("few")),
            actor: "sig_1".to_owned(),
            action: "signer.viewed".to_owned(),
            ip: None,
            user_agent: None,
            details: None,
        });
    }
    chain.links().to_vec()
}

proptest! {
    #[test]
    fn any_change_of_an_entry_is_found_there(length in 1_usize..12, place in any::<prop::sample::Index>(), what in 0..6) {
        let mut links = links(length);
        let at = place.index(length);
        let link = &mut links[at];
        match what {
            0 => link.entry.actor.push('x'),
            1 => link.entry.action.clear(),
            2 => link.entry.ip = Some(String::new()),
            3 => link.entry.at = crate::samples::at(-1),
            4 => link.previous_hash = Digest::of(b"x"),
            _ => link.hash = Digest::of(b"x"),
        }
        prop_assert_eq!(Chain::from_links(links).verify(), Err(Broken { number: at + 1 }));
    }

    #[test]
    fn an_entry_that_was_taken_out_or_moved_is_missed(length in 2_usize..12, place in any::<prop::sample::Index>()) {
        let whole = links(length);
        prop_assert_eq!(Chain::from_links(whole.clone()).verify(), Ok(()));
        let at = place.index(length - 1);
        let mut without = whole.clone();
        without.remove(at);
        prop_assert_eq!(Chain::from_links(without).verify(), Err(Broken { number: at + 1 }));
        let mut swapped = whole;
        swapped.swap(at, at + 1);
        prop_assert_eq!(Chain::from_links(swapped).verify(), Err(Broken { number: at + 1 }));
    }
}

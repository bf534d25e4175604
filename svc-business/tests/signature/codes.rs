//! Links and codes: made of a key, and bounded in number, tries and time.

use std::time::Duration;

use proptest::prelude::*;
use svc_business::signature::code::{CODE_LASTS, CODE_WAIT, CodeRefused, Codes, MOST_CODES, MOST_TRIES};
use svc_business::signature::key::{Access, CeremonyKey, LinkHash, Salt};
use svc_core::id::SignerId;
use svc_testkit::business::envelopes::key;
use svc_testkit::business::sample::{at, id};
use svc_testkit::fakes::SeededRandom;

const SALT: Salt = Salt([1; 16]);

fn of(number: u128) -> SignerId {
    id(number)
}

fn requested(codes: Codes, now: svc_core::clock::Timestamp) -> Result<(Codes, String), CodeRefused> {
    codes.request((&key(), of(1), SALT), now).map(|(codes, code)| (codes, code.as_str().to_owned()))
}

#[test]
fn a_link_is_that_of_its_key_its_signer_and_its_salt() {
    let signer: SignerId = id(1);
    let access = Access::draw(&key(), signer, &SeededRandom::new(1));
    let link = access.link(&key(), signer).expect("the same key");
    assert_eq!((link.as_str().len(), LinkHash::of(link.as_str())), (43, access.hash));
    assert_eq!(access.link(&CeremonyKey::new([8; 32]), signer), None);
    assert_eq!(access.link(&key(), of(2)), None);
    let again = Access::draw(&key(), signer, &SeededRandom::new(2));
    assert_ne!(again.hash, access.hash);
    assert_eq!(format!("{link:?} {:?}", key()), "LinkToken(***) CeremonyKey(***)");
}

#[test]
fn a_code_holds_for_its_time_and_its_tries() {
    let (codes, code) = requested(Codes::default(), at(0)).expect("the first");
    assert!(code.len() == 6 && code.bytes().all(|digit| digit.is_ascii_digit()), "{code}");
    let spaced = format!(" {} {} ", &code[..3], &code[3..]);
    let (proved, judged) = codes.prove((&key(), of(1)), &spaced, at(1));
    assert_eq!((judged, proved.proof(at(1)).is_ok()), (Ok(()), true));
    assert_eq!(proved.proof(at(1 + 30 * 60)), Err(CodeRefused::Needed), "a proof ends");
    assert_eq!(proved.prove((&key(), of(1)), &code, at(2)).1, Err(CodeRefused::Over), "it proves once");
    let late = at(0).plus(CODE_LASTS);
    assert_eq!(codes.prove((&key(), of(1)), &code, late).1, Err(CodeRefused::Over));
    assert_eq!(
        codes.prove((&key(), of(2)), &code, at(1)).1,
        Err(CodeRefused::Wrong { left: 4 }),
        "of another"
    );
    let mut tried = codes;
    for left in (0..MOST_TRIES).rev() {
        let (next, judged) = tried.prove((&key(), of(1)), "000000x", at(1));
        assert_eq!(judged, Err(CodeRefused::Wrong { left }));
        tried = next;
    }
    assert_eq!(tried.prove((&key(), of(1)), &code, at(1)).1, Err(CodeRefused::Over), "even the right one");
}

#[test]
fn codes_are_sent_one_by_one_and_not_for_ever() {
    let (mut codes, _) = requested(Codes::default(), at(0)).expect("the first");
    assert_eq!(requested(codes, at(1)), Err(CodeRefused::TooSoon { seconds: 59 }));
    let mut now = at(0);
    for _ in 1..MOST_CODES {
        now = now.plus(CODE_WAIT);
        codes = requested(codes, now).expect("another").0;
    }
    assert_eq!(requested(codes, now.plus(CODE_WAIT)), Err(CodeRefused::TooMany));
}

proptest! {
    #[test]
    fn no_other_text_proves_a_code(typed in "[0-9]{0,8}", wait in 0_u64..1_200) {
        let (codes, code) = requested(Codes::default(), at(0)).expect("the first");
        let now = at(0).plus(Duration::from_secs(wait));
        let (_, judged) = codes.prove((&key(), of(1)), &typed, now);
        prop_assert_eq!(judged.is_ok(), typed == code && wait < 600);
    }
}

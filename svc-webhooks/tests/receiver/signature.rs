//! Signatures of any secret, instant and body. The shared vectors are read in `tests/receiver`.

use std::collections::BTreeMap;
use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use svc_core::clock::Timestamp;
use svc_testkit::property;
use svc_webhooks::names::Names;
use svc_webhooks::signature::{
    EventKey, ID_HEADER, SIGNATURE_HEADER, SecretError, TOLERANCE, Verifier, VerifyError, sign, verify,
};

const SECRET: &str = "whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG";

proptest! {
    #![proptest_config(property::cases(512))]

    #[test]
    fn what_was_signed_verifies_within_the_tolerance_only(
        secret in "whsec_[0-9A-Za-z]{0,80}",
        t in 0_i64..1_000_000_000_000_000,
        body in vec(any::<u8>(), 0..300),
        skew in -400_i64..400,
    ) {
        let outcome = verify(&secret, &sign(&secret, t, &body), &body, t + skew);
        let apart = Duration::from_secs(skew.unsigned_abs());
        let expected = match skew {
            ..-300 => Err(VerifyError::InTheFuture { ahead: apart, tolerance: TOLERANCE }),
            -300..=300 => Ok(()),
            301.. => Err(VerifyError::TooOld { age: apart, tolerance: TOLERANCE }),
        };
        prop_assert_eq!(outcome, expected);
    }

    #[test]
    fn a_changed_bit_anywhere_fails(
        t in 1_000_i64..4_000_000_000,
        body in vec(any::<u8>(), 1..300),
        place in any::<prop::sample::Index>(),
        bit in 0_u8..8,
    ) {
        let header = sign(SECRET, t, &body);
        // One run of bytes: secret, header, body.
        let mut parts = [SECRET.as_bytes().to_vec(), header.clone().into_bytes(), body.clone()];
        let at = place.index(parts.iter().map(Vec::len).sum());
        let (part, at) = parts.iter().enumerate().fold((0, at), |(part, at), (index, bytes)| {
            if part == index && at >= bytes.len() { (part + 1, at - bytes.len()) } else { (part, at) }
        });
        parts[part][at] ^= 1 << bit;
        let [secret, changed, body] = parts;
        // Text that is no UTF-8 never gets as far as `verify`.
        let (Ok(secret), Ok(changed)) = (String::from_utf8(secret), String::from_utf8(changed)) else {
            return Ok(());
        };
        // Hexadecimal digits have two spellings, and both are right.
        let respelled = changed != header && changed.eq_ignore_ascii_case(&header) && at >= header.len() - 64;
        let outcome = verify(&secret, &changed, &body, t);
        prop_assert_eq!(outcome.is_ok(), respelled, "{} at {} of part {}", changed, at, part);
    }

    #[test]
    fn no_header_makes_it_panic(header in "\\PC{0,120}", now in any::<i64>()) {
        let outcome = verify(SECRET, &header, b"[]", now);
        prop_assert!(outcome.is_err());
    }
}

#[test]
fn a_secret_that_cannot_be_whole_is_refused_at_the_start() {
    assert_eq!(Verifier::new([""; 0]).err(), Some(SecretError::Missing));
    for secret in
        ["", "whsec_", "abc", "whsec_a b", "whsec_a\n", " whsec_a", "\"whsec_a\"", "whsec_ñ", "WHSEC_a"]
    {
        let error = Verifier::new(["whsec_good", secret]).expect_err(secret);
        assert_eq!(error, SecretError::Malformed { place: 2, mark: Names::STANDARD.secret }, "{secret}");
    }
}

#[test]
fn a_verifier_shows_no_secret() {
    let verifier = Verifier::new(["whsec_visible"]).expect("a whole secret");
    assert!(!format!("{verifier:?}").contains("visible"));
}

#[test]
fn the_tolerance_can_be_set() {
    let body = br#"{"id":"evt_00000000000000000000000001","type":"contact.create","occurred_at":
        "2025-01-31T09:15:00.000Z","account_id":null,"data":{"object":"contact","id":"con_1"}}"#;
    let headers = [
        ("X-SVC-Webhook-Id", "evt_00000000000000000000000001"),
        (SIGNATURE_HEADER, &sign(SECRET, 1_000, body)),
    ];
    let verifier = Verifier::new([SECRET]).expect("a whole secret").with_tolerance(Duration::from_secs(5));
    let at = |seconds| verifier.verify(headers, body, Timestamp::from_unix_seconds(seconds)).map(|_| ());
    let tolerance = Duration::from_secs(5);
    assert_eq!(at(1_005), Ok(()));
    assert_eq!(at(995), Ok(()));
    assert_eq!(at(1_006), Err(VerifyError::TooOld { age: Duration::from_secs(6), tolerance }));
    assert_eq!(at(994), Err(VerifyError::InTheFuture { ahead: Duration::from_secs(6), tolerance }));
}

#[test]
fn a_signed_body_of_which_a_member_is_missing_is_malformed() {
    let whole = r#"{"id":"evt_00000000000000000000000001","type":"x.y","occurred_at":"2025-01-31T09:15:00.000Z",
        "account_id":null,"data":{"object":"contact","id":"con_1"}}"#;
    let verifier = Verifier::new([SECRET]).expect("a whole secret");
    let verify = |body: &str| {
        let signature = sign(SECRET, 1_000, body.as_bytes());
        let headers = [(ID_HEADER, "evt_00000000000000000000000001"), (SIGNATURE_HEADER, &signature)];
        verifier.verify(headers, body.as_bytes(), Timestamp::from_unix_seconds(1_000)).map(|_| ())
    };
    assert_eq!(verify(whole), Ok(()));
    for (member, other) in [
        (r#""id":"evt_00000000000000000000000001","#, ""),
        (r#""type":"x.y","#, ""),
        (r#""type":"x.y""#, r#""type":7"#),
        (r#""occurred_at":"2025-01-31T09:15:00.000Z","#, ""),
        ("2025-01-31T09:15:00.000Z", "yesterday"),
        (r#""account_id":null"#, r#""account_id":7"#),
        (r#","data":{"object":"contact","id":"con_1"}"#, ""),
        (r#""object":"contact","#, ""),
        (r#","id":"con_1""#, ""),
    ] {
        let body = whole.replace(member, other);
        assert_ne!(body, whole, "{member}");
        let error = verify(&body).expect_err(member);
        assert!(matches!(error, VerifyError::MalformedBody { .. }), "{member}: {error}");
    }
}

#[test]
fn a_notification_of_another_sender_is_read_whatever_its_ids_look_like() {
    let verifier = Verifier::new([SECRET]).expect("a whole secret");
    let verify = |id: &str| {
        let body = format!(
            r#"{{"id":"{id}","type":"order.placed","occurred_at":"2025-01-31T09:15:00.000Z",
            "account_id":"Müller & Söhne","data":{{"object":"order","id":"1001"}}}}"#
        );
        let signature = sign(SECRET, 1_000, body.as_bytes());
        let headers = [(ID_HEADER, id), (SIGNATURE_HEADER, &signature)];
        let outcome = verifier.verify(headers, body.as_bytes(), Timestamp::from_unix_seconds(1_000));
        outcome.map(|verified| {
            assert_eq!(verified.account.as_deref(), Some("Müller & Söhne"));
            (verified.event.to_string(), verified.event_id().is_some())
        })
    };
    let longest = "x".repeat(EventKey::MOST);
    for id in ["7", "0195f3a2-77aa-7c3e-8f00-1d2e3f405162", "order/7?paid", &longest] {
        assert_eq!(verify(id), Ok((id.to_owned(), false)));
    }
    let ours = "evt_00000000000000000000000001";
    assert_eq!(verify(ours), Ok((ours.to_owned(), true)));
    for id in ["", "a b", "é", &format!("{longest}x")] {
        let refused = verify(id).expect_err(id);
        assert!(matches!(refused, VerifyError::MalformedBody { line: 1, .. }), "{id}: {refused}");
    }
}

#[test]
fn no_text_of_an_error_holds_what_arrived() {
    let verifier = Verifier::new([SECRET]).expect("a whole secret");
    let body = br#"{"id":"canary"}"#;
    let now = Timestamp::from_unix_seconds(1_000);
    for signature in ["canary".to_owned(), "t=canary,sha256=".to_owned(), sign(SECRET, 1_000, body)] {
        let error = verifier.verify([(ID_HEADER, "canary"), (SIGNATURE_HEADER, &signature)], body, now);
        let error = error.expect_err("refused");
        assert!(!format!("{error} {error:?}").contains("canary"), "{error:?}");
    }
}

#[test]
fn headers_come_in_any_type_of_text_and_bytes() {
    let body = b"x";
    let (verifier, now) = (Verifier::new([SECRET]).expect("whole"), Timestamp::from_unix_seconds(1_000));
    let signature = sign(SECRET, 1_000, body);
    // Each got as far as the body, so each header was found.
    let found = Err(VerifyError::MalformedBody { line: 1, column: 1 });
    let map = BTreeMap::from([
        (ID_HEADER.to_lowercase(), "x".to_owned()),
        (SIGNATURE_HEADER.to_uppercase(), signature.clone()),
    ]);
    assert_eq!(verifier.verify(&map, body, now), found);
    let bytes: [(&[u8], &[u8]); 2] =
        [(ID_HEADER.as_bytes(), b"\xff"), (SIGNATURE_HEADER.as_bytes(), signature.as_bytes())];
    assert_eq!(verifier.verify(bytes, body, now), found);
    let from_a_closure =
        [ID_HEADER, SIGNATURE_HEADER].map(|name| (name, if name == ID_HEADER { "x" } else { &signature }));
    assert_eq!(verifier.verify(from_a_closure, body, now), found);
}

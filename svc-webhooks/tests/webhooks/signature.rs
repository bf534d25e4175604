//! Signatures as both sides see them.

use proptest::collection::vec;
use proptest::prelude::*;
use svc_testkit::property;
use svc_testkit::webhooks::strategy;
use svc_webhooks::signature::{TOLERANCE_SECONDS, VerifyError, sign, verify};

const SECRET: &str = "whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG";

#[test]
fn the_signature_is_what_pythons_hmac_computes() {
    let body = "{\"id\":\"evt_00000000000000000000000001\",\"type\":\"contact.create\",\
                \"occurred_at\":\"2025-01-31T09:15:00.000Z\",\"account_id\":null,\
                \"data\":{\"object\":\"contact\",\"id\":\"con_ñ\"}}";
    // python3 -c 'import hmac, hashlib; print(hmac.new(SECRET, b"1738314900." + BODY, hashlib.sha256).hexdigest())'
    let expected = "t=1738314900,sha256=a6d4f305f12a22c8c5bff6223f4ad655dbde6b7228407b706df6998937b0e3d8";
    assert_eq!(sign(SECRET, 1_738_314_900, body.as_bytes()), expected);
    assert_eq!(verify(SECRET, expected, body.as_bytes(), 1_738_314_900), Ok(()));
    let (start, hex) = expected.split_at(20);
    let upper = format!("{start}{}", hex.to_uppercase());
    assert_eq!(verify(SECRET, &upper, body.as_bytes(), 1_738_314_900), Ok(()));
}

proptest! {
    #![proptest_config(property::cases(512))]

    #[test]
    fn what_was_signed_verifies_within_the_tolerance_only(
        secret in "whsec_[0-9A-Za-z]{0,80}",
        t in 0_i64..=i64::MAX,
        body in vec(any::<u8>(), 0..300),
        skew in -400_i64..400,
    ) {
        let now = t.saturating_add(skew);
        let outcome = verify(&secret, &sign(&secret, t, &body), &body, now);
        let expected = if now.abs_diff(t) > TOLERANCE_SECONDS {
            Err(VerifyError::OutsideTolerance)
        } else {
            Ok(())
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
    fn the_body_of_any_event_verifies(event in strategy::event()) {
        let (body, t) = (event.body(), event.occurred_at.unix_seconds());
        prop_assert_eq!(verify(SECRET, &sign(SECRET, t, &body), &body, t), Ok(()));
    }

    #[test]
    fn no_header_makes_it_panic(header in "\\PC{0,120}", now in any::<i64>()) {
        let outcome = verify(SECRET, &header, b"[]", now);
        prop_assert!(outcome.is_err());
    }
}

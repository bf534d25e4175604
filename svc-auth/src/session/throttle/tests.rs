use proptest::prelude::*;

use super::*;

fn at(second: i64) -> Timestamp {
    Timestamp::from_unix_seconds(second)
}

fn peppers(key: u8) -> Peppers {
    Peppers::new(crate::token::Pepper::new(1, [key; 32]), Vec::new())
}

/// Of pair, network and e-mail address.
fn keys_of(pepper: u8, email: &str, from: &str) -> [ThrottleKey; 3] {
    let attempt = Attempt::sign_in(&peppers(pepper), email, from.parse().ok());
    let (first, last) = (attempt.shared.first(), attempt.shared.last());
    [attempt.own.key, first.expect("the network").key, last.expect("the e-mail address").key]
}

/// Of the /48.
fn wide_key_of(email: &str, from: &str) -> Option<ThrottleKey> {
    let attempt = Attempt::sign_in(&peppers(1), email, from.parse().ok());
    let wide = |count: &&Count| count.throttle == Throttle::WIDE_NETWORK;
    attempt.shared.iter().find(wide).map(|count| count.key)
}

#[test]
fn waits_double_from_one_minute_to_fifteen_after_the_free_ones() {
    let minutes = |count| Throttle::PAIR.wait(Failures { count, last_at: at(0) }, at(0)).as_secs() / 60;
    let waits: Vec<_> = [0, 4, 5, 6, 7, 8, 9, 10, u32::MAX].map(minutes).into();
    assert_eq!(waits, [0, 0, 1, 2, 4, 8, 15, 15, 15]);
    for (throttle, free) in [
        (Throttle::NETWORK, 20),
        (Throttle::WIDE_NETWORK, 60),
        (Throttle::UNKNOWN_NETWORK, 200),
        (Throttle::EMAIL, 100),
        (Throttle::PASSWORD_CHANGE, 5),
    ] {
        let wait = |count| throttle.wait(Failures { count, last_at: at(0) }, at(0));
        assert_eq!((wait(free - 1), wait(free)), (Duration::ZERO, FIRST_WAIT));
    }
}

#[test]
fn a_wait_runs_from_the_last_failure() {
    let failures = Failures { count: 5, last_at: at(100) };
    assert_eq!(Throttle::PAIR.wait(failures, at(130)), Duration::from_secs(30));
    assert_eq!(Throttle::PAIR.wait(failures, at(160)), Duration::ZERO);
}

#[test]
fn addresses_of_one_ipv6_customer_are_one_network_and_the_hashes_tell_nothing() {
    let first = keys_of(1, "ana@acme.example", "2001:db8:1:2:3:4:5:6");
    assert_eq!(first, keys_of(1, "ana@acme.example", "2001:db8:1:2:ffff::1"));
    let [pair, network, email] = keys_of(1, "ana@acme.example", "2001:db8:1:3::1");
    assert!(pair != first[0] && network != first[1] && email == first[2]);
    let [pair, network, email] = keys_of(1, "ben@acme.example", "2001:db8:1:2::1");
    assert!(pair != first[0] && network == first[1] && email != first[2]);
    let [pair, network, email] = keys_of(2, "ana@acme.example", "2001:db8:1:2::1");
    assert!(pair != first[0] && network != first[1] && email != first[2]);
    assert_eq!(keys_of(1, "a", "::ffff:203.0.113.7"), keys_of(1, "a", "203.0.113.7"));
}

#[test]
fn one_text_has_another_key_for_each_purpose() {
    let [pair, network, email] = keys_of(1, "203.0.113.7", "203.0.113.7");
    assert!(pair != network && network != email && email != pair);
    let session: SessionId = svc_core::id::TypedId::from_uuid(uuid::Uuid::nil());
    let change = keys(&Attempt::password_change(&peppers(1), session).counts());
    assert!(!keys_of(1, &session.to_string(), "203.0.113.7").contains(&change[0]));
}

#[test]
fn sources_that_are_not_known_are_one_network_with_an_allowance_of_its_own() {
    assert_eq!(keys_of(1, "a", "nowhere")[1], keys_of(1, "b", "nowhere")[1]);
    let free = |from: Option<IpAddr>| {
        let counts = Attempt::sign_in(&peppers(1), "a", from).counts();
        counts.iter().map(|count| count.throttle.free).collect::<Vec<_>>()
    };
    assert_eq!(free(None), [5, 200, 100]);
    assert_eq!(free("203.0.113.7".parse().ok()), [5, 20, 100]);
    assert_eq!(free("2001:db8::7".parse().ok()), [5, 20, 60, 100]);
}

#[test]
fn networks_of_one_48_have_a_count_in_common_and_ipv4_has_none() {
    let one = wide_key_of("a", "2001:db8:1:2::1").expect("IPv6");
    assert_eq!(wide_key_of("b", "2001:db8:1:3::1"), Some(one));
    assert_ne!(wide_key_of("a", "2001:db8:2:2::1"), Some(one));
    assert_eq!([wide_key_of("a", "203.0.113.7"), wide_key_of("a", "nowhere")], [None; 2]);
}

#[test]
fn no_wait_outlasts_its_window_and_no_window_what_is_kept() {
    for throttle in [
        Throttle::PAIR,
        Throttle::NETWORK,
        Throttle::WIDE_NETWORK,
        Throttle::UNKNOWN_NETWORK,
        Throttle::EMAIL,
        Throttle::PASSWORD_CHANGE,
    ] {
        assert!(LONGEST_WAIT <= throttle.window && throttle.window <= Throttle::LONGEST_WINDOW);
    }
}

proptest! {
    #[test]
    fn a_wait_never_passes_the_longest_and_is_over_when_it_said(
        count in any::<u32>(), last in 0_i64..4_000_000_000, now in 0_i64..4_000_000_000, free in 0_u32..50,
    ) {
        let (throttle, failures) = (Throttle { free, window: LONGEST_WAIT }, Failures { count, last_at: at(last) });
        let wait = throttle.wait(failures, at(now));
        prop_assert!(wait <= LONGEST_WAIT);
        prop_assert_eq!(throttle.wait(failures, at(now).max(at(last)).plus(wait)), Duration::ZERO);
    }

    #[test]
    fn more_failures_never_wait_less(
        fewer in any::<u32>(), more in any::<u32>(), last in 0_i64..2_000, now in 0_i64..4_000, free in 0_u32..50,
    ) {
        let wait = |count| Throttle { free, window: LONGEST_WAIT }.wait(Failures { count, last_at: at(last) }, at(now));
        prop_assert!(wait(fewer.min(more)) <= wait(fewer.max(more)));
    }

    #[test]
    fn after_a_quarter_of_an_hour_nothing_waits(count in any::<u32>(), last in 0_i64..4_000_000_000, later in 0_u64..100_000) {
        let now = at(last).plus(LONGEST_WAIT).plus(Duration::from_micros(later));
        prop_assert_eq!(Throttle::PAIR.wait(Failures { count, last_at: at(last) }, now), Duration::ZERO);
    }
}

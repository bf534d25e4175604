//! What holds of every envelope, whatever is tried in whatever order (specification, domain part 14: I-20, I-24).

use proptest::prelude::*;
use svc_core::trail::{Chain, Digest, Link};

use super::model::{World, envelopes, tries};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn an_envelope_does_what_its_model_does_and_ends_once(draft in envelopes(), tries in tries()) {
        let mut world = World::send(draft);
        world.check();
        for attempt in &tries {
            world.attempt(attempt);
            world.check();
        }
    }

    #[test]
    fn what_has_ended_stays_as_it_is(draft in envelopes(), tries in tries(), later in tries()) {
        let mut world = World::send(draft);
        world.attempt_all(&tries);
        prop_assume!(world.envelope.status.ended_at().is_some());
        let (ended, trail) = (world.envelope.clone(), world.trail.clone());
        world.attempt_all(&later);
        prop_assert_eq!((world.envelope, world.trail), (ended, trail));
    }

    #[test]
    fn a_trail_breaks_from_the_entry_that_was_changed_on(
        draft in envelopes(),
        tries in tries(),
        place in any::<prop::sample::Index>(),
        change in 0_u8..10,
    ) {
        let mut world = World::send(draft);
        world.attempt_all(&tries);
        let mut links = world.trail;
        let at = place.index(links.len());
        let before = links.clone();
        tamper(&mut links, at, change);
        prop_assume!(links != before);
        let is_cut = change == 8 && at + 1 == before.len();
        let broken = Chain::from_links(links.clone()).verify();
        if is_cut {
            // What is cut off at the end is told by the envelope, which has the number and the last hash.
            prop_assert_eq!(broken, Ok(()));
            prop_assert_ne!(Chain::from_links(links).head(), world.envelope.trail.hash);
        } else {
            let number = broken.expect_err("it was changed").number;
            prop_assert!(number == at + 1 || (number == at + 2 && change == 7), "{number} for {at}");
        }
    }
}

fn tamper(links: &mut Vec<Link>, at: usize, change: u8) {
    let one = &mut links[at];
    match change {
        0 => one.entry.at = one.entry.at.plus(std::time::Duration::from_millis(1)),
        1 => one.entry.actor.push('x'),
        2 => one.entry.action.push('x'),
        3 => one.entry.ip = Some("192.0.2.1".to_owned()),
        4 => one.entry.user_agent = Some("another".to_owned()),
        5 => one.entry.details = Some(one.entry.details.take().unwrap_or_default() + "x"),
        6 => one.previous_hash = Digest::of(b"another"),
        7 => one.hash = Digest::of(b"another"),
        8 => drop(links.remove(at)),
        _ => {
            let other = (at + 1).min(links.len() - 1);
            links.swap(at, other);
        }
    }
}

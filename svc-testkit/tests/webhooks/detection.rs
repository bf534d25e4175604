//! Models and worlds detect a store that is broken on purpose, and name the violation.

use std::sync::Arc;

use svc_testkit::simulation::run;
use svc_testkit::webhooks::MemoryWebhooks;
use svc_testkit::webhooks::steps::{Divergence, History, play};

use crate::broken::{Broken, Fault};
use crate::histories;

/// Worlds in which a fault must show.
const WORLDS: u64 = 40;

/// Histories in which it must.
const HISTORIES: u32 = 400;

macro_rules! seen {
    ($($name:ident: $fault:ident, $($words:literal)|+;)*) => {$(
        #[test]
        fn $name() {
            sees(Fault::$fault, &[$($words),+]);
        }
    )*};
}

seen! {
    a_settlement_under_any_lease_is_seen: SettlesUnderAnyLease, "of the leases stood";
    a_settlement_that_is_not_written_is_seen: ForgetsSettlements, "of the leases stood" | "has ended" | "is still";
    a_failure_that_is_written_as_an_arrival_is_seen: SettlesEverythingAsArrived, "no receiver has accepted it" | "after a failure";
    events_that_are_taken_before_their_deliveries_are_added_are_seen: TakesEventsFirst, "was acknowledged and never went to";
    a_commit_that_is_not_made_is_seen: LosesCommits, "was acknowledged and never went to" | "was made by no server" | "no server leased it";
    a_second_delivery_of_an_event_is_seen: FansOutTwice, "was made by no server" | "asked for by no caller";
    a_lease_that_is_given_twice_is_seen: LeasesTwice, "is leased already" | "has ended";
    a_claim_before_the_time_is_seen: ClaimsEarly, "before it was due" | "is leased already";
    a_subscription_from_a_cache_is_seen: RemembersSubscriptions, "switched off" | "signature" | "goes to where" | "removed before";
    a_secret_from_before_its_rotation_is_seen: RemembersSecrets, "its signature is of no secret of the time";
    a_body_of_another_event_is_seen: MixesBodies, "its body is not that of its event";
    later_attempts_that_are_never_claimed_are_seen: LeavesRetries, "deliveries wait";
    leases_that_never_end_are_seen: LeasesForEver, "deliveries wait";
}

/// All but one: nothing crashes in a history, so what is done in two commits does no harm there.
#[test]
fn a_history_beside_the_model_shows_what_is_broken() {
    for fault in Fault::ALL.into_iter().filter(|fault| *fault != Fault::TakesEventsFirst) {
        let lives = |history: &History, memory: &MemoryWebhooks| -> Result<(), Divergence> {
            let broken = Broken::new(memory.clone(), fault);
            histories::block_on(play(histories::subject(&broken, memory), 1, history)).map(|_| ())
        };
        let shown = histories::first_divergence(HISTORIES, lives);
        let shown = shown.unwrap_or_else(|| panic!("{fault:?} is not seen in {HISTORIES} histories"));
        assert!(shown.lines().count() < 200, "{fault:?} is told at length: {shown}");
    }
}

fn sees(fault: Fault, words: &[&str]) {
    let found = (0..WORLDS).find_map(|seed| run(seed, |memory| Arc::new(Broken::new(memory, fault))).err());
    let violation = found.unwrap_or_else(|| panic!("{fault:?} is not seen in {WORLDS} worlds"));
    assert!(words.iter().any(|words| violation.what.contains(words)), "{fault:?}: {}", violation.what);
    assert!(violation.transcript.last().is_some(), "what happened is told");
    assert!(violation.to_string().contains(&format!("seed {}", violation.seed)));
}

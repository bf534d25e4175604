//! What every memory of seen events does: the contract suite of [`svc_webhooks::seen::Seen`].

mod claims;

use std::time::Duration;

use svc_webhooks::seen::Seen;

use crate::contract::contract;

/// An empty memory, and how long it holds what it is told.
pub trait Fixture: Send + Sync {
    /// The memory.
    fn seen(&self) -> &dyn Seen;

    /// How long a claim keeps others away.
    fn lease(&self) -> Duration;

    /// How long a done event is remembered at least; longer than a lease.
    fn window(&self) -> Duration;
}

contract! {
    $
    /// Generates one `#[tokio::test]` per case of the contract of seen events.
    ///
    /// `make` names an `async fn()` that gives an empty memory: anything that
    /// dereferences to a [`Fixture`](crate::seen::Fixture). With `try_make` it gives
    /// an `Option`, and `None` (the engine is not on this machine) ends the case.
    seen_contract by contract_tests at seen::cases {
        claims:
            one_at_a_time_has_an_event,
            a_finished_event_is_a_repeat_throughout_the_window,
            a_released_event_can_be_claimed_at_once,
            events_are_apart,
            a_claim_lapses_at_its_end_and_not_before,
            the_failure_of_a_lapsed_claim_takes_nothing_away,
            the_success_of_a_lapsed_claim_counts,
            a_failure_after_a_late_success_changes_nothing,
            of_many_claims_at_once_one_is_the_first;
    }
}

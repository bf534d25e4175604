//! What every idempotency store does.

mod claims;

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::idempotency::IdempotencyStore;
use svc_core::unit::UnitOfWork;

use crate::contract::contract;

/// A store together with the units of work that keep replies in it.
#[async_trait]
pub trait Fixture: Send + Sync {
    /// The store.
    fn store(&self) -> &dyn IdempotencyStore;

    /// Opens a unit of work whose replies go to this store.
    async fn begin(&self) -> Result<Box<dyn UnitOfWork>, StoreError>;
}

contract! {
    $
    /// Generates one `#[tokio::test]` per case of the idempotency contract.
    ///
    /// `make` names an `async fn()` that gives an empty store: anything that
    /// dereferences to a [`Fixture`](crate::idempotency::Fixture). With `try_make`
    /// it gives an `Option`, and `None` (the engine is not on this machine) ends the
    /// case: the function says so on the console.
    ///
    /// ```
    /// mod memory {
    ///     async fn make() -> Box<svc_testkit::webhooks::MemoryWebhooks> {
    ///         Box::default()
    ///     }
    ///     svc_testkit::idempotency_contract! { make: make }
    /// }
    /// ```
    idempotency_contract by contract_tests at idempotency::cases {
        claims:
            a_claimed_key_runs_once_until_its_reply_is_kept,
            a_key_is_never_good_for_another_request,
            keys_of_different_callers_are_apart,
            a_reply_goes_with_the_unit_that_keeps_it,
            a_dead_claim_is_taken_over_after_its_lease,
            an_overtaken_run_keeps_no_reply,
            a_released_key_can_be_claimed_at_once,
            only_the_holder_releases,
            a_reply_is_kept_for_a_day,
            purge_forgets_what_was_claimed_before,
            purge_forgets_however_many_there_are,
            of_many_claims_at_once_one_holds;
    }
}

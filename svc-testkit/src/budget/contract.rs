//! What every store of shared budgets does.

mod interleavings;
mod months;
mod remainders;

use svc_auth::limit::Limits;
use svc_auth::ports::{BudgetStore, Draw, Drawn};
use svc_core::clock::Timestamp;
use svc_core::id::AccountId;

use crate::business::sample::id;
use crate::contract::contract;

contract! {
    $
    /// Generates one `#[tokio::test]` per case of the contract of shared budgets.
    ///
    /// `make` names an `async fn()` that gives an empty store: anything that
    /// dereferences to a `BudgetStore`, for example `Arc<dyn BudgetStore>`. With
    /// `try_make` it gives an `Option`, and `None` (the engine is not on this
    /// machine) ends the case: the function says so on the console.
    ///
    /// The cases make up their companies.
    ///
    /// ```
    /// mod memory {
    ///     async fn make() -> Box<svc_testkit::budget::MemoryBudgets> {
    ///         Box::default()
    ///     }
    ///     svc_testkit::budget_contract! { make: make }
    /// }
    /// ```
    budget_contract by contract_tests at budget::cases {
        months:
            a_minute_grants_its_budget_and_the_last_draw_the_rest,
            a_minute_is_full_again_in_the_next_one,
            each_company_has_budgets_of_its_own,
            a_smaller_limit_than_what_is_used_grants_nothing,
            a_draw_of_nothing_tells_what_is_used,
            a_month_grants_its_budget_and_the_last_draw_the_rest,
            a_month_is_full_again_on_its_first_day;
        remainders:
            what_is_given_back_in_its_minute_can_be_drawn_again,
            what_is_given_back_later_widens_its_own_minute_and_the_month,
            what_was_drawn_last_month_widens_no_budget_of_this_one,
            more_than_was_drawn_is_never_given_back;
        interleavings:
            clocks_that_disagree_draw_from_windows_of_their_own,
            a_clock_that_ran_days_ahead_takes_nothing_from_the_present_minute,
            draws_at_once_never_pass_the_budget,
            no_interleaving_passes_a_budget;
    }
}

type Store<'a> = &'a dyn BudgetStore;

/// More than any case draws.
const PLENTY: u64 = 1_000_000;

fn at(text: &str) -> Timestamp {
    text.parse().expect("an instant")
}

fn acme() -> AccountId {
    id(1)
}

const fn limits(per_minute: u32, per_month: u64) -> Limits {
    Limits { per_minute, per_month }
}

/// Draws for Acme with nothing to give back.
async fn draw(store: Store<'_>, wanted: u32, limits: Limits, now: Timestamp) -> Drawn {
    let draw = Draw { wanted, unused: 0, drawn_at: now };
    store.draw(acme(), draw, limits, now).await.expect("drawn")
}

/// Draws for Acme and gives back what was drawn earlier.
async fn give_back(
    store: Store<'_>,
    (unused, drawn_at): (u32, Timestamp),
    wanted: u32,
    limits: Limits,
    now: Timestamp,
) -> Drawn {
    let draw = Draw { wanted, unused, drawn_at };
    store.draw(acme(), draw, limits, now).await.expect("drawn")
}

const fn drawn(granted: u32, minute_used: u32, month_used: u64) -> Drawn {
    Drawn { granted, minute_used, month_used }
}

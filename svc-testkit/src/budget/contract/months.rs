//! Minutes and months, each with a budget.

use svc_auth::ports::Draw;

use super::{PLENTY, Store, acme, at, draw, drawn, limits};
use crate::business::sample::id;

/// What is refused is not counted.
pub async fn a_minute_grants_its_budget_and_the_last_draw_the_rest(store: Store<'_>) {
    let (limits, now) = (limits(10, PLENTY), at("2026-03-10T10:00:30.000Z"));
    assert_eq!(draw(store, 4, limits, now).await, drawn(4, 4, 4));
    assert_eq!(draw(store, 4, limits, now).await, drawn(4, 8, 8));
    assert_eq!(draw(store, 4, limits, now).await, drawn(2, 10, 10));
    for _ in 0..3 {
        assert_eq!(draw(store, 4, limits, now).await, drawn(0, 10, 10));
    }
}

/// The minute is that of the clock, and what it did not use is gone.
pub async fn a_minute_is_full_again_in_the_next_one(store: Store<'_>) {
    let limits = limits(10, PLENTY);
    assert_eq!(draw(store, 7, limits, at("2026-03-10T10:00:00.000Z")).await, drawn(7, 7, 7));
    assert_eq!(draw(store, 7, limits, at("2026-03-10T10:00:59.999Z")).await, drawn(3, 10, 10));
    assert_eq!(draw(store, 7, limits, at("2026-03-10T10:01:00.000Z")).await, drawn(7, 7, 17));
    assert_eq!(draw(store, 70, limits, at("2026-03-10T11:01:00.000Z")).await, drawn(10, 10, 27));
}

/// No company pays for another one.
pub async fn each_company_has_budgets_of_its_own(store: Store<'_>) {
    let (limits, now) = (limits(3, 3), at("2026-03-10T10:00:00.000Z"));
    let other = Draw { wanted: 2, unused: 0, drawn_at: now };
    assert_eq!(draw(store, 3, limits, now).await, drawn(3, 3, 3));
    assert_eq!(store.draw(id(2), other, limits, now).await.expect("drawn"), drawn(2, 2, 2));
    assert_eq!(draw(store, 3, limits, now).await, drawn(0, 3, 3));
    assert_ne!(acme(), id(2));
}

/// Lowering a limit causes no overflow.
pub async fn a_smaller_limit_than_what_is_used_grants_nothing(store: Store<'_>) {
    let now = at("2026-03-10T10:00:00.000Z");
    assert_eq!(draw(store, 8, limits(10, PLENTY), now).await, drawn(8, 8, 8));
    assert_eq!(draw(store, 1, limits(5, PLENTY), now).await, drawn(0, 8, 8));
    assert_eq!(draw(store, 1, limits(10, 5), now).await, drawn(0, 8, 8));
    assert_eq!(draw(store, 1, limits(0, 0), now).await, drawn(0, 8, 8));
    assert_eq!(draw(store, 9, limits(u32::MAX, u64::MAX), now).await, drawn(9, 17, 17));
}

/// Also for a company that never drew.
pub async fn a_draw_of_nothing_tells_what_is_used(store: Store<'_>) {
    let (limits, now) = (limits(10, 20), at("2026-03-10T10:00:00.000Z"));
    assert_eq!(draw(store, 0, limits, now).await, drawn(0, 0, 0));
    assert_eq!(draw(store, 6, limits, now).await, drawn(6, 6, 6));
    assert_eq!(draw(store, 0, limits, now).await, drawn(0, 6, 6));
    let next = at("2026-03-10T10:01:00.000Z");
    assert_eq!(draw(store, 0, limits, next).await, drawn(0, 0, 6));
}

/// Also where the minute would grant more.
pub async fn a_month_grants_its_budget_and_the_last_draw_the_rest(store: Store<'_>) {
    let limits = limits(10, 24);
    assert_eq!(draw(store, 10, limits, at("2026-03-10T10:00:00.000Z")).await, drawn(10, 10, 10));
    assert_eq!(draw(store, 10, limits, at("2026-03-10T10:01:00.000Z")).await, drawn(10, 10, 20));
    assert_eq!(draw(store, 10, limits, at("2026-03-10T10:02:00.000Z")).await, drawn(4, 4, 24));
    assert_eq!(draw(store, 10, limits, at("2026-03-10T10:02:00.000Z")).await, drawn(0, 4, 24));
    assert_eq!(draw(store, 10, limits, at("2026-03-31T23:59:59.999Z")).await, drawn(0, 0, 24));
}

/// By UTC, over the turn of the year, and after months without a request.
pub async fn a_month_is_full_again_on_its_first_day(store: Store<'_>) {
    let limits = limits(10, 10);
    for first in ["2026-01-31T23:59:30.000Z", "2026-02-01T00:00:00.000Z", "2026-12-01T00:00:00.000Z"] {
        assert_eq!(draw(store, 99, limits, at(first)).await, drawn(10, 10, 10), "{first}");
        assert_eq!(draw(store, 99, limits, at(first)).await, drawn(0, 10, 10), "{first}");
    }
    assert_eq!(draw(store, 4, limits, at("2027-01-01T00:00:00.000Z")).await, drawn(4, 4, 4));
    // The same month of another year.
    assert_eq!(draw(store, 4, limits, at("2028-01-01T00:00:00.000Z")).await, drawn(4, 4, 4));
}

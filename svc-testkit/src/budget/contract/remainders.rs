//! What was drawn and not used.

use super::{PLENTY, Store, at, draw, drawn, give_back, limits};

/// By the one that gives it back, in the same draw, and by others.
pub async fn what_is_given_back_in_its_minute_can_be_drawn_again(store: Store<'_>) {
    let (limits, now) = (limits(10, 10), at("2026-03-10T10:00:10.000Z"));
    draw(store, 10, limits, now).await;
    let later = at("2026-03-10T10:00:50.000Z");
    assert_eq!(give_back(store, (4, now), 3, limits, later).await, drawn(3, 9, 9));
    assert_eq!(draw(store, 9, limits, later).await, drawn(1, 10, 10));
    // Nothing is wanted, and what comes back is kept for others.
    assert_eq!(give_back(store, (2, later), 0, limits, later).await, drawn(0, 8, 8));
    assert_eq!(draw(store, 9, limits, later).await, drawn(2, 10, 10));
}

/// The next minute grants no more for it.
pub async fn what_is_given_back_later_widens_its_own_minute_and_the_month(store: Store<'_>) {
    let limits = limits(10, 15);
    let now = at("2026-03-10T10:00:10.000Z");
    assert_eq!(draw(store, 10, limits, now).await, drawn(10, 10, 10));
    let next = at("2026-03-10T10:01:00.000Z");
    assert_eq!(draw(store, 3, limits, next).await, drawn(3, 3, 13));
    assert_eq!(give_back(store, (6, now), 0, limits, next).await, drawn(0, 3, 7));
    assert_eq!(draw(store, 99, limits, next).await, drawn(7, 10, 14));
    // A process whose clock is behind may still use it.
    assert_eq!(draw(store, 99, limits, now).await, drawn(1, 5, 15));
}

/// Otherwise the rests of January would be requests beyond February's budget.
pub async fn what_was_drawn_last_month_widens_no_budget_of_this_one(store: Store<'_>) {
    let limits = limits(10, 10);
    let last = at("2026-01-31T23:59:59.000Z");
    assert_eq!(draw(store, 10, limits, last).await, drawn(10, 10, 10));
    let first = at("2026-02-01T00:00:00.000Z");
    assert_eq!(draw(store, 8, limits, first).await, drawn(8, 8, 8));
    assert_eq!(give_back(store, (6, last), 9, limits, first).await, drawn(2, 10, 10));
    // Nor that of the same month a year ago.
    let year_ago = at("2025-02-01T00:00:00.000Z");
    assert_eq!(give_back(store, (6, year_ago), 9, limits, first).await, drawn(0, 10, 10));
}

/// A count never falls below nothing.
pub async fn more_than_was_drawn_is_never_given_back(store: Store<'_>) {
    let (limits, now) = (limits(10, PLENTY), at("2026-03-10T10:00:10.000Z"));
    assert_eq!(draw(store, 2, limits, now).await, drawn(2, 2, 2));
    assert_eq!(give_back(store, (u32::MAX, now), 0, limits, now).await, drawn(0, 0, 0));
    assert_eq!(draw(store, 99, limits, now).await, drawn(10, 10, 10));
}

use proptest::prelude::*;
use time::macros::date;

use super::*;

#[test]
fn the_later_of_two_locks_counts() {
    let locks = Locks { lock: Some(date!(2025 - 03 - 31)), hard: Some(date!(2024 - 12 - 31)), tax: None };
    assert_eq!(locks.effective(), Some(date!(2025 - 03 - 31)));
    assert_eq!(locks.locked_to(None).effective(), Some(date!(2024 - 12 - 31)));
    assert_eq!(Locks::default().effective(), None);
}

#[test]
fn a_locked_date_is_locked_itself() {
    let locks = Locks { lock: Some(date!(2025 - 03 - 31)), ..Locks::default() };
    let refused = PeriodLocked { date: date!(2025 - 03 - 31), through: date!(2025 - 03 - 31) };
    assert_eq!(locks.judge(date!(2025 - 03 - 31)), Err(refused));
    assert_eq!(locks.judge(date!(2025 - 04 - 01)), Ok(()));
}

#[test]
fn a_submitted_return_locks_tags_and_no_entries() {
    let locks = Locks::default().submitted(date!(2025 - 03 - 31));
    assert_eq!(locks.judge(date!(2025 - 03 - 15)), Ok(()));
    let refused = TaxPeriodSubmitted { date: date!(2025 - 03 - 15), through: date!(2025 - 03 - 31) };
    assert_eq!(locks.judge_tax(date!(2025 - 03 - 15)), Err(refused));
    assert_eq!(locks.judge_tax(date!(2025 - 04 - 01)), Ok(()));
    assert_eq!(locks.submitted(date!(2024 - 12 - 31)), locks);
}

#[test]
fn a_hard_lock_cannot_be_taken_away() {
    let locks = Locks::default().hard_locked_to(Some(date!(2024 - 12 - 31))).expect("there was none");
    assert_eq!(locks.hard_locked_to(None), Err(HardLockMovesForward { present: date!(2024 - 12 - 31) }));
    assert_eq!(locks.hard_locked_to(Some(date!(2024 - 12 - 31))), Ok(locks));
}

proptest! {
    #[test]
    fn no_sequence_of_moves_sets_a_hard_lock_back(days in prop::collection::vec(prop::option::of(0_i64..10_000), 1..20)) {
        let mut locks = Locks::default();
        for day in days {
            let date = day.map(|day| date!(2000-01-01) + time::Duration::days(day));
            let before = locks.hard;
            if let Ok(moved) = locks.hard_locked_to(date) {
                locks = moved;
            }
            prop_assert!(locks.hard >= before);
        }
    }
}

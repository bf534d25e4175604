use svc_core::clock::Timestamp;

use super::*;
use crate::books::fiscal_year::{ClosingEntries, YearRefused};
use crate::books::lock::{PeriodLocked, TaxPeriodSubmitted};

#[test]
fn a_posted_entry_has_the_next_number_and_follows_the_last_hash() {
    let first = post(rent(), None).expect("posted");
    let second = post(sale(11), Some(head(&first))).expect("posted");
    let posting = |entry: &Entry| *entry.status.posting().expect("posted");
    assert_eq!((posting(&first).number, posting(&first).previous_hash), (1, None));
    assert_eq!((posting(&second).number, posting(&second).previous_hash), (2, Some(posting(&first).hash)));
    assert_eq!(second.status.name(), "posted");
}

#[test]
fn numbers_begin_again_with_each_year() {
    let last_of_2024 = Head { year: id(2024), number: 88, hash: EntryHash::from_bytes([1; 32]) };
    let first = post(rent(), Some(last_of_2024)).expect("posted");
    assert_eq!(
        first.status.posting().map(|posting| (posting.number, posting.previous_hash)),
        Some((1, None))
    );
}

#[test]
fn an_entry_is_posted_once() {
    let posted = post(rent(), None).expect("posted");
    assert_eq!(post(posted, None), Err(PostRefused::Posted));
}

#[test]
fn both_sides_must_be_the_same() {
    assert_eq!(
        invalid(draft(1, vec![line("6210000", "800.00"), line("5720000", "-799.99")])),
        ["lines entry_unbalanced"]
    );
    assert_eq!(invalid(draft(1, vec![line("6210000", "800.00")])), ["lines too_few"]);
    assert_eq!(invalid(draft(1, Vec::new())), ["lines too_few"]);
}

#[test]
fn a_sum_beyond_the_range_of_amounts_is_refused() {
    let most = Amount::from_minor(900_000_000_000_000, Currency::EUR).expect("in range");
    let lines = vec![
        line_of("6210000", most),
        line_of("6210000", most),
        line_of("5720000", most.negated()),
        line_of("5720000", most.negated()),
    ];
    assert_eq!(invalid(draft(1, lines)), ["lines out_of_range"]);
}

#[test]
fn a_date_must_be_in_an_open_year() {
    let outside = Entry { date: date!(2026 - 01 - 01), ..rent() };
    let none = YearRefused::None { date: outside.date };
    assert_eq!(post(outside, None), Err(PostRefused::Year(none)));
    let entries = ClosingEntries::default();
    let status = YearStatus::Closed { at: Timestamp::default(), by: None, entries };
    let year = FiscalYear { status, ..year() };
    let books = Books { locks: &Locks::default(), year: &year, head: None };
    let closed = YearRefused::Closed { date: rent().date, name: "2025".to_owned() };
    assert_eq!(rent().post(&accounts(), &books, at(0), None), Err(PostRefused::Year(closed)));
}

#[test]
fn a_locked_period_takes_no_entries() {
    let through = date!(2025 - 01 - 31);
    let locks = Locks::default().locked_to(Some(through));
    let books = Books { locks: &locks, year: &year(), head: None };
    let refused = PostRefused::Locked(PeriodLocked { date: through, through });
    assert_eq!(rent().post(&accounts(), &books, at(0), None), Err(refused));
    let later = Entry { date: date!(2025 - 02 - 01), ..rent() };
    assert!(later.post(&accounts(), &books, at(0), None).is_ok());
}

#[test]
fn a_submitted_return_takes_no_tags_and_still_takes_payments() {
    let (date, through) = (date!(2025 - 01 - 31), date!(2025 - 03 - 31));
    let locks = Locks::default().submitted(through);
    let books = Books { locks: &locks, year: &year(), head: None };
    let refused = PostRefused::Submitted(TaxPeriodSubmitted { date, through });
    assert_eq!(sale(1).post(&accounts(), &books, at(0), None), Err(refused));
    assert!(rent().post(&accounts(), &books, at(0), None).is_ok());
}

#[test]
fn only_a_manual_draft_is_changed_by_hand() {
    assert_eq!(rent().judge_change(), Ok(()));
    assert_eq!(sale(1).judge_change(), Err(ChangeRefused::NotManual));
    assert_eq!(sale(1).judge_source_change(), Ok(()));
    let posted = post(rent(), None).expect("posted");
    assert_eq!(posted.judge_change(), Err(ChangeRefused::Posted));
    assert_eq!(posted.judge_source_change(), Err(ChangeRefused::Posted));
}

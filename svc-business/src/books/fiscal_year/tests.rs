mod lines;

use svc_core::id::{FiscalYearId, TypedId};
use time::macros::date;
use uuid::Uuid;

use super::*;
use crate::books::lock::{Locks, PeriodLocked};

fn id<T: TypedId>(number: u128) -> T {
    T::from_uuid(Uuid::from_u128(number))
}

fn span(start: Date, end: Date) -> Span {
    Span::new(start, end).expect("a fiscal year")
}

fn year(of: i32) -> FiscalYear {
    let day = |month, day| Date::from_calendar_date(of, month, day).expect("a date");
    FiscalYear {
        id: id::<FiscalYearId>(of.unsigned_abs().into()),
        company: id(1),
        name: of.to_string(),
        span: span(day(time::Month::January, 1), day(time::Month::December, 31)),
        status: YearStatus::Open,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: Timestamp::default(),
        updated_at: Timestamp::default(),
    }
}

fn closed(of: i32) -> FiscalYear {
    year(of).close(entries(), Timestamp::default(), None).expect("it was open")
}

fn entries() -> ClosingEntries {
    ClosingEntries { regularisation: Some(id(61)), closing: Some(id(62)), opening: Some(id(63)) }
}

#[test]
fn a_year_has_twelve_months_at_most() {
    let from = date!(2025 - 07 - 01);
    assert!(Span::new(from, date!(2026 - 06 - 30)).is_ok());
    assert_eq!(Span::new(from, date!(2026 - 07 - 01)), Err(SpanError::TooLong));
    assert_eq!(Span::new(from, date!(2025 - 06 - 30)), Err(SpanError::Backwards));
    assert!(Span::new(from, from).is_ok());
    assert!(Span::new(date!(2024 - 02 - 29), date!(2025 - 02 - 28)).is_ok());
}

#[test]
fn twelve_months_follow_a_year() {
    let short = span(date!(2025 - 03 - 10), date!(2025 - 12 - 31));
    assert_eq!(short.following(), Some(span(date!(2026 - 01 - 01), date!(2026 - 12 - 31))));
    let to_february = span(date!(2023 - 03 - 01), date!(2024 - 02 - 29));
    assert_eq!(to_february.following(), Some(span(date!(2024 - 03 - 01), date!(2025 - 02 - 28))));
    let odd = span(date!(2025 - 01 - 11), date!(2026 - 01 - 10));
    assert_eq!(odd.following(), Some(span(date!(2026 - 01 - 11), date!(2027 - 01 - 10))));
}

#[test]
fn a_new_year_shares_no_day_and_leaves_no_gap() {
    let years = [year(2024), year(2025)];
    let code = |start, end| judge_place(&years, span(start, end)).map_err(|errors| errors.0[0].code);
    assert_eq!(code(date!(2026 - 01 - 01), date!(2026 - 12 - 31)), Ok(()));
    assert_eq!(code(date!(2023 - 05 - 01), date!(2023 - 12 - 31)), Ok(()));
    assert_eq!(code(date!(2025 - 12 - 31), date!(2026 - 12 - 30)), Err("fiscal_year_overlap"));
    assert_eq!(code(date!(2026 - 01 - 02), date!(2026 - 12 - 31)), Err("fiscal_year_gap"));
    assert_eq!(judge_place(&[], year(2025).span), Ok(()));
}

#[test]
fn entries_are_posted_in_the_open_year_of_their_date() {
    let years = [closed(2024), year(2025)];
    assert_eq!(open_year(&years, date!(2025 - 06 - 01)).map(|year| year.id), Ok(id(2025)));
    let date = date!(2024 - 06 - 01);
    assert_eq!(open_year(&years, date), Err(YearRefused::Closed { date, name: "2024".to_owned() }));
    let date = date!(2026 - 06 - 01);
    assert_eq!(open_year(&years, date), Err(YearRefused::None { date }));
}

#[test]
fn years_are_closed_one_after_the_other_and_without_drafts() {
    assert_eq!(year(2025).judge_close(0, Some(&closed(2024))), Ok(()));
    assert_eq!(year(2025).judge_close(0, None), Ok(()));
    let open = CloseRefused::PreviousOpen { name: "2024".to_owned() };
    assert_eq!(year(2025).judge_close(0, Some(&year(2024))), Err(open));
    assert_eq!(year(2025).judge_close(2, None), Err(CloseRefused::Drafts { count: 2 }));
    assert_eq!(closed(2025).judge_close(0, None), Err(CloseRefused::Closed));
    assert_eq!(closed(2025).close(entries(), Timestamp::default(), None), Err(CloseRefused::Closed));
}

#[test]
fn a_reopened_year_hands_back_what_closed_it() {
    let locks = Locks::default();
    let (reopened, to_reverse) = closed(2025).reopen(Some(&year(2026)), &locks).expect("reopened");
    assert_eq!((reopened, to_reverse), (year(2025), entries()));
    assert_eq!(entries().iter().collect::<Vec<_>>(), [id(61), id(62), id(63)]);
}

#[test]
fn a_year_that_others_rely_on_stays_closed() {
    let locks = Locks::default();
    assert_eq!(year(2025).reopen(None, &locks), Err(ReopenRefused::Open));
    let next = ReopenRefused::NextClosed { name: "2026".to_owned() };
    assert_eq!(closed(2025).reopen(Some(&closed(2026)), &locks), Err(next));
    let through = date!(2025 - 12 - 31);
    let locked = locks.locked_to(Some(through));
    let refused = ReopenRefused::Locked(PeriodLocked { date: through, through });
    assert_eq!(closed(2025).reopen(None, &locked), Err(refused));
}

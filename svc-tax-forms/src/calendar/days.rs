//! Natural and working days (Ley 39/2015 art. 30).

use std::collections::BTreeSet;

use time::{Date, Duration, Month, Weekday};

/// The holidays of the whole country (Estatuto de los Trabajadores art. 37.2, RD 2001/1983 art. 45), and those of a
/// region and a town that the caller names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holidays {
    local: BTreeSet<Date>,
}

/// Those that are on the same day of each year. Regions may move some; the days that they move to are local.
const FIXED: [(Month, u8); 9] = [
    (Month::January, 1),
    (Month::January, 6),
    (Month::May, 1),
    (Month::August, 15),
    (Month::October, 12),
    (Month::November, 1),
    (Month::December, 6),
    (Month::December, 8),
    (Month::December, 25),
];

impl Holidays {
    /// Those of the whole country alone.
    #[must_use]
    pub fn national() -> Self {
        Self::default()
    }

    /// With those of a region and a town.
    #[must_use]
    pub fn with_local(local: impl IntoIterator<Item = Date>) -> Self {
        Self { local: local.into_iter().collect() }
    }

    /// Whether a date is a holiday, on whatever day of the week.
    #[must_use]
    pub fn is_holiday(&self, date: Date) -> bool {
        let good_friday = easter(date.year()).saturating_sub(Duration::days(2));
        FIXED.contains(&(date.month(), date.day())) || date == good_friday || self.local.contains(&date)
    }

    /// Whether a date counts among working days: no Saturday, no Sunday, no holiday (art. 30.2).
    #[must_use]
    pub fn is_working_day(&self, date: Date) -> bool {
        !matches!(date.weekday(), Weekday::Saturday | Weekday::Sunday) && !self.is_holiday(date)
    }

    /// The date, or the first working day after it: where a term ends that would end on it (art. 30.5).
    #[must_use]
    pub fn next_working_day(&self, date: Date) -> Date {
        let mut day = date;
        while !self.is_working_day(day) && day < Date::MAX {
            day = day.saturating_add(Duration::DAY);
        }
        day
    }

    /// The working day that a term of so many ends on, counted from the day after (art. 30.2 and 30.3).
    #[must_use]
    pub fn add_working_days(&self, date: Date, days: u32) -> Date {
        let mut day = date;
        for _ in 0..days {
            if day == Date::MAX {
                break;
            }
            day = self.next_working_day(day.saturating_add(Duration::DAY));
        }
        day
    }
}

/// The day that so many natural days end on, counted from the day after (art. 30.2 and 30.3).
///
/// A notification at the electronic address that is not opened counts as rejected after ten (art. 43.2). Where a term
/// moves to the next working day, pass it to [`Holidays::next_working_day`].
#[must_use]
pub fn add_natural_days(date: Date, days: u32) -> Date {
    date.saturating_add(Duration::days(i64::from(days)))
}

/// Easter Sunday of a year of the Gregorian calendar, by the computation of Gauss as Butcher wrote it (Meeus,
/// Astronomical Algorithms, chapter 8).
#[must_use]
pub fn easter(year: i32) -> Date {
    let golden = year.rem_euclid(19);
    let (century, of_century) = (year.div_euclid(100), year.rem_euclid(100));
    let leap_centuries = century.div_euclid(4);
    let correction = (century + 8).div_euclid(25);
    let moon = (century - correction + 1).div_euclid(3);
    let epact = (19 * golden + century - leap_centuries - moon + 15).rem_euclid(30);
    let leap_years = of_century.div_euclid(4);
    let weekday =
        (32 + 2 * century.rem_euclid(4) + 2 * leap_years - epact - of_century.rem_euclid(4)).rem_euclid(7);
    let late = (golden + 11 * epact + 22 * weekday).div_euclid(451);
    let days = epact + weekday - 7 * late + 114;
    let month = if days.div_euclid(31) == 3 { Month::March } else { Month::April };
    let day = u8::try_from(days.rem_euclid(31) + 1).unwrap_or(1);
    Date::from_calendar_date(year, month, day).unwrap_or(Date::MAX)
}

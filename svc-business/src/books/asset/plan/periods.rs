//! The spans for which instalments are due.

use time::Date;

use super::{Frequency, Schedule};
use crate::books::calendar::month_end;

/// The last day of the period that this day is in; `None` past the end of the calendar.
pub(super) fn period_end(schedule: Schedule, date: Date) -> Option<Date> {
    let length = match schedule.frequency {
        Frequency::Monthly => 1,
        Frequency::Quarterly => 3,
        Frequency::Yearly => 12,
    };
    // Months since the last beginning of a fiscal year: 0 to 11.
    let month = u32::from(u8::from(date.month())).checked_add(12)?;
    let into_year = month.checked_sub(u32::from(u8::from(schedule.year_start)))?.checked_rem(12)?;
    let into_period = into_year.checked_rem(length)?;
    month_end(date, length.checked_sub(1)?.checked_sub(into_period)?)
}

//! By when a notice is to be answered: a day, or a term from the day on which it was served (Ley 39/2015, article 30).

use svc_core::error::Validator;
use svc_core::patch::Patch;
use svc_tax_forms::calendar::{Holidays, add_natural_days};
use time::Date;

use super::{Notice, NoticeKind, NoticePatch, NoticeStatus};
use crate::account::Account;
use crate::party::date;

/// Days of a term: a year of them and a day.
const MOST: u32 = 366;

/// Which days a term counts.
#[derive(Clone, Copy)]
enum Days {
    Working,
    Natural,
}

impl Days {
    /// The member that says such a term, and what it says.
    const fn of(self, input: &NoticePatch) -> (&'static str, &Patch<u32>) {
        match self {
            Self::Working => ("responseWorkingDays", &input.response_working_days),
            Self::Natural => ("responseNaturalDays", &input.response_natural_days),
        }
    }

    /// The last day of a term from the day after `from`, which is a working day.
    fn end(self, from: Date, days: u32) -> Date {
        let holidays = Holidays::national();
        match self {
            Self::Working => holidays.add_working_days(from, days),
            Self::Natural => holidays.next_working_day(add_natural_days(from, days)),
        }
    }
}

/// Applies what a patch says of the day to `day`.
///
/// Findings are on `responseWorkingDays` and `responseNaturalDays`: `not_allowed` where two of them are said, and
/// `not_served` of a term whose beginning is not known yet.
pub(super) fn respond(
    validator: &mut Validator,
    company: &Account,
    notice: &Notice,
    input: &NoticePatch,
    day: &mut Option<Date>,
) {
    date(validator, "responseDueOn", &input.response_due_on, day);
    let mut is_said = !input.response_due_on.is_absent();
    for kind in [Days::Working, Days::Natural] {
        let (field, term) = kind.of(input);
        let Patch::Value(days) = *term else {
            validator.require(term.is_absent(), field, "required", "must not be null: clear responseDueOn");
            continue;
        };
        let message = format!("expected 1 to {MOST} days");
        let is_term = validator.require((1..=MOST).contains(&days), field, "out_of_range", message);
        let message = "say the last day, or one term";
        let is_alone = validator.require(!is_said, field, "not_allowed", message);
        is_said = true;
        let Some(served) = served_on(company, notice) else {
            let message = "the term begins once the notification is accessed or rejected, or expires";
            validator.fail(field, "not_served", message);
            continue;
        };
        if is_term && is_alone {
            *day = Some(kind.end(served, days));
        }
    }
}

/// The day on which a notification was served, by the calendar of the company.
fn served_on(company: &Account, notice: &Notice) -> Option<Date> {
    let served = match notice.status {
        NoticeStatus::Available => None,
        NoticeStatus::Accessed { at, .. } | NoticeStatus::Rejected { at, .. } => Some(company.local_date(at)),
        NoticeStatus::Expired => notice.expires_on,
    };
    served.filter(|_| notice.kind == NoticeKind::Notification)
}

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
    let holidays = Holidays::national();
    let working = |from, days| holidays.add_working_days(from, days);
    let natural = |from, days| holidays.next_working_day(add_natural_days(from, days));
    let terms: [(&str, &Patch<u32>, &dyn Fn(Date, u32) -> Date); 2] = [
        ("responseWorkingDays", &input.response_working_days, &working),
        ("responseNaturalDays", &input.response_natural_days, &natural),
    ];
    let mut is_said = !input.response_due_on.is_absent();
    for (field, term, end) in terms {
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
            *day = Some(end(served, days));
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

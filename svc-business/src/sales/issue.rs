//! Issuing a document: it gets its number, and what it says is fixed.

mod guards;

use svc_core::error::{ValidationErrors, Validator};
use svc_core::money::{Amount, Currency};
use thiserror::Error;
use time::{Date, Duration};

use crate::books::lock::{Locks, PeriodLocked, TaxPeriodSubmitted};
use crate::sales::document::{
    Action, Customer, Ids, Issue, Issuer, Plan, SalesDocument, Settlement, WrongState,
};
use crate::sales::rectify::{RectifyRefused, Settled, settle};
use crate::sales::series::{Exhausted, Series};

/// What is said with the issue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IssueTerms {
    /// The day of issue; of the plan, or else today.
    pub issue_date: Option<Date>,
    /// Tax that falls due in a period whose return has gone out is declared with the day of issue.
    pub accept_late_tax: bool,
}

/// What an issue is judged by.
#[derive(Clone)]
pub struct IssueSetting<'a> {
    /// Today by the company's calendar.
    pub today: Date,
    /// The instant, and ids.
    pub ids: Ids<'a>,
    /// The series of the document, locked until it is kept.
    pub series: Series,
    /// The customer as it is now.
    pub customer: Option<Customer>,
    /// The company as it is now.
    pub issuer: Issuer,
    /// In how many days the customer pays, 0 to 365.
    pub term_days: u16,
    /// How large a simplified invoice may be.
    pub simplified_limit: SimplifiedLimit,
    /// The dates that lock the books.
    pub locks: &'a Locks,
    /// The documents that this one puts right, locked until they are kept.
    pub originals: Vec<SalesDocument>,
}

/// How large a simplified invoice may be, tax included (RD 1619/2012 art. 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SimplifiedLimit {
    /// 400 euros.
    #[default]
    Usual,
    /// 3,000 euros, in the sectors of art. 4.2: retail, hostelry, transport of persons and others.
    Extended,
}

/// What an issue changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issued {
    /// The document.
    pub document: SalesDocument,
    /// Its series with the number given.
    pub series: Series,
    /// The documents that it puts right, each of them changed.
    pub originals: Vec<SalesDocument>,
}

/// Why a document cannot be issued.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum IssueRefused {
    /// It is no draft: `invoice_issued` or `invoice_voided`, a conflict.
    #[error(transparent)]
    State(#[from] WrongState),
    /// The day of issue is locked: `period_locked`, a conflict.
    #[error(transparent)]
    Locked(#[from] PeriodLocked),
    /// The return of its tax has gone out: `tax_period_submitted`, a conflict.
    #[error(transparent)]
    Submitted(#[from] TaxPeriodSubmitted),
    /// It cannot put right what it names.
    #[error(transparent)]
    Rectify(#[from] RectifyRefused),
    /// The series has no number left: `series_exhausted`, a conflict.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// It breaks rules: `required` on `lines` and `fxRate`, `issuer_incomplete`, `customer_incomplete`,
    /// `simplified_limit_exceeded`, `total_negative`, `issue_date_not_monotonic` and others.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
}

impl SimplifiedLimit {
    /// The limit in euros.
    #[must_use]
    pub fn amount(self) -> Amount {
        let cents = match self {
            Self::Usual => 40_000,
            Self::Extended => 300_000,
        };
        Amount::from_minor(cents, Currency::EUR).expect("the limit is an amount")
    }
}

impl SalesDocument {
    /// Issues a draft: it takes the next number of the series, and the parties and figures are fixed.
    ///
    /// # Errors
    /// [`IssueRefused`]; broken rules name their members, all at once.
    pub fn issue(self, terms: IssueTerms, setting: IssueSetting<'_>) -> Result<Issued, IssueRefused> {
        let plan = self.plan(Action::Issue)?;
        let date = terms.issue_date.or(plan.issue_date).unwrap_or(setting.today);
        let mut validator = Validator::new();
        let content = guards::content(&mut validator, &self, date);
        guards::judge(&mut validator, &self, content.as_ref().unwrap_or(&self.content), &setting, date);
        let due_date = due_date(&mut validator, plan, date, setting.term_days);
        validator.finish()?;
        let draft = Self { content: content.unwrap_or_else(|| self.content.clone()), ..self };
        let late_tax = declared_late(&draft, terms, setting.locks, date)?;
        let settled = settle(&draft, setting.originals, date, &setting.ids)?;
        draft.numbered(Fixed {
            date,
            due_date,
            late_tax,
            settled,
            series: setting.series,
            customer: setting.customer,
            issuer: setting.issuer,
            ids: setting.ids,
        })
    }

    fn numbered(self, fixed: Fixed<'_>) -> Result<Issued, IssueRefused> {
        let Fixed { date, due_date, late_tax, settled, series, customer, issuer, ids } = fixed;
        let Settled { originals, replaced, payment } = settled;
        let fx_rate = self.fx_rate().ok_or_else(guards::rate_missing)?;
        let settlement = Settlement::new(self.content.totals().payable, payment.into_iter().collect());
        let numbered = series.number(date)?;
        let issue = Issue {
            series: numbered.series.id,
            number: numbered.number,
            sequence: numbered.sequence,
            issue_date: date,
            due_date,
            fx_rate,
            late_tax,
            customer,
            issuer,
            replaced,
            issued_at: ids.now,
            settlement: settlement.map_err(guards::beyond_range)?,
            rectifications: Vec::new(),
            sent_at: None,
            last_send: None,
            compliance: None,
            journal_entry: None,
        };
        Ok(Issued { document: self.with_issue(issue), series: numbered.series, originals })
    }
}

/// What an issue fixes, once nothing speaks against it.
struct Fixed<'a> {
    date: Date,
    due_date: Date,
    late_tax: bool,
    settled: Settled,
    series: Series,
    customer: Option<Customer>,
    issuer: Issuer,
    ids: Ids<'a>,
}

fn due_date(validator: &mut Validator, plan: Plan, date: Date, term_days: u16) -> Date {
    let by_term = || date.checked_add(Duration::days(term_days.into())).unwrap_or(date);
    let due = plan.due_date.unwrap_or_else(by_term);
    let message = format!("must not be before the day of issue, {date}");
    validator.require(due >= date, "dueDate", "out_of_range", message);
    due
}

/// Whether the tax is declared with the day of issue, because the return of its own day has gone out.
fn declared_late(
    draft: &SalesDocument,
    terms: IssueTerms,
    locks: &Locks,
    date: Date,
) -> Result<bool, IssueRefused> {
    if !draft.is_fiscal() {
        return Ok(false);
    }
    locks.judge(date)?;
    let own = match draft.kind.rectification() {
        Some(_) => date,
        None => draft.operation_date.unwrap_or(date),
    };
    match locks.judge_tax(own) {
        Ok(()) => Ok(false),
        Err(_) if terms.accept_late_tax && own != date => {
            locks.judge_tax(date)?;
            Ok(true)
        }
        Err(submitted) => Err(submitted.into()),
    }
}

//! Where a document is in its life, in columns.

use sea_orm::{QueryResult, Value};
use svc_business::books::entry::FxRate;
use svc_business::sales::document::{
    Customer, Issue, Issuer, LastSend, Plan, SendStatus, State, Status, Void,
};
use svc_business::sales::series::DocumentNumber;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::money::{Amount, Currency};

use super::settlement::{payments, read_replaced, rectifications, rectified_by, replaced, settlement};
use crate::business::cell::{Cell, Columns, Stored, named};
use crate::business::invoicing::Currencies;
use crate::value::broken;

const STATUS: &str = "sales_documents.status";

named!(SendStatus: name);

impl Stored for DocumentNumber {
    type Sql = String;

    fn to_sql(&self) -> String {
        self.as_str().to_owned()
    }

    fn from_sql(sql: String) -> Option<Self> {
        Some(Self::from_stored(sql))
    }
}

/// The columns of a status, in this order: those of a plan or an issue first. An issue without its payable amount is
/// none, so the columns `payable`, `currency` and `base_currency` of the row are read as well.
impl Columns for Status {
    fn store(&self, values: &mut Vec<Value>) {
        let issue = self.issue();
        let void = match self {
            Self::Voided { void, .. } => Some(void),
            Self::Draft { .. } | Self::Issued { .. } => None,
        };
        values.push(self.state().put());
        values.extend(match self {
            Self::Draft { plan } => {
                [plan.series.put(), plan.issue_date.put(), plan.due_date.put(), plan.fx_rate.put()]
            }
            Self::Issued { issue } | Self::Voided { issue, .. } => [
                Some(issue.series).put(),
                Some(issue.issue_date).put(),
                Some(issue.due_date).put(),
                Some(issue.fx_rate).put(),
            ],
        });
        let last = issue.and_then(|issue| issue.last_send);
        values.extend([
            issue.map(|issue| issue.number.clone()).put(),
            issue.map(|issue| issue.sequence).put(),
            issue.map(|issue| issue.late_tax).put(),
            issue.and_then(|issue| issue.customer.clone()).put(),
            issue.map(|issue| issue.issuer.clone()).put(),
            issue.and_then(|issue| issue.replaced.as_ref()).map(replaced).put(),
            issue.map(|issue| issue.issued_at).put(),
            issue.map(|issue| payments(&issue.settlement)).put(),
            issue.map(|issue| rectifications(&issue.rectifications)).put(),
            issue.and_then(|issue| issue.sent_at).put(),
            last.map(|last| last.status).put(),
            last.map(|last| last.at).put(),
            issue.and_then(|issue| issue.journal_entry).put(),
            void.map(|void| void.reason.clone()).put(),
            void.map(|void| void.at).put(),
        ]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [status, series, issue_date, due_date, fx_rate, issued @ .., void_reason, voided_at] = columns
        else {
            return Err(StoreError::backend("twenty columns"));
        };
        let plan = Plan {
            series: Cell::take(row, series)?,
            issue_date: Cell::take(row, issue_date)?,
            due_date: Cell::take(row, due_date)?,
            fx_rate: Cell::take(row, fx_rate)?,
        };
        let state = State::take(row, status)?;
        if state == State::Draft {
            return Ok(Self::Draft { plan });
        }
        let issue = Box::new(load_issue(row, plan, issued)?);
        let (reason, at): (Option<String>, Option<Timestamp>) =
            (Cell::take(row, void_reason)?, Cell::take(row, voided_at)?);
        match (state, reason.zip(at)) {
            (State::Issued, None) => Ok(Self::Issued { issue }),
            (State::Voided, Some((reason, at))) => {
                Ok(Self::Voided { issue, void: Void { reason, at, compliance: None } })
            }
            _ => Err(broken(STATUS)),
        }
    }
}

/// The issue, of which a plan has the first members; its record for the tax office is a child of the document.
fn load_issue(row: &QueryResult, plan: Plan, columns: &[&'static str]) -> Result<Issue, StoreError> {
    let [
        number,
        sequence,
        late_tax,
        customer,
        issuer,
        replaced,
        issued_at,
        payments,
        rectifications,
        sent_at,
        send_status,
        last_attempt,
        journal_entry,
    ] = columns
    else {
        return Err(StoreError::backend("thirteen columns of an issue"));
    };
    let missing = || broken(STATUS);
    let currencies =
        Currencies { own: Currency::take(row, "currency")?, base: Currency::take(row, "base_currency")? };
    let payable = Amount::from_minor(Cell::take(row, "payable")?, currencies.own).map_err(|_| missing())?;
    let replaced: Option<String> = Cell::take(row, replaced)?;
    let (send_status, last_attempt): (Option<SendStatus>, Option<Timestamp>) =
        (Cell::take(row, send_status)?, Cell::take(row, last_attempt)?);
    let fx_rate: FxRate = plan.fx_rate.ok_or_else(missing)?;
    Ok(Issue {
        series: plan.series.ok_or_else(missing)?,
        number: DocumentNumber::take(row, number)?,
        sequence: u32::take(row, sequence)?,
        issue_date: plan.issue_date.ok_or_else(missing)?,
        due_date: plan.due_date.ok_or_else(missing)?,
        fx_rate,
        late_tax: bool::take(row, late_tax)?,
        customer: <Option<Customer> as Cell>::take(row, customer)?,
        issuer: Issuer::take(row, issuer)?,
        replaced: replaced.map(|text| read_replaced(&text, currencies.own)).transpose()?,
        issued_at: Timestamp::take(row, issued_at)?,
        settlement: settlement(&String::take(row, payments)?, payable, currencies)?,
        rectifications: rectified_by(&String::take(row, rectifications)?, currencies.own)?,
        sent_at: Cell::take(row, sent_at)?,
        last_send: send_status.zip(last_attempt).map(|(status, at)| LastSend { status, at }),
        compliance: None,
        journal_entry: Cell::take(row, journal_entry)?,
    })
}

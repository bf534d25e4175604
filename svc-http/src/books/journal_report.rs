//! GET /books/{companyId}/reports/journal

use http::StatusCode;
use svc_business::books::account::AccountCode;
use svc_business::books::entry::EntryKind;
use svc_business::books::report::{self, Journal, JournalEntry, JournalLine};
use svc_core::id::JournalEntryId;
use svc_core::wire::Form;
use svc_core::wire_view;

use super::statements::{CSV, FROM, TO, period};
use crate::accept;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;
use crate::query::Param;

pub(super) const PARAMS: [Param; 2] = [FROM, TO];

const AMOUNT: Form = Form::ANY.example("1210.00");

wire_view! {
    /// The posted entries of some days, in the base currency.
    #[derive(Debug)]
    pub(crate) struct View as "Journal" {
        from: String => Form::DATE,
        to: String => Form::DATE,
        /// ISO 4217
        currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        /// By their dates and numbers.
        entries: Vec<EntryView>,
    }
}

wire_view! {
    /// An entry of a journal.
    #[derive(Debug)]
    struct EntryView as "JournalReportEntry" {
        id: JournalEntryId,
        /// In its fiscal year.
        number: u64 => Form::ANY.number(12),
        date: String => Form::DATE,
        kind: EntryKind,
        description: String,
        /// The number of a paper that it refers to.
        reference: Option<String>,
        lines: Vec<LineView>,
        /// What its debits add up to, and its credits as well.
        total: String => AMOUNT,
    }
}

wire_view! {
    /// A line of an entry of a journal.
    #[derive(Debug)]
    struct LineView as "JournalReportLine" {
        account_code: AccountCode => Form::ANY.example("6210000"),
        account_name: String,
        description: Option<String>,
        debit: String => AMOUNT,
        credit: String => AMOUNT.example("0.00"),
    }
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let (id, scope) = req.books()?;
    let company = req.company_of(&scope, id).await?;
    let days = period(&req, &company).await?;
    let journal = report::journal(req.app.business.as_ref(), &company, days).await?;
    if accept::prefers(&req.headers, CSV) {
        return Ok(Answer::csv(journal.csv()));
    }
    Ok(Answer::plain(StatusCode::OK, &View::of(journal)))
}

impl View {
    fn of(journal: Journal) -> Self {
        Self {
            from: journal.from.to_string(),
            to: journal.to.to_string(),
            currency: journal.currency.code(),
            entries: journal.entries.into_iter().map(EntryView::of).collect(),
        }
    }
}

impl EntryView {
    fn of(entry: JournalEntry) -> Self {
        Self {
            id: entry.id,
            number: entry.number,
            date: entry.date.to_string(),
            kind: entry.kind,
            description: entry.description,
            reference: entry.reference,
            lines: entry.lines.into_iter().map(LineView::of).collect(),
            total: entry.total.to_string(),
        }
    }
}

impl LineView {
    fn of(line: JournalLine) -> Self {
        Self {
            account_code: line.account_code,
            account_name: line.account_name,
            description: line.description,
            debit: line.debit.to_string(),
            credit: line.credit.to_string(),
        }
    }
}

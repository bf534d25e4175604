//! GET /books/{companyId}/verification

use http::StatusCode;
use svc_business::books::journal::{YearVerification, verify};
use svc_core::id::{AccountId, FiscalYearId, JournalEntryId};
use svc_core::wire::Form;
use svc_core::wire_view;

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;

wire_view! {
    /// What became of the verification of a journal.
    #[derive(Debug)]
    pub(crate) struct View as "JournalVerification" {
        company_id: AccountId,
        /// Whether nothing was found in any year.
        holds: bool,
        years: Vec<YearView>,
    }
}

wire_view! {
    /// What became of the verification of a fiscal year.
    #[derive(Debug)]
    struct YearView as "JournalVerificationYear" {
        fiscal_year_id: FiscalYearId,
        name: String => Form::ANY.example("2025"),
        /// Posted entries that were read.
        entries: u64 => Form::ANY.number(12),
        /// Whether nothing was found.
        holds: bool,
        /// The first entry that is not what was posted, or not where it was.
        broken_entry_id: Option<JournalEntryId> => Form::ANY.json("null"),
        /// What is wrong with it.
        broken_by: Option<String>,
        /// Entries whose debits are not their credits.
        unbalanced: Vec<JournalEntryId> => Form::ANY.json("[]"),
        /// Whether the last entry is the one that the books keep as the last.
        ends_as_kept: bool,
    }
}

pub(super) async fn verify_all(req: ApiRequest) -> Result<Answer, Problem> {
    let (company, scope) = req.books()?;
    let account = req.company_of(&scope, company).await?;
    let verified = verify(req.app.business.as_ref(), &account).await?;
    let years: Vec<_> = verified.years.iter().map(YearView::of).collect();
    let view = View { company_id: company, holds: years.iter().all(|year| year.holds), years };
    Ok(Answer::plain(StatusCode::OK, &view))
}

impl YearView {
    fn of(year: &YearVerification) -> Self {
        Self {
            fiscal_year_id: year.year.id,
            name: year.year.name.clone(),
            entries: year.entries,
            holds: year.holds(),
            broken_entry_id: year.broken.map(|broken| broken.entry()),
            broken_by: year.broken.map(|broken| broken.to_string()),
            unbalanced: year.unbalanced.clone(),
            ends_as_kept: year.ends_as_kept,
        }
    }
}

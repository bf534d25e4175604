//! `/books/{companyId}/fiscal-years`

use std::collections::BTreeMap;

use http::StatusCode;
use svc_business::books::fiscal_year::{
    self, CloseRequest, FiscalYear, YearFilter, YearSort, YearStatus, YearStatusFilter,
};
use svc_business::record;
use svc_business::tax::returns::reopen_year;
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, FiscalYearId, JournalEntryId, UserId};
use svc_core::page::{Direction, PageRules, Sort};
use svc_core::resource::Resource;
use svc_core::wire::Form;
use svc_core::wire_view;

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::json::Create;
use crate::list::Listed;
use crate::problem::Problem;
use crate::query::{Kind, LIMIT, PAGE, Param};

const SORT: [(&str, YearSort); 1] = [("startDate", YearSort::StartDate)];

pub(super) const PARAMS: [Param; 4] = [
    PAGE,
    LIMIT,
    Param::new("sort", Kind::Text, "startDate; `-` in front for descending."),
    Param::new("status", Kind::OneOf(YearStatusFilter::NAMES), "Only this status."),
];

wire_view! {
    /// A fiscal year of a company.
    #[derive(Debug)]
    pub(crate) struct View as "FiscalYear" {
        id: FiscalYearId,
        object: &'static str => Form::one_of(&["fiscal_year"]),
        company_id: AccountId,
        version: i64,
        name: String => Form::ANY.example("2025"),
        /// Its first day.
        start_date: String => Form::DATE,
        /// Its last day.
        end_date: String => Form::DATE,
        status: &'static str => Form::one_of(YearStatus::NAMES),
        closed_at: Option<Timestamp> => Form::ANY.json("null"),
        /// The person who closed it; null for an integration.
        closed_by: Option<UserId> => Form::ANY.json("null"),
        /// Regularisation, closing and opening, as far as there was something to carry.
        closing_entry_ids: Vec<JournalEntryId> => Form::ANY.json("[]"),
        external_id: Option<String>,
        metadata: BTreeMap<String, String> => Form::ANY.json(r#"{"region":"north"}"#),
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let (company, scope) = req.books()?;
    let (request, sort) = (req.query.page(PageRules::USUAL)?, req.query.sort(&SORT)?);
    let sort = Sort(sort.0.or(Some((YearSort::StartDate, Direction::Ascending))));
    let filter = YearFilter { companies: vec![company], status: req.query.parse("status")? };
    let page = req.app.business.fiscal_years().page(&scope, &filter, &sort, request).await?;
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, View::of)))
}

pub(super) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let (company, scope) = req.books()?;
    let Create { input, .. } = req.json()?;
    let unit = req.app.business.begin().await?;
    let home = record::home::<FiscalYear>(unit.as_ref(), req.call_in(&scope), company).await?;
    let created = fiscal_year::create(home, input).await?;
    let location = format!("/books/{company}/fiscal-years/{}", created.id);
    pending.finish(unit, answer(StatusCode::CREATED, &created).location(&location)).await
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let (_, scope) = req.books()?;
    let found = req.app.business.fiscal_years().find(&scope, req.id("id")?).await?;
    Ok(answer(StatusCode::OK, &found.ok_or_else(Problem::not_found)?))
}

pub(super) async fn close(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let (_, scope) = req.books()?;
    let unit = req.app.business.begin().await?;
    let (call, id) = (req.call_in(&scope), req.id("id")?);
    let opened = record::alone::<FiscalYear>(unit.as_ref(), call, id, &[], &req.if_match()).await?;
    let request: CloseRequest = req.json()?;
    let closed = fiscal_year::close(opened, request).await?;
    pending.finish(unit, answer(StatusCode::OK, &closed)).await
}

pub(super) async fn reopen(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let (_, scope) = req.books()?;
    let unit = req.app.business.begin().await?;
    let (call, id) = (req.call_in(&scope), req.id("id")?);
    let opened = record::alone::<FiscalYear>(unit.as_ref(), call, id, &[], &req.if_match()).await?;
    req.no_body()?;
    let reopened = reopen_year(unit.as_ref(), opened).await?;
    pending.finish(unit, answer(StatusCode::OK, &reopened)).await
}

fn answer(status: StatusCode, year: &FiscalYear) -> Answer {
    Answer::plain(status, &View::of(year)).of(year.company).version(year.version)
}

impl View {
    fn of(year: &FiscalYear) -> Self {
        let closed = year.status.closed();
        Self {
            id: year.id,
            object: FiscalYear::NAME,
            company_id: year.company,
            version: year.version.as_i64(),
            name: year.name.clone(),
            start_date: year.span.start().to_string(),
            end_date: year.span.end().to_string(),
            status: year.status.name(),
            closed_at: closed.map(|(at, _, _)| at),
            closed_by: closed.and_then(|(_, by, _)| by),
            closing_entry_ids: closed.map(|(_, _, entries)| entries.iter().collect()).unwrap_or_default(),
            external_id: year.extension.external_id.clone(),
            metadata: year.extension.metadata.clone(),
            created_at: year.created_at,
            updated_at: year.updated_at,
        }
    }
}

//! `/tax/returns`

use http::StatusCode;
use svc_business::account::Account;
use svc_business::books::report::Language;
use svc_business::record;
use svc_business::tax::returns::{
    self, Model, OutcomeRequest, Period, PrepareRequest, ReturnStatus, Said, SubmitRequest, TaxReturn,
    TaxReturnFilter, TaxReturnInput, TaxReturnRequest, TaxReturnSort,
};
use svc_business::treasury;
use svc_core::page::PageRules;

use super::return_view::TaxReturnView;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::json::Update;
use crate::list::Listed;
use crate::problem::Problem;
use crate::query::{COMPANY, Kind, LIMIT, PAGE, Param, UPDATED_SINCE};

const SORT: [(&str, TaxReturnSort); 2] =
    [("dueDate", TaxReturnSort::DueDate), ("updatedAt", TaxReturnSort::UpdatedAt)];

pub(super) const LANG: Param = Param::new(
    "lang",
    Kind::OneOf(Language::NAMES),
    "The language of the labels of boxes; es when left out.",
);

pub(super) const PARAMS: [Param; 12] = [
    PAGE,
    LIMIT,
    COMPANY,
    Param::new("sort", Kind::Text, "One of dueDate, updatedAt; `-` in front for descending."),
    Param::new("model", Kind::OneOf(Model::NAMES), "Only of this model."),
    Param::new("year", Kind::Count, "Only of periods of this year."),
    Param::new("period", Kind::Text, "Only of this period, as the tax agency writes it: 1T, 03, 0A."),
    Param::new("status", Kind::OneOf(ReturnStatus::NAMES), "Only this status."),
    UPDATED_SINCE,
    Param::new("from", Kind::Date, "Due on this day or later."),
    Param::new("to", Kind::Date, "Due on this day or earlier."),
    LANG,
];

pub(super) const ONE: [Param; 1] = [LANG];

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let query = &req.query;
    let (request, sort, lang) = (query.page(PageRules::USUAL)?, query.sort(&SORT)?, language(&req)?);
    let (from, to) = query.dates()?;
    let filter = TaxReturnFilter {
        companies: req.companies()?,
        model: query.parse("model")?,
        year: query.parse("year")?,
        period: query.parse::<Period>("period")?,
        status: query.parse("status")?,
        updated_since: query.updated_since()?,
        from,
        to,
    };
    let business = req.app.business.as_ref();
    let page = business.tax_returns().page(&req.caller.principal.scope, &filter, &sort, request).await?;
    let stale = returns::stale(business, &page.items).await?;
    let view = |one: &TaxReturn| TaxReturnView::of(one, stale.contains(&one.id), lang);
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, view)))
}

pub(super) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let request: TaxReturnRequest = req.json()?;
    let company = req.company(request.company_id)?;
    let unit = req.app.business.begin().await?;
    let home = record::home::<TaxReturn>(unit.as_ref(), req.call(), company).await?;
    let created = returns::create(home, &request).await?;
    let location = format!("/tax/returns/{}", created.id);
    let shown = answer(&req, StatusCode::CREATED, &created).await?;
    pending.finish(unit, shown.location(&location)).await
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let found = find(&req).await?;
    answer(&req, StatusCode::OK, &found).await
}

pub(super) async fn prepare(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let found = find(&req).await?;
    let request: PrepareRequest = req.json()?;
    let early = request.allow_early.unwrap_or(false);
    let said = found.said.clone();
    let (unit, prepared) = prepared(&req, &found, said, early).await?;
    let shown = answer(&req, StatusCode::OK, &prepared).await?;
    pending.finish(unit, shown).await
}

pub(super) async fn update(req: ApiRequest) -> Result<Answer, Problem> {
    let found = find(&req).await?;
    let Update(input) = req.json::<Update<TaxReturnInput>>()?;
    let said = returns::said(&found, input)?;
    // What was prepared before its period was over is prepared so again.
    let early = found.figures.is_some();
    let (unit, prepared) = prepared(&req, &found, said, early).await?;
    unit.commit().await?;
    answer(&req, StatusCode::OK, &prepared).await
}

/// Prepares a return in a unit of work of its own, which is not committed yet.
async fn prepared(
    req: &ApiRequest,
    found: &TaxReturn,
    said: Said,
    early: bool,
) -> Result<(Box<dyn svc_business::ports::BusinessUnit>, TaxReturn), Problem> {
    let scope = &req.caller.principal.scope;
    req.if_match().check(found.version)?;
    let company: Account = req.company_of(scope, found.company).await?;
    returns::judge(found, &company, req.context.now, early)?;
    let computation = returns::compute(req.app.business.as_ref(), scope, &company, found, said).await?;
    let unit = req.app.business.begin().await?;
    let opened = record::open::<TaxReturn>(unit.as_ref(), req.call(), found.id, &req.if_match()).await?;
    let waiting = treasury::waiting(unit.as_ref(), &opened.before).await?;
    let prepared = returns::prepare(opened, computation, waiting, early).await?;
    Ok((unit, prepared))
}

pub(super) async fn submit(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let TaxReturn { id, corrects, .. } = find(&req).await?;
    let unit = req.app.business.begin().await?;
    let (beside, expected) = (corrects.as_slice(), req.if_match());
    let opened = record::alone::<TaxReturn>(unit.as_ref(), req.call(), id, beside, &expected).await?;
    let request: SubmitRequest = req.json()?;
    let submitted = returns::submit(opened, &request).await?;
    let shown = answer(&req, StatusCode::OK, &submitted).await?;
    pending.finish(unit, shown).await
}

pub(super) async fn outcome(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let id = req.id("id")?;
    let opened = record::alone::<TaxReturn>(unit.as_ref(), req.call(), id, &[], &req.if_match()).await?;
    let request: OutcomeRequest = req.json()?;
    let written = returns::outcome(opened, &request).await?;
    let shown = answer(&req, StatusCode::OK, &written).await?;
    pending.finish(unit, shown).await
}

/// The return that the path names.
pub(super) async fn find(req: &ApiRequest) -> Result<TaxReturn, Problem> {
    let found = req.app.business.tax_returns().find(&req.caller.principal.scope, req.id("id")?).await?;
    found.ok_or_else(Problem::not_found)
}

pub(super) fn language(req: &ApiRequest) -> Result<Language, Problem> {
    Ok(req.query.parse("lang")?.unwrap_or_default())
}

/// A return with labels in the language that was asked for.
async fn answer(req: &ApiRequest, status: StatusCode, of: &TaxReturn) -> Result<Answer, Problem> {
    let lang = language(req)?;
    let stale = returns::stale(req.app.business.as_ref(), std::slice::from_ref(of)).await?;
    let view = TaxReturnView::of(of, stale.contains(&of.id), lang);
    Ok(Answer::plain(status, &view).of(of.company).version(of.version))
}

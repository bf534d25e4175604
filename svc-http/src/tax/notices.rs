//! `/tax/notices`

use http::StatusCode;
use svc_business::notice::{
    self, Notice, NoticeFilter, NoticeKind, NoticeRequest, NoticeSort, NoticeSource, NoticeStatusFilter,
};
use svc_business::record;
use svc_core::id::CaseId;
use svc_core::page::PageRules;

use super::notice_view::NoticeView;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::idempotency::{Committed, PendingReply};
use crate::json::Update;
use crate::list::Listed;
use crate::problem::Problem;
use crate::query::{COMPANY, Kind, LIMIT, PAGE, Param, TEXT, UPDATED_SINCE, text_in};

const SORT: [(&str, NoticeSort); 3] = [
    ("availableAt", NoticeSort::AvailableAt),
    ("expiresOn", NoticeSort::ExpiresOn),
    ("updatedAt", NoticeSort::UpdatedAt),
];

pub(super) const PARAMS: [Param; 13] = [
    PAGE,
    LIMIT,
    COMPANY,
    Param::new("sort", Kind::Text, "One of availableAt, expiresOn, updatedAt; `-` in front for descending."),
    text_in!("the issuer, the subject and the reference"),
    Param::new("status", Kind::OneOf(NoticeStatusFilter::NAMES), "Only this status."),
    Param::new("source", Kind::OneOf(NoticeSource::NAMES), "Only of this source."),
    Param::new("kind", Kind::OneOf(NoticeKind::NAMES), "Only this kind."),
    Param::new("handled", Kind::OneOf(&["true", "false"]), "Only those with which all is done, or is not."),
    Param::new("caseId", Kind::id::<CaseId>(), "Only those of this case."),
    UPDATED_SINCE,
    Param::new("from", Kind::Date, "Available on this date or later, in UTC."),
    Param::new("to", Kind::Date, "Available on this date or earlier, in UTC."),
];

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let query = &req.query;
    let (request, sort) = (query.page(PageRules::USUAL)?, query.sort(&SORT)?);
    let (from, to) = query.dates()?;
    let filter = NoticeFilter {
        companies: req.companies()?,
        status: query.parse("status")?,
        source: query.parse("source")?,
        kind: query.parse("kind")?,
        handled: query.parse("handled")?,
        case: query.parse("caseId")?,
        text: query.text(TEXT)?.map(str::to_owned),
        updated_since: query.updated_since()?,
        from,
        to,
    };
    let page = req.app.business.notices().page(&req.caller.principal.scope, &filter, &sort, request).await?;
    Ok(Answer::personal(StatusCode::OK, move |access| {
        Listed::of(&page, |notice| NoticeView::of(notice, access))
    }))
}

pub(super) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let request: NoticeRequest = req.json()?;
    let company = req.company(request.company_id)?;
    let unit = req.app.business.begin().await?;
    let home = record::home::<Notice>(unit.as_ref(), req.call(), company).await?;
    let created = notice::create(home, &request).await?;
    let location = format!("/tax/notices/{}", created.id);
    pending.finish(unit, answer(StatusCode::CREATED, created).location(&location)).await
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let found = req.app.business.notices().find(&req.caller.principal.scope, req.id("id")?).await?;
    Ok(answer(StatusCode::OK, found.ok_or_else(Problem::not_found)?))
}

pub(super) async fn update(req: ApiRequest) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = record::open::<Notice>(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    let Update(input) = req.json()?;
    let updated = notice::update(opened, input).await?;
    unit.commit().await?;
    Ok(answer(StatusCode::OK, updated))
}

pub(super) async fn access(
    req: ApiRequest<PersonCaller>,
    pending: PendingReply,
) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = record::open::<Notice>(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    req.no_body()?;
    let accessed = notice::access(opened, req.caller.signed_in.session().user).await?;
    pending.finish(unit, answer(StatusCode::OK, accessed)).await
}

pub(super) async fn reject(
    req: ApiRequest<PersonCaller>,
    pending: PendingReply,
) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = record::open::<Notice>(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    req.no_body()?;
    let rejected = notice::reject(opened, req.caller.signed_in.session().user).await?;
    pending.finish(unit, answer(StatusCode::OK, rejected)).await
}

fn answer(status: StatusCode, notice: Notice) -> Answer {
    let (company, version) = (notice.company, notice.version);
    Answer::personal(status, move |access| NoticeView::of(&notice, access)).of(company).version(version)
}

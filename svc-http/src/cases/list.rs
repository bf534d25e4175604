//! GET /cases

use http::StatusCode;
use svc_business::case::{CaseFilter, CaseSort, CaseType, StatusFilter};
use svc_core::id::{ContactId, UserId};
use svc_core::page::PageRules;

use super::view::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::list::Listed;
use crate::problem::Problem;
use crate::query::{COMPANY, Kind, LIMIT, PAGE, Param, TEXT, UPDATED_SINCE, text_in};

const SORT: [(&str, CaseSort); 3] =
    [("number", CaseSort::Number), ("dueOn", CaseSort::DueOn), ("updatedAt", CaseSort::UpdatedAt)];

pub(super) const PARAMS: [Param; 14] = [
    PAGE,
    LIMIT,
    COMPANY,
    Param::new("sort", Kind::Text, "One of number, dueOn, updatedAt; `-` in front for descending."),
    text_in!("the number and the title"),
    Param::new("status", Kind::OneOf(StatusFilter::NAMES), "Only this status."),
    Param::new("type", Kind::OneOf(CaseType::NAMES), "Only this type."),
    Param::new("contactId", Kind::id::<ContactId>(), "Only for this contact."),
    Param::new("responsibleUserId", Kind::id::<UserId>(), "Only those that this member is responsible for."),
    Param::new("tag", Kind::Text, "Only with this tag."),
    Param::new("externalId", Kind::Text, "Only with this external id."),
    UPDATED_SINCE,
    Param::new("from", Kind::Date, "Opened on this date or later."),
    Param::new("to", Kind::Date, "Opened on this date or earlier."),
];

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let query = &req.query;
    let (request, sort) = (query.page(PageRules::USUAL)?, query.sort(&SORT)?);
    let (from, to) = query.dates()?;
    let text = |name| Ok::<_, Problem>(query.text(name)?.map(str::to_owned));
    let filter = CaseFilter {
        companies: req.companies()?,
        status: query.parse("status")?,
        case_type: query.parse("type")?,
        contact: query.parse("contactId")?,
        responsible: query.parse("responsibleUserId")?,
        tag: text("tag")?,
        text: text(TEXT)?,
        external_id: text("externalId")?,
        updated_since: query.updated_since()?,
        from,
        to,
    };
    let page = req.app.business.cases().page(&req.caller.principal.scope, &filter, &sort, request).await?;
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, View::of)))
}

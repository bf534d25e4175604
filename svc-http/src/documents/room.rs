//! `/data-room/files`

use http::{Method, StatusCode};
use serde_json::Value;
use svc_business::document::room::{self, DataRoomFile, DataRoomFileInput, DataRoomFilter, DataRoomSort};
use svc_business::record;
use svc_core::id::FileId;
use svc_core::page::PageRules;
use svc_core::wire::{Described, Parts};

use super::room_view::{DataRoomFileView, DataRoomViewView, answer};
use super::{content, files};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::json::Create;
use crate::list::Listed;
use crate::problem::Problem;
use crate::query::{COMPANY, Kind, LIMIT, PAGE, Param, UPDATED_SINCE};
use crate::upload::PROPERTIES;

const SORT: [(&str, DataRoomSort); 2] =
    [("index", DataRoomSort::Index), ("updatedAt", DataRoomSort::UpdatedAt)];

pub(super) const PARAMS: [Param; 8] = [
    PAGE,
    LIMIT,
    COMPANY,
    Param::new("sort", Kind::Text, "One of index, updatedAt; `-` in front for descending."),
    Param::new("section", Kind::Text, "Only this section, whatever its case, and what is below it."),
    Param::new("fileId", Kind::id::<FileId>(), "Only those that show this file."),
    Param::new("externalId", Kind::Text, "Only the one with this external id."),
    UPDATED_SINCE,
];

pub(super) const VIEW_PARAMS: [Param; 2] = [PAGE, LIMIT];

/// Described by hand: it is no JSON.
#[derive(Debug)]
pub(crate) struct EntryForm;

impl Described for EntryForm {
    fn schema(parts: &mut Parts) -> Value {
        let properties = Create::<DataRoomFileInput>::schema(parts);
        parts.named::<Self>("DataRoomFileUpload", |_| files::form(Some(properties)))
    }
}

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let query = &req.query;
    let (request, sort) = (query.page(PageRules::USUAL)?, query.sort(&SORT)?);
    let filter = DataRoomFilter {
        companies: req.companies()?,
        section: query.parse("section")?,
        file: query.parse("fileId")?,
        external_id: query.text("externalId")?.map(str::to_owned),
        updated_since: query.updated_since()?,
    };
    let page =
        req.app.business.data_room().page(&req.caller.principal.scope, &filter, &sort, request).await?;
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, DataRoomFileView::of)))
}

pub(super) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let (company, input, uploaded) = if let Some(upload) = &req.upload {
        let Create::<DataRoomFileInput> { input, .. } = files::said(&upload.properties)?;
        (upload.kept_for, input, Some(files::uploaded(upload)))
    } else {
        let Create::<DataRoomFileInput> { company, input } = req.json()?;
        (req.company(company)?, input, None)
    };
    let unit = req.app.business.begin().await?;
    let home = record::home::<DataRoomFile>(unit.as_ref(), req.call(), company).await?;
    let created = if let Some(uploaded) = uploaded {
        let added = room::add_uploaded(home, uploaded, input).await;
        added.map_err(|refused| refused.within(PROPERTIES))?
    } else {
        room::add(home, input).await?
    };
    let location = format!("/data-room/files/{}", created.id);
    pending.finish(unit, answer(StatusCode::CREATED, &created).location(&location)).await
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let found = req.app.business.data_room().find(&req.caller.principal.scope, req.id("id")?).await?;
    Ok(answer(StatusCode::OK, &found.ok_or_else(Problem::not_found)?))
}

/// A content that cannot be read leaves no view, and no byte goes out whose view is not committed.
pub(super) async fn content(req: ApiRequest) -> Result<Answer, Problem> {
    let shown = room::show(&*req.app.business, req.call(), req.id("id")?).await?;
    let answer = content::given(&req, &shown.name, &shown.version).await?;
    if req.method == Method::HEAD {
        return Ok(answer);
    }
    let unit = req.app.business.begin().await?;
    room::viewed(unit.as_ref(), req.call(), &shown.entry).await?;
    unit.commit().await?;
    Ok(answer)
}

pub(super) async fn views(req: ApiRequest) -> Result<Answer, Problem> {
    let request = req.query.page(PageRules::USUAL)?;
    let page =
        req.app.business.data_room().views(&req.caller.principal.scope, req.id("id")?, request).await?;
    let page = page.ok_or_else(Problem::not_found)?;
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, DataRoomViewView::of)))
}

pub(super) async fn delete(req: ApiRequest) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let opened =
        record::open::<DataRoomFile>(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    room::remove(opened).await?;
    unit.commit().await?;
    Ok(Answer::no_content())
}

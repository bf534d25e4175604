//! `/data-room/files`

use http::{Method, StatusCode};
use serde_json::Value;
use svc_business::document::file::{File, FileVersion, Uploaded};
use svc_business::document::room::{
    self, DataRoomFile, DataRoomFileInput, DataRoomFilter, DataRoomSort, Showing, Stamping,
};
use svc_business::record;
use svc_core::id::FileId;
use svc_core::page::PageRules;
use svc_core::patch::Patch;
use svc_core::wire::{Described, Parts};
use svc_seal::Language;

use super::room_view::{DataRoomFileView, DataRoomViewView, answer};
use super::stamped::{self, Reading, Stored};
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
    // It stays open across no reading of contents.
    let stamping = stamping(&req, &input, uploaded.as_ref()).await?;
    let unit = req.app.business.begin().await?;
    let home = record::home::<DataRoomFile>(unit.as_ref(), req.call(), company).await?;
    let created = if let Some(uploaded) = uploaded {
        let added = room::add_uploaded(home, uploaded, input, stamping.as_ref()).await;
        added.map_err(|refused| refused.within(PROPERTIES))?
    } else {
        room::add(home, input, stamping.as_ref()).await?
    };
    let location = format!("/data-room/files/{}", created.id);
    pending.finish(unit, answer(StatusCode::CREATED, &created).location(&location)).await
}

/// Whether the pages of what is to be shown can be stamped, where the input asks for that.
async fn stamping(
    req: &ApiRequest,
    input: &DataRoomFileInput,
    uploaded: Option<&Uploaded>,
) -> Result<Option<Stamping>, Problem> {
    if input.watermark != Patch::Value(true) {
        return Ok(None);
    }
    let contents = &*req.app.contents;
    if let Some(Uploaded { content, kept_for, mime_type, .. }) = uploaded {
        let (digest, size, kept_for) = (content.digest, content.size, *kept_for);
        return stamped::judged(contents, Stored { digest, size, kept_for, mime_type }).await;
    }
    let Patch::Value(id) = input.file else { return Ok(None) };
    let found: Option<File> = req.app.business.files().find(&req.caller.principal.scope, id).await?;
    let number = input.file_version.value();
    let version = found.as_ref().and_then(|file| file.version_of(number));
    // What is missing has a finding of its own.
    let Some(FileVersion { content, kept_for, mime_type, .. }) = version else { return Ok(None) };
    let (digest, size, kept_for) = (content.digest, content.size, *kept_for);
    stamped::judged(contents, Stored { digest, size, kept_for, mime_type }).await
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let found = req.app.business.data_room().find(&req.caller.principal.scope, req.id("id")?).await?;
    Ok(answer(StatusCode::OK, &found.ok_or_else(Problem::not_found)?))
}

/// Bytes that a reading counts as until it is sent: what is stamped is in memory, 25 MiB at most, and a company has shares
/// for six readings at a time.
pub(super) const STAMPED: usize = 512 * 1024;

/// A content that cannot be read leaves no view, and no byte goes out whose view is not committed.
pub(super) async fn content(req: ApiRequest) -> Result<Answer, Problem> {
    let shown = room::show(&*req.app.business, req.call(), req.id("id")?).await?;
    let answer = if shown.entry.watermark {
        stamped_for(&req, &shown).await?
    } else {
        content::given(&req, &shown.name, &shown.version).await?
    };
    if req.method == Method::HEAD {
        return Ok(answer);
    }
    let unit = req.app.business.begin().await?;
    room::viewed(unit.as_ref(), req.call(), &shown.entry).await?;
    unit.commit().await?;
    Ok(answer)
}

/// The content with the name of the token on each page.
async fn stamped_for(req: &ApiRequest, shown: &Showing) -> Result<Answer, Problem> {
    let disposition = svc_files::attachment(&shown.name);
    let answer = if req.method == Method::HEAD {
        stamped::announced(disposition)
    } else {
        let principal = &req.caller.principal;
        let reader = format!("{} · {}", principal.name, principal.token);
        let by = Reading { reader, at: req.call().now, language: Language::En };
        stamped::stamped(&*req.app.contents, &shown.version, disposition, by).await?
    };
    Ok(content::with_sight(req, answer))
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

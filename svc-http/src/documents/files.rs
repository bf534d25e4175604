//! `/files`

use futures_util::future::BoxFuture;
use http::StatusCode;
use serde_json::{Value, json};
use svc_business::document::file::{
    self, File, FileFilter, FileInput, FileLink, FileLinkType, FileSort, FileStatusFilter, Uploaded,
};
use svc_business::record;
use svc_core::error::ValidationErrors;
use svc_core::id::{AccountId, FileId};
use svc_core::page::PageRules;
use svc_core::wire::{Described, Parts};

use super::file_view::{FileView, answer};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::TokenCaller;
use crate::idempotency::{Committed, PendingReply};
use crate::json::{self, Create, Input, Update};
use crate::list::Listed;
use crate::problem::Problem;
use crate::query::{COMPANY, Kind, LIMIT, PAGE, Param, TEXT, UPDATED_SINCE, text_in};
use crate::upload::{Announced, FILE, PROPERTIES, Upload};

const SORT: [(&str, FileSort); 2] = [("name", FileSort::Name), ("updatedAt", FileSort::UpdatedAt)];

pub(super) const PARAMS: [Param; 15] = [
    PAGE,
    LIMIT,
    COMPANY,
    Param::new("sort", Kind::Text, "One of name, updatedAt; `-` in front for descending."),
    text_in!("the name"),
    Param::new("status", Kind::OneOf(FileStatusFilter::NAMES), "Only this status; `active` when left out."),
    Param::new("folderId", Kind::Text, "Only those in this folder; `none` for those in none."),
    Param::new("linkType", Kind::OneOf(FileLinkType::NAMES), "What kind of record `linkId` is."),
    Param::new("linkId", Kind::Text, "Only those that belong to this record."),
    Param::new("mimeType", Kind::Text, "Only those whose latest version has this media type."),
    Param::new("tag", Kind::Text, "Only those with this tag."),
    Param::new("externalId", Kind::Text, "Only the one with this external id."),
    UPDATED_SINCE,
    Param::new("from", Kind::Date, "Created on this date or later, in UTC."),
    Param::new("to", Kind::Date, "Created on this date or earlier, in UTC."),
];

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let query = &req.query;
    let (request, sort) = (query.page(PageRules::USUAL)?, query.sort(&SORT)?);
    let (from, to) = query.dates()?;
    let filter = FileFilter {
        companies: req.companies()?,
        status: query.parse("status")?.unwrap_or_default(),
        folder: query.parse("folderId")?,
        link: link(&req)?,
        mime_type: query.text("mimeType")?.map(str::to_owned),
        tag: query.text("tag")?.map(str::to_owned),
        text: query.text(TEXT)?.map(str::to_owned),
        external_id: query.text("externalId")?.map(str::to_owned),
        updated_since: query.updated_since()?,
        from,
        to,
    };
    let page = req.app.business.files().page(&req.caller.principal.scope, &filter, &sort, request).await?;
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, FileView::of)))
}

/// The record that `linkType` and `linkId` name together.
fn link(req: &ApiRequest) -> Result<Option<FileLink>, Problem> {
    let (kind, id) = (req.query.parse::<FileLinkType>("linkType")?, req.query.text("linkId")?);
    match (kind, id) {
        (None, None) => Ok(None),
        (Some(kind), Some(id)) => FileLink::parse(kind, id)
            .map(Some)
            .map_err(|error| Problem::parameter("linkId", error.to_string())),
        (Some(_), None) => Err(Problem::parameter("linkId", "is needed with linkType")),
        (None, Some(_)) => Err(Problem::parameter("linkType", "is needed with linkId")),
    }
}

/// Described by hand: it is no JSON.
#[derive(Debug)]
pub(crate) struct UploadForm;

/// Described by hand: it is no JSON.
#[derive(Debug)]
pub(crate) struct VersionForm;

pub(super) fn form(properties: Option<Value>) -> Value {
    let file = json!({
        "type": "string",
        "format": "binary",
        "description": "The file, the last part.",
        "examples": ["%PDF-1.7"],
    });
    let parts = match properties {
        Some(properties) => json!({ PROPERTIES: properties, FILE: file }),
        None => json!({ FILE: file }),
    };
    json!({ "type": "object", "required": [FILE], "additionalProperties": false, "properties": parts })
}

impl Described for UploadForm {
    fn schema(parts: &mut Parts) -> Value {
        let properties = Create::<FileInput>::schema(parts);
        parts.named::<Self>("FileUpload", |_| form(Some(properties)))
    }
}

impl Described for VersionForm {
    fn schema(parts: &mut Parts) -> Value {
        parts.named::<Self>("FileVersionUpload", |_| form(None))
    }
}

/// What is said of something new with a file.
pub(super) fn said<T>(properties: &[u8]) -> Result<Create<T>, ValidationErrors>
where
    Create<T>: Input,
{
    json::of_part(PROPERTIES, if properties.is_empty() { b"{}" } else { properties })
}

/// The company that something new with a file goes to, of which a `T` is said.
pub(super) fn home<'a, T>(
    announced: &'a Announced<'a, TokenCaller>,
) -> BoxFuture<'a, Result<AccountId, Problem>>
where
    Create<T>: Input,
{
    let read = || -> Result<AccountId, Problem> {
        let named = said::<T>(announced.properties)?.company;
        let principal = &announced.caller.principal;
        let company = named.unwrap_or(principal.primary);
        if !principal.scope.contains(company) {
            let message = "no company within reach has this id";
            let field = format!("{PROPERTIES}.companyId");
            return Err(ValidationErrors::one(field, "unknown_reference", message).into());
        }
        Ok(company)
    };
    Box::pin(std::future::ready(read()))
}

/// The company of a file that gets a version.
pub(super) fn home_of<'a>(
    announced: &'a Announced<'a, TokenCaller>,
) -> BoxFuture<'a, Result<AccountId, Problem>> {
    Box::pin(async move {
        if !announced.properties.is_empty() {
            let message = "is no part of this body: PATCH the file instead";
            return Err(ValidationErrors::one(PROPERTIES, "unknown_field", message).into());
        }
        let id = announced.named.first().and_then(|(_, id)| id.parse::<FileId>().ok());
        let id = id.ok_or_else(Problem::not_found)?;
        let found = announced.app.business.files().find(&announced.caller.principal.scope, id).await?;
        Ok(found.ok_or_else(Problem::not_found)?.company)
    })
}

pub(super) fn uploaded(upload: &Upload) -> Uploaded {
    Uploaded {
        name: upload.name.clone(),
        content: upload.content,
        kept_for: upload.kept_for,
        mime_type: upload.mime_type.to_owned(),
    }
}

pub(super) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let upload = req.upload()?;
    let Create::<FileInput> { input, .. } = said(&upload.properties)?;
    let unit = req.app.business.begin().await?;
    let home = record::home::<File>(unit.as_ref(), req.call(), upload.kept_for).await?;
    let created =
        file::create(home, uploaded(upload), input).await.map_err(|refused| refused.within(PROPERTIES))?;
    let location = format!("/files/{}", created.id);
    pending.finish(unit, answer(StatusCode::CREATED, &created).location(&location)).await
}

pub(super) async fn add_version(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = record::open::<File>(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    let changed = file::add_version(opened, uploaded(req.upload()?)).await?;
    let location = format!("/files/{}", changed.id);
    pending.finish(unit, answer(StatusCode::CREATED, &changed).location(&location)).await
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let found = req.app.business.files().find(&req.caller.principal.scope, req.id("id")?).await?;
    Ok(answer(StatusCode::OK, &found.ok_or_else(Problem::not_found)?))
}

pub(super) async fn update(req: ApiRequest) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = record::open::<File>(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    let Update(input) = req.json()?;
    let updated = file::update(opened, input).await?;
    unit.commit().await?;
    Ok(answer(StatusCode::OK, &updated))
}

pub(super) async fn delete(req: ApiRequest) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let opened =
        record::alone::<File>(unit.as_ref(), req.call(), req.id("id")?, &[], &req.if_match()).await?;
    let deleted = file::delete(opened).await?;
    unit.commit().await?;
    Ok(answer(StatusCode::OK, &deleted))
}

//! `/folders`

use std::collections::BTreeMap;

use http::StatusCode;
use svc_business::document::folder::{self, Folder, FolderFilter, FolderInput, FolderSort};
use svc_business::record;
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, FolderId};
use svc_core::page::PageRules;
use svc_core::resource::Resource;
use svc_core::wire::Form;
use svc_core::wire_view;

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::json::{Create, Update};
use crate::list::Listed;
use crate::problem::Problem;
use crate::query::{COMPANY, Kind, LIMIT, PAGE, Param, UPDATED_SINCE};

wire_view! {
    /// A folder of a company's files.
    #[derive(Debug)]
    pub(super) struct FolderView as "Folder" {
        id: FolderId,
        object: &'static str => Form::one_of(&["folder"]),
        company_id: AccountId,
        version: i64,
        name: String => Form::ANY.example("Facturas 2025"),
        /// The folder that it is in; none at the top.
        parent_id: Option<FolderId> => Form::ANY.json("null"),
        external_id: Option<String>,
        metadata: BTreeMap<String, String> => Form::ANY.json(r#"{"region":"north"}"#),
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

impl FolderView {
    fn of(folder: &Folder) -> Self {
        Self {
            id: folder.id,
            object: Folder::NAME,
            company_id: folder.company,
            version: folder.version.as_i64(),
            name: folder.name.clone(),
            parent_id: folder.parent,
            external_id: folder.extension.external_id.clone(),
            metadata: folder.extension.metadata.clone(),
            created_at: folder.created_at,
            updated_at: folder.updated_at,
        }
    }
}

fn answer(status: StatusCode, folder: &Folder) -> Answer {
    Answer::plain(status, &FolderView::of(folder)).of(folder.company).version(folder.version)
}

const SORT: [(&str, FolderSort); 2] = [("name", FolderSort::Name), ("updatedAt", FolderSort::UpdatedAt)];

pub(super) const PARAMS: [Param; 7] = [
    PAGE,
    LIMIT,
    COMPANY,
    Param::new("sort", Kind::Text, "One of name, updatedAt; `-` in front for descending."),
    Param::new("parentId", Kind::Text, "Only those in this folder; `none` for those at the top."),
    Param::new("externalId", Kind::Text, "Only the one with this external id."),
    UPDATED_SINCE,
];

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let query = &req.query;
    let (request, sort) = (query.page(PageRules::USUAL)?, query.sort(&SORT)?);
    let filter = FolderFilter {
        companies: req.companies()?,
        parent: query.parse("parentId")?,
        external_id: query.text("externalId")?.map(str::to_owned),
        updated_since: query.updated_since()?,
    };
    let page = req.app.business.folders().page(&req.caller.principal.scope, &filter, &sort, request).await?;
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, FolderView::of)))
}

pub(super) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let Create { company, input } = req.json()?;
    let company = req.company(company)?;
    let unit = req.app.business.begin().await?;
    let home = record::home::<Folder>(unit.as_ref(), req.call(), company).await?;
    let created = folder::create(home, input).await?;
    let location = format!("/folders/{}", created.id);
    pending.finish(unit, answer(StatusCode::CREATED, &created).location(&location)).await
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let found = req.app.business.folders().find(&req.caller.principal.scope, req.id("id")?).await?;
    Ok(answer(StatusCode::OK, &found.ok_or_else(Problem::not_found)?))
}

pub(super) async fn update(req: ApiRequest) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = folder::open_tree(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    let Update::<FolderInput>(input) = req.json()?;
    let updated = folder::update(opened, input).await?;
    unit.commit().await?;
    Ok(answer(StatusCode::OK, &updated))
}

pub(super) async fn delete(req: ApiRequest) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = folder::open_tree(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    folder::delete(opened).await?;
    unit.commit().await?;
    Ok(Answer::no_content())
}

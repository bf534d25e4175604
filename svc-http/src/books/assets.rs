//! `/books/{companyId}/fixed-assets`

use http::StatusCode;
use svc_business::books::asset::class::AssetClass;
use svc_business::books::asset::{
    self, AskedRun, AssetStatusFilter, DepreciationRunRequest, DisposeRequest, FixedAsset, FixedAssetFilter,
    FixedAssetInput, FixedAssetSort,
};
use svc_business::record;
use svc_core::error::StoreError;
use svc_core::page::PageRules;

use super::asset_plan::PlanView;
use super::asset_run::RunView;
use super::asset_view::View;
use super::entries::permit;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::json::{Create, Update};
use crate::list::Listed;
use crate::problem::Problem;
use crate::query::{Kind, LIMIT, PAGE, Param, TEXT, UPDATED_SINCE, text_in};

const SORT: [(&str, FixedAssetSort); 3] = [
    ("name", FixedAssetSort::Name),
    ("acquisitionDate", FixedAssetSort::AcquisitionDate),
    ("updatedAt", FixedAssetSort::UpdatedAt),
];

pub(super) const PARAMS: [Param; 10] = [
    PAGE,
    LIMIT,
    Param::new("sort", Kind::Text, "One of name, acquisitionDate, updatedAt; `-` in front for descending."),
    text_in!("the name and the code"),
    Param::new("status", Kind::OneOf(AssetStatusFilter::NAMES), "Only this status."),
    Param::new("assetClass", Kind::OneOf(AssetClass::NAMES), "Only this class."),
    Param::new("externalId", Kind::Text, "Only with this external id."),
    UPDATED_SINCE,
    Param::new("from", Kind::Date, "Acquired on this date or later."),
    Param::new("to", Kind::Date, "Acquired on this date or earlier."),
];

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let (company, scope) = req.books()?;
    let query = &req.query;
    let (request, sort) = (query.page(PageRules::USUAL)?, query.sort(&SORT)?);
    let (from, to) = query.dates()?;
    let text = |name| Ok::<_, Problem>(query.text(name)?.map(str::to_owned));
    let filter = FixedAssetFilter {
        companies: vec![company],
        status: query.parse("status")?,
        class: query.parse("assetClass")?,
        text: text(TEXT)?,
        external_id: text("externalId")?,
        updated_since: query.updated_since()?,
        from,
        to,
    };
    let page = req.app.business.fixed_assets().page(&scope, &filter, &sort, request).await?;
    Ok(Answer::plain(StatusCode::OK, &Listed::try_of(&page, View::of)?))
}

pub(super) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let (company, scope) = req.books()?;
    let Create::<FixedAssetInput> { input, .. } = req.json()?;
    let unit = req.app.business.begin().await?;
    let home = record::home::<FixedAsset>(unit.as_ref(), req.call_in(&scope), company).await?;
    let created = asset::create(&home, input).await?;
    let location = format!("/books/{company}/fixed-assets/{}", created.id);
    pending.finish(unit, answer(StatusCode::CREATED, &created)?.location(&location)).await
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    answer(StatusCode::OK, &found(&req).await?)
}

pub(super) async fn plan(req: ApiRequest) -> Result<Answer, Problem> {
    let asset = found(&req).await?;
    let plan = asset.plan().map_err(StoreError::backend)?;
    Ok(Answer::plain(StatusCode::OK, &PlanView::of(&asset, &plan)))
}

async fn found(req: &ApiRequest) -> Result<FixedAsset, Problem> {
    let (_, scope) = req.books()?;
    let found = req.app.business.fixed_assets().find(&scope, req.id("id")?).await?;
    found.ok_or_else(Problem::not_found)
}

pub(super) async fn update(req: ApiRequest) -> Result<Answer, Problem> {
    let (_, scope) = req.books()?;
    let unit = req.app.business.begin().await?;
    let (call, id) = (req.call_in(&scope), req.id("id")?);
    let opened = record::open::<FixedAsset>(unit.as_ref(), call, id, &req.if_match()).await?;
    let Update(input) = req.json()?;
    let updated = asset::update(opened, input).await?;
    unit.commit().await?;
    answer(StatusCode::OK, &updated)
}

pub(super) async fn delete(req: ApiRequest) -> Result<Answer, Problem> {
    let (_, scope) = req.books()?;
    let unit = req.app.business.begin().await?;
    let (call, id) = (req.call_in(&scope), req.id("id")?);
    let opened = record::open::<FixedAsset>(unit.as_ref(), call, id, &req.if_match()).await?;
    asset::delete(opened).await?;
    unit.commit().await?;
    Ok(Answer::no_content())
}

pub(super) async fn activate(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let (_, scope) = req.books()?;
    let unit = req.app.business.begin().await?;
    let (call, id) = (req.call_in(&scope), req.id("id")?);
    let opened = record::open::<FixedAsset>(unit.as_ref(), call, id, &req.if_match()).await?;
    req.no_body()?;
    let active = asset::activate(opened).await?;
    pending.finish(unit, answer(StatusCode::OK, &active)?).await
}

pub(super) async fn dispose(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let (_, scope) = req.books()?;
    let unit = req.app.business.begin().await?;
    let (call, id) = (req.call_in(&scope), req.id("id")?);
    let opened = record::alone::<FixedAsset>(unit.as_ref(), call, id, &[], &req.if_match()).await?;
    let request: DisposeRequest = req.json()?;
    let gone = asset::dispose(opened, request).await?;
    pending.finish(unit, answer(StatusCode::OK, &gone)?).await
}

pub(super) async fn depreciate(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let (company, scope) = req.books()?;
    let request: DepreciationRunRequest = req.json()?;
    let unit = req.app.business.begin().await?;
    let home = record::home::<FixedAsset>(unit.as_ref(), req.call_in(&scope), company).await?;
    let asked = AskedRun::of(&home, &request).await?;
    permit(&req, asked.posts)?;
    let run = asset::depreciate(&home, asked).await?;
    pending.finish(unit, Answer::plain(StatusCode::OK, &RunView::of(&req, &run)).of(company)).await
}

fn answer(status: StatusCode, asset: &FixedAsset) -> Result<Answer, Problem> {
    Ok(Answer::plain(status, &View::of(asset)?).of(asset.company).version(asset.version))
}

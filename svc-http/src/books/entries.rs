//! `/books/{companyId}/journal-entries`

use http::StatusCode;
use svc_business::books::entry::{Entry, EntryKind};
use svc_business::books::journal::{
    self, BulkRequest, EntryFilter, EntryInput, EntrySort, EntryStatusFilter, ReverseRequest,
};
use svc_business::catalogue::permission;
use svc_business::record;
use svc_core::page::{Direction, PageRules, Sort};
use svc_core::permission::Permission;
use svc_core::wire_view;

use super::entry_view::{self, Names, Summary};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::json::{Create, Update};
use crate::list::Listed;
use crate::problem::{Code, Problem};
use crate::query::{Kind, LIMIT, PAGE, Param, TEXT, UPDATED_SINCE, text_in};

const SORT: [(&str, EntrySort); 2] = [("date", EntrySort::Date), ("updatedAt", EntrySort::UpdatedAt)];

pub(super) const PARAMS: [Param; 12] = [
    PAGE,
    LIMIT,
    Param::new(
        "sort",
        Kind::Text,
        "One of date, updatedAt; `-` in front for descending. Entries of a day by number.",
    ),
    text_in!("the description, the reference, the number and the first twenty lines"),
    Param::new("status", Kind::OneOf(EntryStatusFilter::NAMES), "Only this status."),
    Param::new("kind", Kind::OneOf(EntryKind::NAMES), "Only this kind."),
    Param::new("sourceType", Kind::Text, "Only those that this kind of record made."),
    Param::new("sourceId", Kind::Text, "Only those that this record made."),
    Param::new("externalId", Kind::Text, "Only with this external id."),
    UPDATED_SINCE,
    Param::new("from", Kind::Date, "Dated on this day or later."),
    Param::new("to", Kind::Date, "Dated on this day or earlier."),
];

wire_view! {
    /// The entries that were written together.
    #[derive(Debug)]
    pub(crate) struct Written as "JournalEntriesWritten" {
        /// In the order of the request.
        items: Vec<entry_view::View>,
    }
}

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let (company, scope) = req.books()?;
    let query = &req.query;
    let (request, sort) = (query.page(PageRules::USUAL)?, query.sort(&SORT)?);
    let sort = Sort(sort.0.or(Some((EntrySort::Date, Direction::Ascending))));
    let (from, to) = query.dates()?;
    let text = |name| Ok::<_, Problem>(query.text(name)?.map(str::to_owned));
    let filter = EntryFilter {
        companies: vec![company],
        status: query.parse("status")?,
        kind: query.parse("kind")?,
        source_type: text("sourceType")?,
        source_id: text("sourceId")?,
        text: text(TEXT)?,
        external_id: text("externalId")?,
        updated_since: query.updated_since()?,
        from,
        to,
    };
    let page = req.app.business.journal().page(&scope, &filter, &sort, request).await?;
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, Summary::of)))
}

pub(super) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let (company, scope) = req.books()?;
    let Create::<EntryInput> { input, .. } = req.json()?;
    permit(&req, input.post)?;
    let unit = req.app.business.begin().await?;
    let home = record::home::<Entry>(unit.as_ref(), req.call_in(&scope), company).await?;
    let created = journal::create(&home, input).await?;
    let answer = entry_view::answer(&req, StatusCode::CREATED, &created).await?;
    pending.finish(unit, answer.location(&location(&created))).await
}

pub(super) async fn bulk(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let (company, scope) = req.books()?;
    let request: BulkRequest = req.json()?;
    permit(&req, request.entries.iter().any(|entry| entry.post))?;
    let unit = req.app.business.begin().await?;
    let home = record::home::<Entry>(unit.as_ref(), req.call_in(&scope), company).await?;
    let written = journal::create_all(&home, request).await?;
    let codes = written.iter().flat_map(|entry| entry.lines.iter().map(|line| line.account)).collect();
    let names = Names::of(&req, company, codes).await?;
    let items = written.iter().map(|entry| entry_view::View::of(entry, &names)).collect();
    pending.finish(unit, Answer::plain(StatusCode::OK, &Written { items }).of(company)).await
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let (_, scope) = req.books()?;
    let found = req.app.business.journal().find(&scope, req.id("id")?).await?;
    entry_view::answer(&req, StatusCode::OK, &found.ok_or_else(Problem::not_found)?).await
}

pub(super) async fn update(req: ApiRequest) -> Result<Answer, Problem> {
    let (_, scope) = req.books()?;
    let unit = req.app.business.begin().await?;
    let (call, id) = (req.call_in(&scope), req.id("id")?);
    let opened = record::open::<Entry>(unit.as_ref(), call, id, &req.if_match()).await?;
    let Update(input) = req.json()?;
    let updated = journal::update(opened, input).await?;
    unit.commit().await?;
    entry_view::answer(&req, StatusCode::OK, &updated).await
}

pub(super) async fn delete(req: ApiRequest) -> Result<Answer, Problem> {
    let (_, scope) = req.books()?;
    let unit = req.app.business.begin().await?;
    let (call, id) = (req.call_in(&scope), req.id("id")?);
    let opened = record::open::<Entry>(unit.as_ref(), call, id, &req.if_match()).await?;
    journal::delete(opened).await?;
    unit.commit().await?;
    Ok(Answer::no_content())
}

pub(super) async fn post(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let (_, scope) = req.books()?;
    let unit = req.app.business.begin().await?;
    let (call, id) = (req.call_in(&scope), req.id("id")?);
    let opened = record::open::<Entry>(unit.as_ref(), call, id, &req.if_match()).await?;
    req.no_body()?;
    let posted = journal::post(opened).await?;
    let answer = entry_view::answer(&req, StatusCode::OK, &posted).await?;
    pending.finish(unit, answer).await
}

pub(super) async fn reverse(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let (_, scope) = req.books()?;
    let unit = req.app.business.begin().await?;
    let (call, id) = (req.call_in(&scope), req.id("id")?);
    let opened = record::alone::<Entry>(unit.as_ref(), call, id, &[], &req.if_match()).await?;
    let request: ReverseRequest = req.json()?;
    let reversal = journal::reverse(opened, request).await?;
    let answer = entry_view::answer(&req, StatusCode::CREATED, &reversal).await?;
    pending.finish(unit, answer.location(&location(&reversal))).await
}

fn location(entry: &Entry) -> String {
    format!("/books/{}/journal-entries/{}", entry.company, entry.id)
}

/// Posting along with writing takes the permission to post as well.
pub(super) fn permit(req: &ApiRequest, posts: bool) -> Result<(), Problem> {
    const POST: Permission = permission("accounting:journal.post");
    if !posts || req.caller.principal.grants.cover(POST) {
        return Ok(());
    }
    let detail = format!("the token lacks the permission {POST}, which `post` takes");
    Err(Problem::new(Code::MissingPermission, detail).requires(&POST).missing([POST]))
}

//! `/billing/series`

use std::collections::{BTreeMap, BTreeSet};

use http::StatusCode;
use svc_business::record;
use svc_business::sales::document::DocType;
use svc_business::sales::input::SeriesInput;
use svc_business::sales::operations::{create_series, update_series};
use svc_business::sales::series::Series;
use svc_business::sales::{SeriesFilter, SeriesSort};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, SeriesId};
use svc_core::page::PageRules;
use svc_core::resource::Resource;
use svc_core::wire::Form;
use svc_core::wire_view;
use time::Date;

use super::view::today_of;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::json::{Create, Update};
use crate::list::Listed;
use crate::problem::Problem;
use crate::query::{COMPANY, Kind, LIMIT, PAGE, Param};

const SORT: [(&str, SeriesSort); 2] = [("code", SeriesSort::Code), ("updatedAt", SeriesSort::UpdatedAt)];

pub(super) const PARAMS: [Param; 5] = [
    PAGE,
    LIMIT,
    COMPANY,
    Param::new("sort", Kind::Text, "One of code, updatedAt; `-` in front for descending."),
    Param::new(
        "active",
        Kind::OneOf(&["true", "false"]),
        "Only those that number further documents, or only others.",
    ),
];

wire_view! {
    /// What numbers sales documents.
    #[derive(Debug)]
    pub(crate) struct View as "Series" {
        id: SeriesId,
        object: &'static str => Form::one_of(&["series"]),
        company_id: AccountId,
        version: i64,
        /// Unique in the company.
        code: String => Form::ANY.example("F"),
        doc_types: BTreeSet<DocType> => Form::ANY.json(r#"["invoice"]"#),
        /// How its numbers are written.
        pattern: String => Form::ANY.example("{series}{yyyy}-{seq:5}"),
        /// Whether each year begins with 1.
        reset_yearly: bool,
        /// The sequence of the first document.
        first_sequence: u32 => Form::ANY.number(1),
        /// What a document of this year gets; null when none is left.
        next_sequence: Option<u32> => Form::ANY.number(43),
        /// The date of issue of the last document.
        last_issue_date: Option<String> => Form::DATE,
        /// Whether it numbers further documents.
        active: bool,
        external_id: Option<String>,
        metadata: BTreeMap<String, String> => Form::ANY.json(r#"{"region":"north"}"#),
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let query = &req.query;
    let (request, sort) = (query.page(PageRules::USUAL)?, query.sort(&SORT)?);
    let filter = SeriesFilter { companies: req.companies()?, active: query.parse("active")? };
    let (business, scope) = (&req.app.business, &req.caller.principal.scope);
    let page = business.series().page(scope, &filter, &sort, request).await?;
    let companies = business.accounts().find_all(scope, &filter.companies).await?;
    let view = |series: &Series| View::of(series, today_of(&companies, series.company, req.context.now));
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, view)))
}

pub(super) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let Create::<SeriesInput> { company, input } = req.json()?;
    let company = req.company(company)?;
    let unit = req.app.business.begin().await?;
    let home = record::home::<Series>(unit.as_ref(), req.call(), company).await?;
    let created = create_series(&home, &input).await?;
    let location = format!("/billing/series/{}", created.id);
    let answer = answer(&req, StatusCode::CREATED, &created).await?;
    pending.finish(unit, answer.location(&location)).await
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let found = req.app.business.series().find(&req.caller.principal.scope, req.id("id")?).await?;
    answer(&req, StatusCode::OK, &found.ok_or_else(Problem::not_found)?).await
}

pub(super) async fn update(req: ApiRequest) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::alone::<Series>(unit.as_ref(), req.call(), id, &[], &expected).await?;
    let Update(input) = req.json()?;
    let updated = update_series(opened, &input).await?;
    unit.commit().await?;
    answer(&req, StatusCode::OK, &updated).await
}

async fn answer(req: &ApiRequest, status: StatusCode, series: &Series) -> Result<Answer, Problem> {
    let company = req.company_of(&req.caller.principal.scope, series.company).await?;
    let view = View::of(series, company.local_date(req.context.now));
    Ok(Answer::plain(status, &view).of(series.company).version(series.version))
}

impl View {
    fn of(series: &Series, today: Date) -> Self {
        Self {
            id: series.id,
            object: Series::NAME,
            company_id: series.company,
            version: series.version.as_i64(),
            code: series.code.to_string(),
            doc_types: series.doc_types.clone(),
            pattern: series.pattern.to_string(),
            reset_yearly: series.reset_yearly,
            first_sequence: series.first_sequence,
            next_sequence: series.next_sequence(today.year()),
            last_issue_date: series.last.map(|last| last.date.to_string()),
            active: series.active,
            external_id: series.extension.external_id.clone(),
            metadata: series.extension.metadata.clone(),
            created_at: series.created_at,
            updated_at: series.updated_at,
        }
    }
}

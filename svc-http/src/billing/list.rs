//! GET /billing (specification, part 4.3: the list is `documents`, 50 a page and at most 500).

use std::collections::BTreeSet;

use http::StatusCode;
use svc_business::account::Account;
use svc_business::sales::document::{DocType, PaymentStatus, SalesDocument, State};
use svc_business::sales::{Outline, SalesFilter, SalesSort};
use svc_core::id::{AccountId, ContactId, SeriesId};
use svc_core::page::{Direction, Page, PageRules, Sort};
use svc_core::resource::{Resource, ResourceReader};
use svc_core::wire::Form;
use svc_core::wire_view;

use super::outline_view::Summary;
use super::parts_view::{
    LineView, PaymentView, TaxView, WithholdingView, lines, payments, taxes, withholdings,
};
use super::view::today_of;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;
use crate::query::{COMPANY, Kind, LIMIT, PAGE, Param, TEXT, UPDATED_SINCE, text_in};

const RULES: PageRules = PageRules { default: 50, max: 500 };
/// Pages of whole documents are smaller: each may have 500 lines.
const WHOLE: PageRules = PageRules { default: 50, max: 100 };

const SORT: [(&str, SalesSort); 5] = [
    ("issueDate", SalesSort::IssueDate),
    ("number", SalesSort::Number),
    ("dueDate", SalesSort::DueDate),
    ("total", SalesSort::Total),
    ("updatedAt", SalesSort::UpdatedAt),
];

pub(super) const PARAMS: [Param; 20] = [
    PAGE,
    LIMIT,
    COMPANY,
    Param::new(
        "sort",
        Kind::Text,
        "One of issueDate, number, dueDate, total, updatedAt; `-` in front for descending. Newest issues first when \
         left out.",
    ),
    text_in!(
        "the number, the reference, the notes, the first twenty lines and, once issued, the customer's name"
    ),
    Param::new("docType", Kind::OneOf(DocType::NAMES), "Only this type."),
    Param::new("status", Kind::OneOf(State::NAMES), "Only this status."),
    Param::new("paymentStatus", Kind::OneOf(PaymentStatus::NAMES), "Only this payment status."),
    Param::new("overdue", Kind::OneOf(&["true"]), "Only those of which something was due before today."),
    Param::new("contactId", Kind::id::<ContactId>(), "Only for this customer."),
    Param::new("seriesId", Kind::id::<SeriesId>(), "Only of this series."),
    Param::new("number", Kind::Text, "Only with this number, as a whole."),
    Param::new("currency", Kind::Text, "Only in this currency (ISO 4217)."),
    Param::new("minTotal", Kind::Text, "Only with this total or more, whatever the currency."),
    Param::new("maxTotal", Kind::Text, "Only with this total or less, whatever the currency."),
    Param::new("externalId", Kind::Text, "Only with this external id."),
    UPDATED_SINCE,
    Param::new("from", Kind::Date, "Issued on this day or later; drafts by the day (UTC) of their creation."),
    Param::new("to", Kind::Date, "Issued on this day or earlier; drafts by the day (UTC) of their creation."),
    Param::new(
        "include",
        Kind::OneOf(&["lines"]),
        "Adds lines, taxes, withholdings and payments, on pages of at most 100.",
    ),
];

wire_view! {
    /// A page of sales documents.
    #[derive(Debug)]
    #[expect(clippy::struct_field_names, reason = "the names are those of the specification")]
    pub(crate) struct Documents as "SalesDocumentPage" {
        /// The documents of this page.
        documents: Vec<Item>,
        /// Documents on all pages.
        total: u64,
        /// Which page this is, from 1.
        page: u32,
        /// Documents per page.
        limit: u32,
        /// Whether a further page has documents.
        has_more: bool,
    }
}

wire_view! {
    /// A sales document of a list.
    #[derive(Debug)]
    pub(crate) struct Item as "SalesDocumentItem" {
        #[serde(flatten)]
        [flat] summary: Summary,
        /// With `include=lines`.
        #[serde(skip_serializing_if = "Option::is_none")]
        [optional] lines: Option<Vec<LineView>>,
        /// With `include=lines`.
        #[serde(skip_serializing_if = "Option::is_none")]
        [optional] taxes: Option<Vec<TaxView>>,
        /// With `include=lines`.
        #[serde(skip_serializing_if = "Option::is_none")]
        [optional] withholdings: Option<Vec<WithholdingView>> => Form::ANY.json("[]"),
        /// With `include=lines`.
        #[serde(skip_serializing_if = "Option::is_none")]
        [optional] payments: Option<Vec<PaymentView>> => Form::ANY.json("[]"),
    }
}

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let query = &req.query;
    let whole = query.text("include")?.is_some();
    let request = query.page(if whole { WHOLE } else { RULES })?;
    let sort = query.sort(&SORT)?;
    let sort = Sort(sort.0.or(Some((SalesSort::IssueDate, Direction::Descending))));
    let filter = filter(&req).await?;
    let (scope, sales) = (&req.caller.principal.scope, req.app.business.sales());
    let documents = if whole {
        let page = ResourceReader::<SalesDocument>::page(sales, scope, &filter, &sort, request).await?;
        Documents::of(&req, &page, |document, companies| {
            let today = today_of(companies, document.company, req.context.now);
            Item {
                summary: Summary::of(&document.outline(), today),
                lines: Some(lines(&document.content)),
                taxes: Some(taxes(&document.content)),
                withholdings: Some(withholdings(&document.content)),
                payments: Some(payments(document)),
            }
        })
        .await?
    } else {
        let page = ResourceReader::<Outline>::page(sales, scope, &filter, &sort, request).await?;
        Documents::of(&req, &page, |outline, companies| {
            let today = today_of(companies, outline.company, req.context.now);
            let summary = Summary::of(outline, today);
            Item { summary, lines: None, taxes: None, withholdings: None, payments: None }
        })
        .await?
    };
    Ok(Answer::plain(StatusCode::OK, &documents))
}

async fn filter(req: &ApiRequest) -> Result<SalesFilter, Problem> {
    let query = &req.query;
    let (from, to) = query.dates()?;
    let text = |name| Ok::<_, Problem>(query.text(name)?.map(str::to_owned));
    let overdue = match query.text("overdue")? {
        Some(_) => {
            let primary = req.caller.principal.primary;
            let company = req.company_of(&req.caller.principal.scope, primary).await?;
            Some(company.local_date(req.context.now))
        }
        None => None,
    };
    Ok(SalesFilter {
        companies: req.companies()?,
        doc_type: query.parse("docType")?,
        state: query.parse("status")?,
        payment_status: query.parse("paymentStatus")?,
        overdue,
        contact: query.parse("contactId")?,
        series: query.parse("seriesId")?,
        number: text("number")?,
        currency: query.parse("currency")?,
        min_total: query.parse("minTotal")?,
        max_total: query.parse("maxTotal")?,
        text: text(TEXT)?,
        external_id: text("externalId")?,
        updated_since: query.updated_since()?,
        from,
        to,
    })
}

impl Documents {
    async fn of<R: Resource>(
        req: &ApiRequest,
        page: &Page<R>,
        item: impl Fn(&R, &[Account]) -> Item,
    ) -> Result<Self, Problem> {
        let ids: BTreeSet<AccountId> = page.items.iter().map(Resource::company).collect();
        let ids: Vec<_> = ids.into_iter().collect();
        let companies = req.app.business.accounts().find_all(&req.caller.principal.scope, &ids).await?;
        Ok(Self {
            documents: page.items.iter().map(|found| item(found, &companies)).collect(),
            total: page.total,
            page: page.request.page(),
            limit: page.request.limit(),
            has_more: page.has_more(),
        })
    }
}

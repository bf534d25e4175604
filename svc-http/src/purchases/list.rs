//! GET /supplier-documents

use std::collections::BTreeSet;

use http::StatusCode;
use svc_business::purchases::document::{DocType, PaymentStatus, State};
use svc_business::purchases::{Outline, PurchaseFilter, PurchaseSort};
use svc_core::id::SupplierId;
use svc_core::page::{Direction, PageRules, Sort};
use svc_core::resource::ResourceReader;

use super::outline_view::Summary;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::list::Listed;
use crate::problem::Problem;
use crate::query::{COMPANY, Kind, LIMIT, PAGE, Param, TEXT, UPDATED_SINCE, text_in};

const SORT: [(&str, PurchaseSort); 5] = [
    ("issueDate", PurchaseSort::IssueDate),
    ("dueDate", PurchaseSort::DueDate),
    ("total", PurchaseSort::Total),
    ("registerNumber", PurchaseSort::RegisterNumber),
    ("updatedAt", PurchaseSort::UpdatedAt),
];

pub(super) const PARAMS: [Param; 15] = [
    PAGE,
    LIMIT,
    COMPANY,
    Param::new(
        "sort",
        Kind::Text,
        "One of issueDate, dueDate, total, registerNumber, updatedAt; `-` in front for descending. Newest issues first \
         when left out.",
    ),
    text_in!("the number, the notes, the first twenty lines and, once approved, the supplier's name"),
    Param::new("docType", Kind::OneOf(DocType::NAMES), "Only this type."),
    Param::new("status", Kind::OneOf(State::NAMES), "Only this status."),
    Param::new("paymentStatus", Kind::OneOf(PaymentStatus::NAMES), "Only this payment status."),
    Param::new("overdue", Kind::OneOf(&["true"]), "Only those of which something was due before today."),
    Param::new("supplierId", Kind::id::<SupplierId>(), "Only of this supplier."),
    Param::new("number", Kind::Text, "Only with this number of the supplier's, as a whole."),
    Param::new("externalId", Kind::Text, "Only with this external id."),
    UPDATED_SINCE,
    Param::new("from", Kind::Date, "Issued on this day or later."),
    Param::new("to", Kind::Date, "Issued on this day or earlier."),
];

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let query = &req.query;
    let (request, sort) = (query.page(PageRules::USUAL)?, query.sort(&SORT)?);
    let sort = Sort(sort.0.or(Some((PurchaseSort::IssueDate, Direction::Descending))));
    let filter = filter(&req).await?;
    let (scope, business) = (&req.caller.principal.scope, &req.app.business);
    let documents = business.supplier_documents();
    let page = ResourceReader::<Outline>::page(documents, scope, &filter, &sort, request).await?;
    let ids: BTreeSet<_> = page.items.iter().map(|outline| outline.company).collect();
    let ids: Vec<_> = ids.into_iter().collect();
    let companies = business.accounts().find_all(scope, &ids).await?;
    let view = |outline: &Outline| {
        let company = companies.iter().find(|company| company.id == outline.company);
        let today =
            company.map_or_else(|| req.context.now.date(), |company| company.local_date(req.context.now));
        Summary::of(outline, today)
    };
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, view)))
}

async fn filter(req: &ApiRequest) -> Result<PurchaseFilter, Problem> {
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
    Ok(PurchaseFilter {
        companies: req.companies()?,
        doc_type: query.parse("docType")?,
        state: query.parse("status")?,
        payment_status: query.parse("paymentStatus")?,
        overdue,
        supplier: query.parse("supplierId")?,
        number: text("number")?,
        text: text(TEXT)?,
        external_id: text("externalId")?,
        updated_since: query.updated_since()?,
        from,
        to,
    })
}

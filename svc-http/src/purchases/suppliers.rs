//! `/suppliers` (specification, part 4.3: 50 a page and at most 500).

use std::collections::BTreeSet;

use http::StatusCode;
use svc_business::contact::Contact;
use svc_business::purchases::operations::{create_supplier, update_supplier};
use svc_business::purchases::supplier::{Supplier, SupplierInput, SupplierStatus, SupplierType};
use svc_business::purchases::{SupplierFilter, SupplierSort};
use svc_business::record;
use svc_core::id::{AccountId, ContactId};
use svc_core::page::PageRules;

use super::supplier_view::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::contacts::tax_id;
use crate::idempotency::{Committed, PendingReply};
use crate::json::{Create, Update};
use crate::list::Listed;
use crate::problem::Problem;
use crate::query::{COMPANY, Kind, LIMIT, PAGE, Param, TEXT, UPDATED_SINCE};

const RULES: PageRules = PageRules { default: 50, max: 500 };

const SORT: [(&str, SupplierSort); 3] = [
    ("name", SupplierSort::Name),
    ("createdAt", SupplierSort::CreatedAt),
    ("updatedAt", SupplierSort::UpdatedAt),
];

pub(super) const PARAMS: [Param; 12] = [
    PAGE,
    LIMIT,
    COMPANY,
    Param::new("sort", Kind::Text, "One of name, createdAt, updatedAt; `-` in front for descending."),
    Param::new(
        TEXT,
        Kind::Search,
        "A part of the contact's name, trade name or mail address; suppliers of at most 10,000 such contacts are found.",
    ),
    Param::new("status", Kind::OneOf(SupplierStatus::NAMES), "Only this status."),
    Param::new("supplierType", Kind::OneOf(SupplierType::NAMES), "Only this type."),
    Param::new("contactId", Kind::id::<ContactId>(), "Only this contact."),
    Param::new("taxId", Kind::Text, "Only with this tax id; needs a token that sees personal data."),
    Param::new("code", Kind::Text, "Only with this code of the company's own."),
    Param::new("externalId", Kind::Text, "Only with this external id."),
    UPDATED_SINCE,
];

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let query = &req.query;
    let (request, sort) = (query.page(RULES)?, query.sort(&SORT)?);
    let text = |name| Ok::<_, Problem>(query.text(name)?.map(str::to_owned));
    let companies = req.companies()?;
    let filter = SupplierFilter {
        status: query.parse("status")?,
        supplier_type: query.parse("supplierType")?,
        contact: query.parse("contactId")?,
        contacts: contacts(&req, &companies).await?,
        code: text("code")?,
        external_id: text("externalId")?,
        updated_since: query.updated_since()?,
        companies,
    };
    let (scope, business) = (&req.caller.principal.scope, &req.app.business);
    let page = business.suppliers().page(scope, &filter, &sort, request).await?;
    let ids: BTreeSet<_> = page.items.iter().map(|supplier| supplier.contact).collect();
    let ids: Vec<_> = ids.into_iter().collect();
    let found = business.contacts().find_all(scope, &ids).await?;
    Ok(Answer::personal(StatusCode::OK, move |access| {
        let of = |supplier: &Supplier| found.iter().find(|contact| contact.id == supplier.contact);
        Listed::of(&page, |supplier| View::of(supplier, of(supplier), access))
    }))
}

/// The contacts that `q` and `taxId` find; `None` without either.
async fn contacts(req: &ApiRequest, companies: &[AccountId]) -> Result<Option<Vec<ContactId>>, Problem> {
    let (scope, suppliers) = (&req.caller.principal.scope, req.app.business.suppliers());
    let by_text = match req.query.text(TEXT)? {
        Some(text) => Some(suppliers.contacts_with_text(scope, companies, text).await?),
        None => None,
    };
    let Some(tax_id) = tax_id(&req.query, req.access())? else { return Ok(by_text) };
    let mut found = suppliers.contacts_with_tax_id(scope, companies, &tax_id).await?;
    if let Some(others) = by_text {
        found.retain(|contact| others.contains(contact));
    }
    Ok(Some(found))
}

pub(super) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let Create::<SupplierInput> { company, input } = req.json()?;
    let company = req.company(company)?;
    let unit = req.app.business.begin().await?;
    let home = record::home::<Supplier>(unit.as_ref(), req.call(), company).await?;
    let created = create_supplier(&home, &input).await?;
    let contact = unit.contacts().find(req.call().scope, created.contact).await?;
    let location = format!("/suppliers/{}", created.id);
    pending.finish(unit, shown(StatusCode::CREATED, created, contact).location(&location)).await
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let (scope, business) = (&req.caller.principal.scope, &req.app.business);
    let found = business.suppliers().find(scope, req.id("id")?).await?;
    let supplier = found.ok_or_else(Problem::not_found)?;
    let contact = business.contacts().find(scope, supplier.contact).await?;
    Ok(shown(StatusCode::OK, supplier, contact))
}

pub(super) async fn update(req: ApiRequest) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::open::<Supplier>(unit.as_ref(), req.call(), id, &expected).await?;
    let Update(input) = req.json()?;
    let updated = update_supplier(opened, &input).await?;
    unit.commit().await?;
    let contact = req.app.business.contacts().find(&req.caller.principal.scope, updated.contact).await?;
    Ok(shown(StatusCode::OK, updated, contact))
}

fn shown(status: StatusCode, supplier: Supplier, contact: Option<Contact>) -> Answer {
    let (company, version) = (supplier.company, supplier.version);
    let answer = Answer::personal(status, move |access| View::of(&supplier, contact.as_ref(), access));
    answer.of(company).version(version)
}

//! GET /contacts (specification, part 4.3: `pages` instead of `hasMore`).

use http::StatusCode;
use svc_business::contact::{self, Contact, ContactFilter, ContactRole, ContactSort, StatusFilter};
use svc_business::party::{Country, TaxId, TaxIdKind};
use svc_core::id::ContactId;
use svc_core::page::{Page, PageRules};
use svc_core::pii::{Pii, PiiAccess};
use svc_core::wire_view;

use super::view::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;
use crate::query::{COMPANY, Kind, LIMIT, PAGE, Param, Query, TEXT, UPDATED_SINCE, text_in};

const RULES: PageRules = PageRules { default: 50, max: 200 };

const SORT: [(&str, ContactSort); 3] = [
    ("name", ContactSort::Name),
    ("createdAt", ContactSort::CreatedAt),
    ("updatedAt", ContactSort::UpdatedAt),
];

pub(super) const PARAMS: [Param; 15] = [
    PAGE,
    LIMIT,
    COMPANY,
    Param::new("sort", Kind::Text, "One of name, createdAt, updatedAt; `-` in front for descending."),
    text_in!("the name, the trade name and the mail address"),
    Param::new("role", Kind::OneOf(ContactRole::NAMES), "Only with this role."),
    Param::new("kind", Kind::OneOf(contact::Kind::NAMES), "Only this kind."),
    Param::new("status", Kind::OneOf(StatusFilter::NAMES), "Only this status; active ones when left out."),
    Param::new("tag", Kind::Text, "Only with this tag."),
    Param::new("taxId", Kind::Text, "Only with this tax id; needs a token that sees personal data."),
    Param::new("parentContactId", Kind::id::<ContactId>(), "Only of this organisation."),
    Param::new("externalId", Kind::Text, "Only with this external id."),
    UPDATED_SINCE,
    Param::new("from", Kind::Date, "Created on this date (UTC) or later."),
    Param::new("to", Kind::Date, "Created on this date (UTC) or earlier."),
];

wire_view! {
    /// A page of contacts.
    #[derive(Debug)]
    #[expect(clippy::struct_field_names, reason = "the names are those of the specification")]
    pub(crate) struct Contacts as "ContactPage" {
        /// The contacts of this page.
        contacts: Vec<View>,
        /// Contacts on all pages.
        total: u64,
        /// Which page this is, from 1.
        page: u32,
        /// Contacts per page.
        limit: u32,
        /// How many pages there are.
        pages: u64,
    }
}

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let query = &req.query;
    let (request, sort) = (query.page(RULES)?, query.sort(&SORT)?);
    let filter = ContactFilter { companies: req.companies()?, ..filter(query, req.access())? };
    let contacts = req.app.business.contacts();
    let page = contacts.page(&req.caller.principal.scope, &filter, &sort, request).await?;
    Ok(Answer::personal(StatusCode::OK, move |access| view(&page, access)))
}

fn filter(query: &Query, access: PiiAccess) -> Result<ContactFilter, Problem> {
    let (from, to) = query.dates()?;
    let text = |name| Ok::<_, Problem>(query.text(name)?.map(str::to_owned));
    Ok(ContactFilter {
        companies: Vec::new(),
        role: query.parse("role")?,
        kind: query.parse("kind")?,
        status: query.parse("status")?.unwrap_or_default(),
        tag: text("tag")?,
        text: text(TEXT)?,
        tax_id: tax_id(query, access)?,
        parent: query.parse("parentContactId")?,
        merged_into: None,
        external_id: text("externalId")?,
        updated_since: query.updated_since()?,
        from,
        to,
    })
}

/// The tax id that the query filters by.
pub(crate) fn tax_id(query: &Query, access: PiiAccess) -> Result<Option<Pii<TaxId>>, Problem> {
    query.unmasked("taxId", access)?;
    query.with("taxId", |text| {
        let spanish = TaxId::guess(text, Country::SPAIN).map(|(id, _)| id);
        let found = spanish.or_else(|_| TaxId::parse(text, TaxIdKind::ForeignId));
        found.map(Pii::new).map_err(|error| error.to_string())
    })
}

fn view(page: &Page<Contact>, access: PiiAccess) -> Contacts {
    Contacts {
        contacts: page.items.iter().map(|contact| View::of(contact, access)).collect(),
        total: page.total,
        page: page.request.page(),
        limit: page.request.limit(),
        pages: page.pages(),
    }
}

//! `GET /envelopes`

use http::StatusCode;
use svc_business::signature::{EnvelopeFilter, EnvelopeLink, EnvelopeSort, EnvelopeStatusFilter};
use svc_core::page::PageRules;

use super::view::EnvelopeView;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::list::Listed;
use crate::problem::Problem;
use crate::query::{COMPANY, Kind, LIMIT, PAGE, Param, TEXT, UPDATED_SINCE, text_in};

const SORT: [(&str, EnvelopeSort); 3] = [
    ("sentAt", EnvelopeSort::SentAt),
    ("expiresAt", EnvelopeSort::ExpiresAt),
    ("updatedAt", EnvelopeSort::UpdatedAt),
];

pub(super) const PARAMS: [Param; 12] = [
    PAGE,
    LIMIT,
    COMPANY,
    Param::new("sort", Kind::Text, "One of sentAt, expiresAt, updatedAt; `-` in front for descending."),
    text_in!("the subject and the signers' names and mail addresses"),
    Param::new("status", Kind::OneOf(EnvelopeStatusFilter::NAMES), "Only this status."),
    Param::new("signerEmail", Kind::Text, "Only those that name a person with this e-mail address."),
    Param::new("linkId", Kind::Text, "Only those that belong to this case, contact or sales document."),
    Param::new("externalId", Kind::Text, "Only the one with this external id."),
    UPDATED_SINCE,
    Param::new("from", Kind::Date, "Sent on this date or later, in UTC."),
    Param::new("to", Kind::Date, "Sent on this date or earlier, in UTC."),
];

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let query = &req.query;
    let (request, sort) = (query.page(PageRules::USUAL)?, query.sort(&SORT)?);
    let (from, to) = query.dates()?;
    let filter = EnvelopeFilter {
        companies: req.companies()?,
        status: query.parse("status")?,
        signer_email: query.parse("signerEmail")?,
        link: query.text("linkId")?.map(link).transpose()?,
        external_id: query.text("externalId")?.map(str::to_owned),
        text: query.text(TEXT)?.map(str::to_owned),
        updated_since: query.updated_since()?,
        from,
        to,
    };
    let page =
        req.app.business.envelopes().page(&req.caller.principal.scope, &filter, &sort, request).await?;
    Ok(Answer::personal(StatusCode::OK, move |access| {
        Listed::of(&page, |envelope| EnvelopeView::of(envelope, access))
    }))
}

/// The record that an id names by its prefix.
fn link(id: &str) -> Result<EnvelopeLink, Problem> {
    let case = id.parse().map(EnvelopeLink::Case);
    let contact = || id.parse().map(EnvelopeLink::Contact);
    let invoice = || id.parse().map(EnvelopeLink::Invoice);
    case.or_else(|_| contact())
        .or_else(|_| invoice())
        .map_err(|_| Problem::parameter("linkId", "must be the id of a case, a contact or a sales document"))
}

//! Changing what a subscription is told, where, and with which headers.

use std::collections::BTreeMap;

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use svc_core::id::SubscriptionId;
use svc_http::Problem;
use svc_webhooks::subscription::{self, Change, HeaderChanges, HeaderSecret, Subscription, UpdateRequest};

use super::draft::Draft;
use super::{found, subscribable};
use crate::errors::Errors;
use crate::frame::{Frame, Place};
use crate::gate::{Developer, Seen};
use crate::page;

#[derive(Template)]
#[template(path = "subscriptions/edit.html")]
struct View {
    f: Frame,
    id: SubscriptionId,
    version: String,
    draft: Draft,
    /// Another change came first.
    conflict: bool,
    errors: Errors,
}

/// GET /companies/{company}/webhooks/{id}/edit
pub(crate) async fn show(seen: Seen<Developer>) -> Result<Response, Problem> {
    let known = found(&seen, seen.id()?).await?;
    let draft = Draft::of(&seen, &known);
    form(&seen, StatusCode::OK, known.version.to_string(), draft, Errors::default())
}

/// POST /companies/{company}/webhooks/{id}/edit
pub(crate) async fn save(seen: Seen<Developer>) -> Result<Response, Problem> {
    let id: SubscriptionId = seen.id()?;
    let known = found(&seen, id).await?;
    let draft = Draft::read(&seen, seen.visit.form());
    if seen.expected().check(known.version).is_err() {
        return form(
            &seen,
            StatusCode::PRECONDITION_FAILED,
            known.version.to_string(),
            draft,
            Errors::default(),
        );
    }
    let mut errors = Errors::default();
    let headers = draft.headers(&seen, &mut errors);
    let request = UpdateRequest {
        name: Some(draft.name.clone()),
        url: Some(draft.url.clone()),
        events: Some(draft.events.named()),
        active: None,
        in_flight: draft.in_flight(&seen, &mut errors),
        headers: Some(changes(&known, headers)),
    };
    if errors.is_empty() {
        match saved(&seen, id, request).await {
            Ok(()) => return Ok(page::see_other(&seen.path(&format!("/webhooks/{id}")))),
            Err(problem) => errors.merge(Errors::of(problem, seen.language)?),
        }
    }
    let version = seen.visit.form().text("version").to_owned();
    form(&seen, StatusCode::UNPROCESSABLE_ENTITY, version, draft, errors)
}

async fn saved(seen: &Seen<Developer>, id: SubscriptionId, request: UpdateRequest) -> Result<(), Problem> {
    let app = seen.visit.app();
    // Resolves the URL's name, so no unit may be open yet.
    let change = Change::check(request, subscribable(seen), &*app.sender).await?;
    let unit = app.webhooks.begin().await?;
    let opened = subscription::open(unit.as_ref(), seen.call(), id, &seen.expected()).await?;
    subscription::update(opened, change).await?;
    Ok(unit.commit().await?)
}

/// The lines of the form are all headers that there are to be.
fn changes(known: &Subscription, headers: BTreeMap<String, HeaderSecret>) -> HeaderChanges {
    let named: Vec<String> = headers.keys().map(|name| name.to_ascii_lowercase()).collect();
    let dropped = known.headers.iter().map(|(name, _)| name);
    let dropped = dropped
        .filter(|name| !named.contains(&name.to_ascii_lowercase()))
        .map(|name| (name.to_owned(), None));
    HeaderChanges::Merge(
        dropped.chain(headers.into_iter().map(|(name, value)| (name, Some(value)))).collect(),
    )
}

fn form(
    seen: &Seen<Developer>,
    status: StatusCode,
    version: String,
    draft: Draft,
    errors: Errors,
) -> Result<Response, Problem> {
    page::with(
        status,
        &View {
            f: Frame::of(seen, Place::Webhooks),
            id: seen.id()?,
            version,
            draft,
            conflict: status == StatusCode::PRECONDITION_FAILED,
            errors,
        },
    )
}

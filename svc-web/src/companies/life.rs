//! Deactivating a company, with what follows told, and making it work again.

use askama::Template;
use axum::response::Response;
use svc_business::account::{self, Account, AccountStatus};
use svc_core::page::PageRules;
use svc_http::Problem;

use crate::frame::{Frame, Place};
use crate::gate::{Administrator, Seen};
use crate::page;

#[derive(Template)]
#[template(path = "companies/life.html")]
struct View {
    f: Frame,
    name: String,
    version: i64,
    active: bool,
    members: u64,
    /// Tokens, and connections of assistants.
    tokens: u64,
    webhooks: u64,
}

/// GET /companies/{company}/deactivate
pub(crate) async fn ask(seen: Seen<Administrator>) -> Result<Response, Problem> {
    let (app, at, company) = (seen.visit.app(), seen.at(), found(&seen).await?);
    let first = || PageRules::USUAL.page(None, Some(1)).map_err(|_| Problem::internal());
    let members = app.business.people().members(&at.scope, at.company.id, first()?).await?.total;
    let tokens = app.auth.tokens().page(&at.scope, first()?).await?.total;
    let webhooks = app.webhooks.subscriptions().page(&at.scope, first()?).await?.total;
    page::ok(&View {
        name: company.legal_name,
        version: company.version.as_i64(),
        active: company.status == AccountStatus::Active,
        members,
        tokens,
        webhooks,
        f: Frame::of(&seen, Place::Data),
    })
}

/// POST /companies/{company}/deactivate
pub(crate) async fn deactivate(seen: Seen<Administrator>) -> Result<Response, Problem> {
    let (app, id) = (seen.visit.app(), seen.at().company.id);
    let unit = app.business.begin().await?;
    let opened = account::alone(unit.as_ref(), seen.call(), id, &seen.expected()).await?;
    // A person has no primary company: that is a matter of tokens.
    account::deactivate(opened, None).await?;
    let committed = unit.commit().await;
    // Whatever is known of the commit: it may have taken place.
    app.authenticator.forget();
    committed?;
    Ok(page::see_other(&seen.path("/deactivate")))
}

/// POST /companies/{company}/reactivate
pub(crate) async fn reactivate(seen: Seen<Administrator>) -> Result<Response, Problem> {
    let (app, id) = (seen.visit.app(), seen.at().company.id);
    let unit = app.business.begin().await?;
    let opened = account::alone(unit.as_ref(), seen.call(), id, &seen.expected()).await?;
    account::reactivate(opened).await?;
    let committed = unit.commit().await;
    app.authenticator.forget();
    committed?;
    Ok(page::see_other(&seen.path("/deactivate")))
}

async fn found(seen: &Seen<Administrator>) -> Result<Account, Problem> {
    let (at, accounts) = (seen.at(), seen.visit.app().business.accounts());
    accounts.find(&at.scope, at.company.id).await?.ok_or_else(Problem::not_found)
}

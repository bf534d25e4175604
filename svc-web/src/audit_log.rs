//! The audit log of a company: who changed credentials, memberships and subscriptions, newest first.

pub(crate) mod table;
pub(crate) mod verification;

use std::collections::BTreeMap;
use std::net::IpAddr;

use askama::Template;
use axum::response::Response;
use svc_core::audit::{Action, Details, Filter, Record, Who};
use svc_core::page::PageRules;
use svc_http::Problem;
use svc_http::visit::Form;

use crate::frame::{Frame, Place};
use crate::gate::{Administrator, Seen};
use crate::instant::{Instant, day_after, first_of_day};
use crate::page;
use crate::pager::{self, Pager};
use crate::texts::{AuditLog, filled};

#[derive(Template)]
#[template(path = "audit_log/list.html")]
struct View {
    f: Frame,
    actions: Vec<(&'static str, bool)>,
    subject: String,
    from: String,
    to: String,
    rows: Vec<Row>,
    pager: Pager,
    /// Where the same is a table for spreadsheets.
    table: String,
}

struct Row {
    number: u64,
    at: Instant,
    who: String,
    address: Option<IpAddr>,
    action: &'static str,
    subject: String,
    before: Option<String>,
    after: Option<String>,
    seal: String,
}

/// Names of those who may have acted, by their ids.
type Names = BTreeMap<String, String>;

/// GET /companies/{company}/audit-log
pub(crate) async fn list(seen: Seen<Administrator>) -> Result<Response, Problem> {
    let (query, t) = (seen.visit.query(), &seen.texts().audit_log);
    let filter = filter(query);
    let page = seen.visit.app().audit.page(&seen.at().scope, &filter, pager::asked(query)).await?;
    let names = names(&seen).await?;
    page::ok(&View {
        f: Frame::of(&seen, Place::Audit),
        actions: Action::ALL.iter().map(|action| (action.name(), filter.action == Some(*action))).collect(),
        subject: query.text("subject").to_owned(),
        from: query.text("from").to_owned(),
        to: query.text("to").to_owned(),
        rows: page.items.iter().map(|record| row(record, &names, t)).collect(),
        pager: Pager::of(&page, seen.visit.uri(), seen.texts()),
        table: table::path(&seen),
    })
}

fn filter(query: &Form) -> Filter {
    Filter {
        action: query.text("action").parse().ok(),
        subject: Some(query.text("subject")).filter(|subject| !subject.is_empty()).map(str::to_owned),
        from: first_of_day(query.text("from")),
        until: day_after(query.text("to")),
    }
}

/// The members of the company and its tokens, as far as one page of each goes.
async fn names(seen: &Seen<Administrator>) -> Result<Names, Problem> {
    let (app, at) = (seen.visit.app(), seen.at());
    let most = PageRules::USUAL.page(None, Some(PageRules::USUAL.max)).map_err(|_| Problem::internal())?;
    let members = app.business.people().members(&at.scope, at.company.id, most).await?.items;
    let people =
        members.iter().filter_map(|member| member.person().map(|one| (one.id.to_string(), one.name.clone())));
    let tokens = app.auth.tokens().page(&at.scope, most).await?.items;
    Ok(people.chain(tokens.into_iter().map(|token| (token.id.to_string(), token.name))).collect())
}

fn row(record: &Record, names: &Names, t: &AuditLog) -> Row {
    let entry = &record.entry;
    let text = |details: &Option<Details>| details.as_ref().map(|details| details.as_str().to_owned());
    Row {
        number: record.number,
        at: entry.at.into(),
        who: told(&entry.actor.who, names, t),
        address: entry.actor.from.filter(|_| entry.concerns_the_company()),
        action: entry.action.name(),
        subject: entry.subject.clone(),
        before: text(&entry.before),
        after: text(&entry.after),
        seal: record.seal.to_string(),
    }
}

fn told(actor: &Who, known: &Names, t: &AuditLog) -> String {
    let called = |id: String| known.get(&id).cloned().unwrap_or(id);
    match actor {
        Who::Token(token) => filled(t.token, called(token.to_string())),
        Who::Person { user, .. } => called(user.to_string()),
        Who::Operator => t.operator.to_owned(),
        Who::Service(reason) => filled(t.service, reason),
    }
}

//! What assistants of a person wait for: calls that commit a company, each shown as it would be done.

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use svc_auth::approval::{self, Approval, Stage};
use svc_core::id::ApprovalId;
use svc_http::{Oauth, Problem};

use crate::frame::{Frame, Place};
use crate::gate::{Person, Seen};
use crate::instant::Instant;
use crate::page;

#[derive(Template)]
#[template(path = "approvals/list.html")]
struct List {
    f: Frame,
    rows: Vec<Row>,
}

struct Row {
    id: ApprovalId,
    what: String,
    company: String,
    client: String,
    until: Instant,
}

#[derive(Template)]
#[template(path = "approvals/show.html")]
struct View {
    f: Frame,
    what: String,
    client: String,
    /// The record as it is, and what the assistant adds.
    record: Vec<(String, String)>,
    added: Vec<(String, String)>,
    asked: Instant,
    until: Instant,
    path: String,
    /// What became of it; `None` while it waits.
    told: Option<(&'static str, &'static str)>,
    undecided: bool,
    /// What the person can say still.
    approvable: bool,
    declinable: bool,
}

/// GET /approvals
pub(crate) async fn list(seen: Seen<Person>) -> Result<Response, Problem> {
    let storage = oauth(&seen)?.storage();
    let open = approval::open(storage, seen.gate.visitor.signed_in(), seen.visit.now()).await?;
    let mut rows = Vec::with_capacity(open.len());
    for approval in open.into_iter().filter(|one| is_member(&seen, one)) {
        rows.push(Row {
            what: seen.texts().approvals.tool(&approval.tool),
            company: shown(&approval, "company").to_owned(),
            client: client(&seen, &approval).await?,
            until: approval.until.into(),
            id: approval.id,
        });
    }
    page::ok(&List { f: Frame::of(&seen, Place::Elsewhere), rows })
}

/// GET /approvals/{id}
pub(crate) async fn show(seen: Seen<Person>) -> Result<Response, Problem> {
    view(&seen, StatusCode::OK).await
}

/// POST /approvals/{id}
pub(crate) async fn decide(seen: Seen<Person>) -> Result<Response, Problem> {
    let id = found(&seen).await?.id;
    let approves = match seen.visit.form().text("decision") {
        "approve" => true,
        "decline" => false,
        _ => return view(&seen, StatusCode::UNPROCESSABLE_ENTITY).await,
    };
    let (storage, person) = (oauth(&seen)?.storage(), seen.gate.visitor.signed_in());
    if let Err(refused) = approval::decide(storage, seen.call(), person, id, approves).await {
        // What it has come to is told on its page.
        refused.into_own()?;
    }
    Ok(page::see_other(&path(id)))
}

async fn view(seen: &Seen<Person>, status: StatusCode) -> Result<Response, Problem> {
    let approval = found(seen).await?;
    let t = &seen.texts().approvals;
    let live = approval.is_live(seen.visit.now());
    let told = match approval.stage {
        Stage::Used => Some(("good", t.used)),
        Stage::Declined => Some(("", t.declined)),
        Stage::Approved if live => Some(("good", t.approved)),
        Stage::Asked if live => None,
        Stage::Asked | Stage::Approved => Some(("warn", t.ended)),
    };
    let lines = approval.shown.iter();
    let (added, record): (Vec<_>, Vec<_>) = lines.partition(|line| line.name.starts_with("data."));
    let told_line = |line: &approval::Shown| {
        let name = line.name.strip_prefix("data.").unwrap_or(&line.name);
        let value = if line.name == "way" { t.way(&line.value) } else { &line.value };
        (t.label(name).to_owned(), value.to_owned())
    };
    let view = View {
        what: t.tool(&approval.tool),
        client: client(seen, &approval).await?,
        record: record.into_iter().map(told_line).collect(),
        added: added.into_iter().map(told_line).collect(),
        asked: approval.asked_at.into(),
        until: approval.until.into(),
        path: path(approval.id),
        undecided: status != StatusCode::OK,
        approvable: live && approval.stage == Stage::Asked,
        declinable: live && matches!(approval.stage, Stage::Asked | Stage::Approved),
        told,
        f: Frame::of(seen, Place::Elsewhere),
    };
    page::with(status, &view)
}

/// The approval of the path: one that this person is asked for.
async fn found(seen: &Seen<Person>) -> Result<Approval, Problem> {
    let (id, person) = (seen.id::<ApprovalId>()?, seen.gate.visitor.signed_in().person().id);
    let found = oauth(seen)?.storage().approvals().approval(id).await?;
    found.filter(|found| found.person == person && is_member(seen, found)).ok_or_else(Problem::not_found)
}

/// Whether the person still belongs to the company: what is shown is of no concern to others.
fn is_member(seen: &Seen<Person>, approval: &Approval) -> bool {
    seen.gate.visitor.company(approval.company).is_some()
}

/// What the credential is called that asks: the name that its client gave itself.
async fn client(seen: &Seen<Person>, approval: &Approval) -> Result<String, Problem> {
    let credential = oauth(seen)?.storage().credentials().find(approval.credential).await?;
    Ok(credential.map_or_else(|| approval.credential.to_string(), |credential| credential.name))
}

fn shown<'a>(approval: &'a Approval, name: &str) -> &'a str {
    approval.shown.iter().find(|line| line.name == name).map_or("", |line| &line.value)
}

fn path(id: ApprovalId) -> String {
    format!("/approvals/{id}")
}

fn oauth(seen: &Seen<Person>) -> Result<&Oauth, Problem> {
    seen.visit.app().oauth.as_deref().ok_or_else(Problem::not_found)
}

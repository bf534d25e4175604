//! Groups of companies (specification, domain part 2.2): those of the companies that a person holds or administers.
//!
//! The use cases are those of `/groups`: who administers the company at the top decides about the name, the end and who
//! joins; a company may leave by itself.

pub(crate) mod change;
pub(crate) mod new;

use std::collections::HashMap;

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use svc_business::group::Group;
use svc_core::id::{AccountId, GroupId};
use svc_core::page::Sort;
use svc_core::resource::Resource as _;
use svc_http::Problem;

use crate::errors::Errors;
use crate::frame::{Frame, Place};
use crate::gate::{Person, Seen};
use crate::instant::Instant;
use crate::page;
use crate::pager::{self, Pager};

#[derive(Template)]
#[template(path = "groups/list.html")]
struct List {
    f: Frame,
    rows: Vec<Row>,
    pager: Pager,
    /// Whether there is a company that can be at the top of a new one.
    administers: bool,
}

struct Row {
    id: GroupId,
    name: String,
    parent: String,
    companies: usize,
}

#[derive(Template)]
#[template(path = "groups/show.html")]
struct View {
    f: Frame,
    id: GroupId,
    version: i64,
    name: String,
    /// What was typed in the place of the name.
    renamed: String,
    members: Vec<Member>,
    /// Whether the person administers the company at the top.
    decides: bool,
    /// Companies that can be added.
    others: Vec<Choice>,
    share: String,
    errors: Errors,
}

struct Member {
    id: AccountId,
    name: String,
    share: Option<String>,
    since: Instant,
    top: bool,
}

/// A company that a form offers.
struct Choice {
    id: String,
    name: String,
    chosen: bool,
}

/// GET /groups
pub(crate) async fn list(seen: Seen<Person>) -> Result<Response, Problem> {
    let (groups, call) = (seen.visit.app().business.groups(), seen.call());
    let page = groups.page(call.scope, &(), &Sort::default(), pager::asked(seen.visit.query())).await?;
    let names = names(&seen);
    let row = |group: &Group| Row {
        id: group.id,
        name: group.name.clone(),
        parent: called(&seen, &names, group.parent),
        companies: group.members.len(),
    };
    page::ok(&List {
        rows: page.items.iter().map(row).collect(),
        pager: Pager::of(&page, seen.visit.uri(), seen.texts()),
        administers: !names.is_empty(),
        f: Frame::of(&seen, Place::Elsewhere),
    })
}

/// GET /groups/{id}
pub(crate) async fn show(seen: Seen<Person>) -> Result<Response, Problem> {
    let group = found(&seen).await?;
    view(&seen, StatusCode::OK, &group, Errors::default())
}

/// The group of the path, as far as the person reaches it.
async fn found(seen: &Seen<Person>) -> Result<Group, Problem> {
    let (id, call) = (seen.id::<GroupId>()?, seen.call());
    seen.visit.app().business.groups().find(call.scope, id).await?.ok_or_else(Problem::not_found)
}

/// The companies that the person holds or administers, by id.
fn names(seen: &Seen<Person>) -> HashMap<AccountId, String> {
    let companies = seen.gate.visitor.companies().filter(|(company, _)| company.is_administered());
    companies.map(|(company, _)| (company.id, company.legal_name.clone())).collect()
}

/// A company by its name; one that the person does not administer by its id.
fn called(seen: &Seen<Person>, names: &HashMap<AccountId, String>, id: AccountId) -> String {
    let other = || seen.gate.visitor.company(id).map(|(company, _)| company.legal_name.clone());
    names.get(&id).cloned().or_else(other).unwrap_or_else(|| id.to_string())
}

/// Companies of the person that are not in the group, by name.
fn choices(names: &HashMap<AccountId, String>, group: Option<&Group>, chosen: &str) -> Vec<Choice> {
    let inside = |id: AccountId| group.is_some_and(|group| group.members.iter().any(|one| one.account == id));
    let choice = |(id, name): (&AccountId, &String)| {
        let id = id.to_string();
        Choice { chosen: id == chosen, id, name: name.clone() }
    };
    let mut all: Vec<_> = names.iter().filter(|(id, _)| !inside(**id)).map(choice).collect();
    all.sort_by(|one, other| (&one.name, &one.id).cmp(&(&other.name, &other.id)));
    all
}

fn view(seen: &Seen<Person>, status: StatusCode, group: &Group, errors: Errors) -> Result<Response, Problem> {
    let (names, form) = (names(seen), seen.visit.form());
    let members = group.members.iter().map(|member| Member {
        id: member.account,
        name: called(seen, &names, member.account),
        share: member.ownership_percent.clone(),
        since: member.since.into(),
        top: member.account == group.parent,
    });
    let decides = names.contains_key(&group.parent);
    let typed = |name: &str| Some(form.text(name).to_owned()).filter(|text| !text.is_empty());
    page::with(
        status,
        &View {
            id: group.id,
            version: group.version().as_i64(),
            name: group.name.clone(),
            renamed: typed("name").unwrap_or_else(|| group.name.clone()),
            members: members.collect(),
            decides,
            others: choices(&names, Some(group), form.text("company")),
            share: form.text("share").to_owned(),
            errors,
            f: Frame::of(seen, Place::Elsewhere),
        },
    )
}

//! Another name of a group, companies that join and leave it, and its end.

use axum::response::Response;
use http::StatusCode;
use svc_business::group::{self, UpdateRequest};
use svc_core::id::{AccountId, GroupId};
use svc_http::Problem;

use super::{called, found, names, view};
use crate::ask::{self, Question};
use crate::errors::Errors;
use crate::frame::Place;
use crate::gate::{Person, Seen};
use crate::page;

/// POST /groups/{id}
pub(crate) async fn rename(seen: Seen<Person>) -> Result<Response, Problem> {
    let (app, id) = (seen.visit.app(), seen.id::<GroupId>()?);
    let unit = app.business.begin().await?;
    let opened = group::open(unit.as_ref(), seen.call(), id, &seen.expected()).await?;
    let request = UpdateRequest { name: Some(seen.visit.form().text("name").to_owned()) };
    match group::update(opened, request).await {
        Ok(_) => unit.commit().await?,
        Err(refused) => {
            drop(unit);
            return wrong(&seen, Problem::group(refused, "name")).await;
        }
    }
    Ok(page::see_other(&format!("/groups/{id}")))
}

/// POST /groups/{id}/companies
pub(crate) async fn add(seen: Seen<Person>) -> Result<Response, Problem> {
    let (app, id, sent) = (seen.visit.app(), seen.id::<GroupId>()?, seen.visit.form());
    let Ok(account) = sent.text("company").parse::<AccountId>() else {
        let mut errors = Errors::default();
        errors.add("accountId", seen.texts().groups.no_company);
        return view(&seen, StatusCode::UNPROCESSABLE_ENTITY, &found(&seen).await?, errors);
    };
    let share = Some(sent.text("share").replace(',', ".")).filter(|share| !share.is_empty());
    let unit = app.business.begin().await?;
    let opened = group::open(unit.as_ref(), seen.call(), id, &seen.expected()).await?;
    if let Err(refused) = group::add_to(opened, account, share.as_deref()).await {
        drop(unit);
        return wrong(&seen, Problem::group(refused, "accountId")).await;
    }
    let committed = unit.commit().await;
    // Whatever is known of the commit: it may have taken place.
    app.authenticator.forget();
    committed?;
    Ok(page::see_other(&format!("/groups/{id}")))
}

/// POST /groups/{id}/companies/{account}/remove
pub(crate) async fn remove(seen: Seen<Person>) -> Result<Response, Problem> {
    let (app, id) = (seen.visit.app(), seen.id::<GroupId>()?);
    let account = seen.visit.named("account").and_then(|text| text.parse::<AccountId>().ok());
    let account = account.ok_or_else(Problem::not_found)?;
    let unit = app.business.begin().await?;
    let opened = group::open(unit.as_ref(), seen.call(), id, &seen.expected()).await?;
    let removed = group::remove(opened, account).await;
    removed.map_err(|refused| Problem::group(refused, "accountId"))?;
    let committed = unit.commit().await;
    app.authenticator.forget();
    committed?;
    // With its last company the group is gone, and with the last one of a person it is out of their sight.
    let left = app.business.groups().find(seen.call().scope, id).await?;
    Ok(page::see_other(&left.map_or_else(|| "/groups".to_owned(), |_| format!("/groups/{id}"))))
}

/// GET /groups/{id}/dissolve
pub(crate) async fn ask(seen: Seen<Person>) -> Result<Response, Problem> {
    let (group, t) = (found(&seen).await?, &seen.texts().groups);
    let question = Question {
        place: Place::Elsewhere,
        told: (t.dissolve, t.dissolve_text),
        subject: (&group.name, &called(&seen, &names(&seen), group.parent)),
        version: group.version,
        path: format!("/groups/{}", group.id),
        step: "dissolve",
        danger: true,
    };
    ask::page(&seen, question)
}

/// POST /groups/{id}/dissolve
pub(crate) async fn dissolve(seen: Seen<Person>) -> Result<Response, Problem> {
    let (app, id) = (seen.visit.app(), seen.id::<GroupId>()?);
    let unit = app.business.begin().await?;
    let opened = group::open(unit.as_ref(), seen.call(), id, &seen.expected()).await?;
    group::dissolve(opened).await.map_err(|refused| Problem::group(refused, "id"))?;
    let committed = unit.commit().await;
    app.authenticator.forget();
    committed?;
    Ok(page::see_other("/groups"))
}

/// The page again with what is wrong beside its field; a refusal that names none is for a page of its own.
async fn wrong(seen: &Seen<Person>, problem: Problem) -> Result<Response, Problem> {
    let status = problem.status();
    let errors = Errors::of(problem, seen.language)?;
    view(seen, status, &found(seen).await?, errors)
}

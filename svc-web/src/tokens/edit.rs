//! Changing a token's name, permissions, addresses and sight of personal data.

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use svc_auth::token::{self, Token, UpdateRequest};
use svc_http::visit::Form;
use svc_http::{Code, Problem};

use super::draft::{catalogue, lines};
use super::permissions::Picker;
use super::show;
use crate::errors::Errors;
use crate::frame::{Frame, Place};
use crate::gate::{Developer, Seen};
use crate::page;

#[derive(Template)]
#[template(path = "tokens/edit.html")]
struct View {
    f: Frame,
    id: String,
    version: String,
    draft: Draft,
    address: Option<String>,
    /// Another change came first.
    conflict: bool,
    errors: Errors,
}

struct Draft {
    name: String,
    picker: Picker,
    allowed_ips: String,
    personal_data: bool,
}

/// GET /companies/{company}/tokens/{id}/edit
pub(crate) async fn show(seen: Seen<Developer>) -> Result<Response, Problem> {
    let token = show::found(&seen).await?;
    let draft = Draft {
        name: token.name.clone(),
        picker: Picker::of(&token.grants, catalogue(&seen), seen.language),
        allowed_ips: token.allowed_ips.written().join("\n"),
        personal_data: token.personal_data,
    };
    form(&seen, StatusCode::OK, &token, token.version.to_string(), draft, Errors::default())
}

/// POST /companies/{company}/tokens/{id}/edit
pub(crate) async fn save(seen: Seen<Developer>) -> Result<Response, Problem> {
    let sent = seen.visit.form();
    let draft = Draft::read(&seen, sent);
    let request = UpdateRequest {
        name: Some(draft.name.clone()),
        permissions: Some(draft.picker.written()),
        personal_data: Some(draft.personal_data),
        allowed_ips: Some(lines(&draft.allowed_ips).map(str::to_owned).collect()),
    };
    let version = sent.text("version").to_owned();
    let app = seen.visit.app();
    let unit = app.auth.begin().await?;
    let opened = match token::open(unit.as_ref(), seen.call(), seen.id()?, &seen.expected()).await {
        Ok(opened) => opened,
        Err(refused) => {
            drop(unit);
            return conflict(&seen, refused.into(), draft).await;
        }
    };
    match token::update(opened, request, &app.policy).await {
        Ok(token) => {
            unit.commit().await?;
            app.authenticator.forget();
            Ok(page::see_other(&seen.path(&format!("/tokens/{}", token.id))))
        }
        Err(refused) => {
            drop(unit);
            let errors = Errors::of(Problem::from(refused), seen.language)?;
            let token = show::found(&seen).await?;
            form(&seen, StatusCode::UNPROCESSABLE_ENTITY, &token, version, draft, errors)
        }
    }
}

/// The form again with what was typed, at the version that there is now.
async fn conflict(seen: &Seen<Developer>, problem: Problem, draft: Draft) -> Result<Response, Problem> {
    if problem.code() != Code::VersionConflict {
        return Err(problem);
    }
    let token = show::found(seen).await?;
    form(seen, StatusCode::PRECONDITION_FAILED, &token, token.version.to_string(), draft, Errors::default())
}

impl Draft {
    fn read(seen: &Seen<Developer>, form: &Form) -> Self {
        Self {
            name: form.text("name").to_owned(),
            picker: Picker::from_form(form, catalogue(seen), seen.language),
            allowed_ips: form.raw("allowed-ips").trim().to_owned(),
            personal_data: form.has("personal-data"),
        }
    }
}

fn form(
    seen: &Seen<Developer>,
    status: StatusCode,
    token: &Token,
    version: String,
    draft: Draft,
    errors: Errors,
) -> Result<Response, Problem> {
    let address = seen.visit.from().map(|address| address.to_canonical().to_string());
    let f = Frame::of(seen, Place::Tokens);
    page::with(
        status,
        &View {
            f,
            id: token.id.to_string(),
            version,
            draft,
            address,
            conflict: status == StatusCode::PRECONDITION_FAILED,
            errors,
        },
    )
}

//! The data of a company: shown to members whose role reads it, changed by those whose role does.
//!
//! The rules are those of `PATCH /accounts/{id}`: a role is what its permissions are. Who may not see personal data sees
//! it masked, and no role that changes the company sees it so.

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use svc_auth::ports::{CompanyStanding, Standing};
use svc_business::account::{self, Account, AccountStatus, LegalForm, UpdateError};
use svc_business::catalogue::{permission, roles};
use svc_core::permission::Permission;
use svc_core::pii::PiiAccess;
use svc_core::refused::Refused;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use svc_http::Problem;

use super::draft::Draft;
use crate::errors::Errors;
use crate::frame::{Frame, Place};
use crate::gate::{Member, Seen};
use crate::page;

const READ: Permission = permission("contacts:accounts.read");
const UPDATE: Permission = permission("contacts:accounts.update");

#[derive(Template)]
#[template(path = "companies/data.html")]
struct View {
    f: Frame,
    draft: Draft,
    forms: Vec<(&'static str, &'static str)>,
    version: i64,
    /// Whether this person may change it, now.
    open: bool,
    /// What is to be told above the data: class, role and text.
    notes: Vec<(&'static str, &'static str, &'static str)>,
    /// How the link is called to the page that ends the company, or begins it again.
    life: Option<&'static str>,
    api_access: bool,
    errors: Errors,
}

/// GET /companies/{company}/data
pub(crate) async fn show(seen: Seen<Member>) -> Result<Response, Problem> {
    let company = found(&seen).await?;
    let draft = Draft::of(&company, access(&seen));
    form(&seen, StatusCode::OK, &company, draft, Errors::default())
}

/// POST /companies/{company}/data
pub(crate) async fn save(seen: Seen<Member>) -> Result<Response, Problem> {
    if !may(&seen, UPDATE) {
        return Err(Problem::role_required());
    }
    let (app, scope) = (seen.visit.app(), scope(&seen)?);
    let draft = Draft::read(seen.visit.form());
    let call = CallContext { access: access(&seen), ..seen.visit.call(&seen.gate.visitor, &scope) };
    let unit = app.business.begin().await?;
    let opened = account::open(unit.as_ref(), call, seen.gate.company.id, &seen.expected()).await;
    let opened = match opened {
        Ok(opened) => opened,
        Err(Refused::VersionConflict { .. }) => {
            drop(unit);
            let company = found(&seen).await?;
            return form(&seen, StatusCode::PRECONDITION_FAILED, &company, draft, Errors::default());
        }
        Err(refused) => return Err(refused.into()),
    };
    if let Err(refused) = account::update(opened, draft.input()).await {
        drop(unit);
        let (errors, company) = (wrong(&seen, refused)?, found(&seen).await?);
        return form(&seen, StatusCode::UNPROCESSABLE_ENTITY, &company, draft, errors);
    }
    let committed = unit.commit().await;
    // Its name may be another one.
    app.authenticator.forget();
    committed?;
    Ok(page::see_other(&format!("/companies/{}/data?saved", seen.gate.company.id)))
}

/// What is wrong, beside its fields; a refusal that names none is for a page of its own.
fn wrong(seen: &Seen<Member>, refused: Refused<UpdateError>) -> Result<Errors, Problem> {
    if matches!(refused, Refused::Own(UpdateError::CurrencyFrozen)) {
        let mut errors = Errors::default();
        errors.add("baseCurrency", seen.texts().company_data.currency_frozen);
        return Ok(errors);
    }
    Errors::of(refused.into(), seen.language)
}

/// Whether what a person is in a company reads its data.
pub(crate) fn reads(standing: &CompanyStanding) -> bool {
    match standing.membership {
        Standing::Member(role) => roles().of(role).cover(READ),
        Standing::Stranger | Standing::Former => false,
    }
}

/// Whether the role of the visitor has a permission.
fn may(seen: &Seen<Member>, required: Permission) -> bool {
    roles().of(seen.gate.role).cover(required)
}

/// That company alone, of which the visitor is a member.
fn scope(seen: &Seen<Member>) -> Result<Scope, Problem> {
    let reached = seen.gate.visitor.signed_in().reached();
    reached.only(seen.gate.company.id).ok_or_else(Problem::not_found)
}

fn access(seen: &Seen<Member>) -> PiiAccess {
    seen.visit.access_in(seen.gate.company.id)
}

async fn found(seen: &Seen<Member>) -> Result<Account, Problem> {
    if !may(seen, READ) {
        return Err(Problem::role_required());
    }
    let accounts = seen.visit.app().business.accounts();
    accounts.find(&scope(seen)?, seen.gate.company.id).await?.ok_or_else(Problem::not_found)
}

fn form(
    seen: &Seen<Member>,
    status: StatusCode,
    company: &Account,
    draft: Draft,
    errors: Errors,
) -> Result<Response, Problem> {
    let (t, life) = (&seen.texts().company_data, &seen.texts().company_life);
    let closed = company.status != AccountStatus::Active;
    let notes = [
        (seen.visit.query().has("saved"), ("good", "status", t.saved)),
        (status == StatusCode::PRECONDITION_FAILED, ("bad", "alert", t.conflict)),
        (closed, ("warn", "status", t.closed)),
        (!access(seen).is_full(), ("", "note", t.masked)),
    ];
    let view = View {
        f: Frame::of(seen, Place::Data),
        draft,
        forms: LegalForm::ALL.iter().map(|form| (form.name(), t.form(*form))).collect(),
        version: company.version.as_i64(),
        open: may(seen, UPDATE) && !closed,
        notes: notes.into_iter().filter_map(|(is_so, note)| is_so.then_some(note)).collect(),
        life: seen.gate.company.is_administered().then_some(if closed {
            life.reactivate
        } else {
            life.deactivate
        }),
        api_access: company.api_access,
        errors,
    };
    page::with(status, &view)
}

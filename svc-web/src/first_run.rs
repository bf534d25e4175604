//! The first run: a link, printed by the service that has no company yet, leads to the page that founds the first one.

use std::fmt;
use std::sync::Arc;

use askama::Template;
use async_trait::async_trait;
use axum::response::Response;
use http::StatusCode;
use subtle::ConstantTimeEq as _;
use svc_auth::session::PasswordText;
use svc_core::random::{self, RandomSource};
use svc_http::Problem;
use svc_http::visit::Seed;

use crate::errors::Errors;
use crate::frame::Frame;
use crate::gate::{Anyone, Seen};
use crate::page;
use crate::sign_in::{self, tied};

/// What the first company is made of.
#[derive(Debug)]
pub struct FirstCompany {
    /// Its registered name.
    pub legal_name: String,
    /// Who holds it: their full name.
    pub name: String,
    /// What they sign in with.
    pub email: String,
    /// Their password, which was not judged yet.
    pub password: PasswordText,
    /// The language of their pages: `en` or `es`.
    pub locale: &'static str,
}

/// Founds the first company of a service.
#[async_trait]
pub trait Founder: Send + Sync {
    /// Whether there is no company yet.
    ///
    /// # Errors
    /// When the store failed.
    async fn is_open(&self) -> Result<bool, Problem>;

    /// Founds it with its holder and their password, in one commit.
    ///
    /// # Errors
    /// A [`Problem`] that names the fields `legalName`, `name`, `email` or `password`, or another one, as when there is
    /// a company already; nothing was added.
    async fn found(&self, request: FirstCompany) -> Result<(), Problem>;
}

/// The right to found the first company: who knows the link may.
pub struct FirstRun {
    key: String,
    founder: Arc<dyn Founder>,
}

impl FirstRun {
    /// With a new key, which is good until there is a company, or the process ends.
    #[must_use]
    pub fn new(founder: Arc<dyn Founder>, random: &dyn RandomSource) -> Self {
        Self { key: random::base62(&random::bytes::<32>(random)), founder }
    }

    /// The path of the link, below that of the pages. It is a secret.
    #[must_use]
    pub fn path(&self) -> String {
        format!("/first-run/{}", self.key)
    }

    async fn admit(&self, key: Option<&str>) -> Result<(), Problem> {
        let known = bool::from(key.unwrap_or_default().as_bytes().ct_eq(self.key.as_bytes()));
        if known && self.founder.is_open().await? { Ok(()) } else { Err(Problem::not_found()) }
    }
}

impl fmt::Debug for FirstRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FirstRun").finish_non_exhaustive()
    }
}

#[derive(Template)]
#[template(path = "first_run.html")]
struct View {
    f: Frame,
    path: String,
    legal_name: String,
    name: String,
    email: String,
    errors: Errors,
}

/// GET /first-run/{key}
pub(crate) async fn show(seen: Seen<Anyone>, run: Arc<FirstRun>) -> Result<Response, Problem> {
    run.admit(seen.visit.named("key")).await?;
    form(&seen, &run, StatusCode::OK, Errors::default())
}

/// POST /first-run/{key}
pub(crate) async fn found(seen: Seen<Anyone>, run: Arc<FirstRun>) -> Result<Response, Problem> {
    run.admit(seen.visit.named("key")).await?;
    let (visit, sent) = (&seen.visit, seen.visit.form());
    let password = PasswordText::new(sent.raw("password"));
    let request = FirstCompany {
        legal_name: sent.text("legal-name").to_owned(),
        name: sent.text("name").to_owned(),
        email: sent.text("email").to_owned(),
        password: password.clone(),
        locale: seen.language.tag(),
    };
    if let Err(problem) = run.founder.found(request).await {
        return form(&seen, &run, StatusCode::UNPROCESSABLE_ENTITY, Errors::of(problem, seen.language)?);
    }
    let (_, value) = sign_in::begin(visit, sent.text("email"), password).await?;
    let mut response = page::see_other("/");
    page::set_cookie(&mut response, &visit.session_cookie(&value));
    Ok(response)
}

fn form(
    seen: &Seen<Anyone>,
    run: &FirstRun,
    status: StatusCode,
    errors: Errors,
) -> Result<Response, Problem> {
    let sent = seen.visit.form();
    let [legal_name, name, email] = ["legal-name", "name", "email"].map(|field| sent.text(field).to_owned());
    tied(seen, status, |tie: &Seed| {
        let f = Frame::before_sign_in(seen, tie);
        View { f, path: run.path(), legal_name, name, email, errors }
    })
}

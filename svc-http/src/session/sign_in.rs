//! POST /session

use http::StatusCode;
use serde::Deserialize;
use svc_auth::session::{self, PasswordText, SignInRequest};
use utoipa::ToSchema;

use super::view::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::{Nobody, cookie};
use crate::json::Input;
use crate::problem::Problem;

/// What somebody signs in with.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SignIn)]
pub(crate) struct Body {
    /// In any case.
    email: String,
    password: String,
}

impl Input for Body {}

pub(super) async fn sign_in(req: ApiRequest<Nobody>) -> Result<Answer, Problem> {
    let Body { email, password } = req.json()?;
    let (app, now) = (&req.app, req.context.now);
    let request = SignInRequest { email, password: PasswordText::new(&password), from: req.from };
    let (signed_in, value) = session::sign_in(
        &*app.sessions,
        &*app.hasher,
        &app.peppers,
        app.lifetime,
        request,
        now,
        &*app.random,
    )
    .await?;
    Ok(Answer::plain(StatusCode::CREATED, &View::of(&signed_in, &value.csrf()))
        .location("/session")
        .cookie(cookie::set(req.secure, &value)))
}

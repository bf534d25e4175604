//! POST /session

use http::StatusCode;
use svc_auth::session::{self, PasswordText, SignInRequest};
use svc_core::wire::Form;
use svc_core::wire_request;

use super::view::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::device;
use crate::gate::{Anonymous, cookie};
use crate::problem::Problem;

wire_request! {
    /// What a person signs in with.
    pub(crate) struct Body as "SignIn" {
        /// In any case.
        email: String => Form::EMAIL.example("ana@example.com"),
        password: String => Form::text(1, 1_024).example("correct horse battery staple"),
    }
}

pub(super) async fn sign_in(req: ApiRequest<Anonymous>) -> Result<Answer, Problem> {
    let Body { email, password } = req.json()?;
    let (app, now) = (&req.app, req.context.now);
    let password = PasswordText::new(&password);
    let request = SignInRequest { email, password, from: req.from, device: device::of(&req.headers) };
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
        .cookie(cookie::SESSION.set(req.app.settings.prefix(), req.secure, &value)))
}

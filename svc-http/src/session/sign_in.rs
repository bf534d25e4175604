//! POST /session

use http::StatusCode;
use svc_auth::session::{self, PasswordText, SessionValue, SignIn, SignInRequest, SignedIn};
use svc_core::clock::Timestamp;
use svc_core::wire::Form;
use svc_core::{wire_request, wire_view};

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

wire_view! {
    /// A sign-in that waits for a code of the second factor: POST /session/code completes it.
    pub(crate) struct Awaiting as "SignInAwaiting" {
        /// Until when the code may be given.
        expires_at: Timestamp,
    }
}

pub(super) async fn sign_in(req: ApiRequest<Anonymous>) -> Result<Answer, Problem> {
    let Body { email, password } = req.json()?;
    let (app, now) = (&req.app, req.context.now);
    let password = PasswordText::new(&password);
    let request = SignInRequest { email, password, from: req.from, device: device::of(&req.headers) };
    let (came, value) = session::sign_in(
        &*app.sessions,
        &*app.hasher,
        &app.peppers,
        app.lifetime,
        request,
        now,
        &*app.random,
    )
    .await?;
    let answer = match came {
        SignIn::Complete(signed_in) => opened(&signed_in, &value),
        SignIn::AwaitsCode(session) => {
            Answer::plain(StatusCode::ACCEPTED, &Awaiting { expires_at: session.expires_at })
        }
    };
    Ok(answer.cookie(cookie::SESSION.set(req.app.settings.prefix(), req.secure, &value)))
}

/// A session that opens what its person may open.
pub(super) fn opened(signed_in: &SignedIn, value: &SessionValue) -> Answer {
    Answer::plain(StatusCode::CREATED, &View::of(signed_in, &value.csrf())).location("/session")
}

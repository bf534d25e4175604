//! The second factor of the person who is signed in.

mod picture;

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use svc_auth::session::{self, PasswordText, RecoveryCode};
use svc_http::Problem;
use zeroize::Zeroizing;

use crate::errors::Errors;
use crate::frame::{Frame, Place};
use crate::gate::{Person, Seen};
use crate::instant::Instant;
use crate::page;
use crate::texts::filled;

#[derive(Template)]
#[template(path = "second_factor/state.html")]
struct State {
    f: Frame,
    on: Option<On>,
    ended: bool,
    errors: Errors,
}

#[derive(Template)]
#[template(path = "second_factor/device.html")]
struct Device {
    f: Frame,
    /// What the device is told; once.
    secret: Option<Shown>,
    errors: Errors,
}

/// What is told of one that is on.
struct On {
    since: Instant,
    left: String,
}

struct Shown {
    base32: Zeroizing<String>,
    uri: Zeroizing<String>,
    picture: picture::Picture,
}

#[derive(Template)]
#[template(path = "second_factor/codes.html")]
struct Kept {
    f: Frame,
    codes: Vec<Zeroizing<String>>,
    first: bool,
}

/// GET /second-factor
pub(crate) async fn show(seen: Seen<Person>) -> Result<Response, Problem> {
    state(&seen, StatusCode::OK, Errors::default()).await
}

/// POST /second-factor/enrol
pub(crate) async fn enrol(seen: Seen<Person>) -> Result<Response, Problem> {
    let (app, signed_in) = (seen.visit.app(), seen.gate.visitor.signed_in());
    let call = seen.call();
    let made =
        session::enrol(&*app.sessions, &*app.hasher, &app.peppers, call, signed_in, password(&seen)).await;
    let secret = match made {
        Ok(secret) => secret,
        Err(refused) => return refused_with(&seen, refused.into()).await,
    };
    let uri = secret.to_uri(host(&app.settings.public_url), &signed_in.person().email);
    let picture = picture::Picture::of(&uri)?;
    let secret = Some(Shown { base32: secret.to_base32(), uri, picture });
    page::ok(&Device { f: Frame::of(&seen, Place::Elsewhere), secret, errors: Errors::default() })
}

/// POST /second-factor/confirm
pub(crate) async fn confirm(seen: Seen<Person>) -> Result<Response, Problem> {
    let (app, signed_in) = (seen.visit.app(), seen.gate.visitor.signed_in());
    let (call, code) = (seen.call(), Zeroizing::new(seen.visit.form().text("code").to_owned()));
    match session::confirm_enrolment(&*app.sessions, &app.peppers, call, signed_in, &code).await {
        Ok(codes) => shown(&seen, &codes, true),
        Err(refused) => {
            // The secret is not shown again: a session that was taken over would have it.
            let errors = Errors::of(refused.into(), seen.language)?;
            let view = Device { f: Frame::of(&seen, Place::Elsewhere), secret: None, errors };
            page::with(StatusCode::UNPROCESSABLE_ENTITY, &view)
        }
    }
}

/// POST /second-factor/recovery-codes
pub(crate) async fn renew(seen: Seen<Person>) -> Result<Response, Problem> {
    let (app, signed_in) = (seen.visit.app(), seen.gate.visitor.signed_in());
    let (call, password) = (seen.call(), password(&seen));
    let renewed =
        session::renew_recovery_codes(&*app.sessions, &*app.hasher, &app.peppers, call, signed_in, password);
    match renewed.await {
        Ok(codes) => shown(&seen, &codes, false),
        Err(refused) => refused_with(&seen, refused.into()).await,
    }
}

/// POST /second-factor/turn-off
pub(crate) async fn turn_off(seen: Seen<Person>) -> Result<Response, Problem> {
    let (app, signed_in) = (seen.visit.app(), seen.gate.visitor.signed_in());
    let (call, password) = (seen.call(), password(&seen));
    let off = session::turn_off_second_factor(
        &*app.sessions,
        &*app.hasher,
        &app.peppers,
        call,
        signed_in,
        password,
    );
    match off.await {
        Ok(()) => Ok(page::see_other("/second-factor?ended")),
        Err(refused) => refused_with(&seen, refused.into()).await,
    }
}

/// What tells this service from others in the list of an app: its host.
fn host(public_url: &str) -> &str {
    let after_scheme = public_url.split_once("://").map_or(public_url, |(_, rest)| rest);
    after_scheme.split('/').next().unwrap_or(after_scheme)
}

fn password(seen: &Seen<Person>) -> PasswordText {
    PasswordText::new(seen.visit.form().raw("current"))
}

/// The page with what is wrong, where a field is named.
async fn refused_with(seen: &Seen<Person>, refused: Problem) -> Result<Response, Problem> {
    let errors = Errors::of(refused, seen.language)?;
    state(seen, StatusCode::UNPROCESSABLE_ENTITY, errors).await
}

async fn state(seen: &Seen<Person>, status: StatusCode, errors: Errors) -> Result<Response, Problem> {
    let user = seen.gate.visitor.signed_in().person().id;
    let factor = seen.visit.app().sessions.factors().factor_of(user).await?;
    let left = |number: usize| filled(seen.texts().second_factor.left, number);
    let on = factor.and_then(|factor| {
        Some(On { since: factor.confirmed_at?.into(), left: left(factor.recovery.len()) })
    });
    let ended = seen.visit.query().has("ended");
    page::with(status, &State { f: Frame::of(seen, Place::Elsewhere), on, ended, errors })
}

fn shown(seen: &Seen<Person>, codes: &[RecoveryCode], first: bool) -> Result<Response, Problem> {
    let codes = codes.iter().map(RecoveryCode::shown).collect();
    page::ok(&Kept { f: Frame::of(seen, Place::Elsewhere), codes, first })
}

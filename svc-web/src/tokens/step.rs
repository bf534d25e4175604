//! Switching a token off and on, a new value for it, and its end: each with a word of what follows.

use axum::response::Response;
use svc_auth::token::{self, Token};
use svc_core::id::TokenId;
use svc_http::Problem;

use super::{show, value};
use crate::ask::{self, Question};
use crate::frame::Place;
use crate::gate::{Developer, Seen};
use crate::once::{self, Once};
use crate::page;
use crate::texts::Tokens;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Disable,
    Enable,
    Rotate,
    Revoke,
}

/// GET /companies/{company}/tokens/{id}/{step}
pub(crate) async fn ask(seen: Seen<Developer>) -> Result<Response, Problem> {
    let (step, token) = (step(&seen)?, show::found(&seen).await?);
    let question = Question {
        place: Place::Tokens,
        told: step.told(&seen.texts().tokens),
        subject: (&token.name, &token.prefix),
        version: token.version,
        path: seen.path(&format!("/tokens/{}", token.id)),
        step: step.name(),
        danger: matches!(step, Step::Rotate | Step::Revoke),
    };
    ask::page(&seen, question)
}

/// POST /companies/{company}/tokens/{id}/{step}
pub(crate) async fn take(seen: Seen<Developer>) -> Result<Response, Problem> {
    let step = step(&seen)?;
    let path = seen.path(&format!("/tokens/{}", seen.id::<TokenId>()?));
    let sending = match once::claim(&seen.visit, &seen.at().visitor).await? {
        Once::First(sending) => sending,
        Once::Again(path) => return Ok(page::see_other(&path)),
    };
    let app = seen.visit.app();
    let unit = app.auth.begin().await?;
    let done = taken(&seen, step, &*unit).await;
    let again = |(_, value): &(Token, Option<token::TokenValue>)| {
        if value.is_some() { format!("{path}?again") } else { path.clone() }
    };
    let (token, new_value) = sending.settle(&seen.visit, unit, done, again).await?;
    app.authenticator.forget();
    new_value.map_or_else(|| Ok(page::see_other(&path)), |new_value| value::page(&seen, &token, &new_value))
}

async fn taken(
    seen: &Seen<Developer>,
    step: Step,
    unit: &dyn svc_auth::ports::AuthUnit,
) -> Result<(Token, Option<token::TokenValue>), Problem> {
    let opened = token::open(unit, seen.call(), seen.id()?, &seen.expected()).await?;
    Ok(match step {
        Step::Disable => (token::disable(opened).await?, None),
        Step::Enable => (token::enable(opened).await?, None),
        Step::Revoke => (token::revoke(opened).await?, None),
        Step::Rotate => {
            let (token, value) = token::rotate(opened, &seen.visit.app().peppers).await?;
            (token, Some(value))
        }
    })
}

fn step(seen: &Seen<Developer>) -> Result<Step, Problem> {
    let name = seen.visit.named("step").unwrap_or_default();
    let all = [Step::Disable, Step::Enable, Step::Rotate, Step::Revoke];
    all.into_iter().find(|step| step.name() == name).ok_or_else(Problem::not_found)
}

impl Step {
    const fn name(self) -> &'static str {
        match self {
            Self::Disable => "disable",
            Self::Enable => "enable",
            Self::Rotate => "rotate",
            Self::Revoke => "revoke",
        }
    }

    const fn told(self, t: &Tokens) -> (&'static str, &'static str) {
        match self {
            Self::Disable => (t.disable, t.disable_text),
            Self::Enable => (t.enable, t.enable_text),
            Self::Rotate => (t.rotate, t.rotate_text),
            Self::Revoke => (t.revoke, t.revoke_text),
        }
    }
}

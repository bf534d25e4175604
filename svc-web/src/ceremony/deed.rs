//! What a person does with a link: each deed has the envelope alone, in a unit of work of its own.

use svc_business::record;
use svc_business::signature::operations::{self, Ceremony};
use svc_business::signature::{CodeRequest, DeclineRequest, Envelope, EnvelopeRefused, SignRequest};
use svc_core::error::StoreError;
use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_http::visit::Led;

use crate::gate::{Anyone, Seen};

/// How often a deed is tried that comes at the same time as another one.
const TRIES: u32 = 3;

/// What is done.
#[derive(Clone, Copy)]
pub(super) enum Deed<'a> {
    /// A document is opened.
    View,
    RequestCode,
    ProveCode(&'a CodeRequest),
    Sign(&'a SignRequest),
    Decline(&'a DeclineRequest),
}

/// Does it.
///
/// # Errors
/// Why it was not done. A wrong code is counted all the same.
pub(super) async fn carry_out(
    seen: &Seen<Anyone>,
    led: &Led,
    deed: Deed<'_>,
) -> Result<(), Refused<EnvelopeRefused>> {
    for _ in 1..TRIES {
        match attempt(seen, led, deed).await {
            Err(Refused::Store(StoreError::Conflict | StoreError::Undone)) => {}
            ended => return ended,
        }
    }
    attempt(seen, led, deed).await
}

async fn attempt(seen: &Seen<Anyone>, led: &Led, deed: Deed<'_>) -> Result<(), Refused<EnvelopeRefused>> {
    let (visit, app) = (&seen.visit, seen.visit.app());
    let unit = app.business.begin().await?;
    let call = visit.call_of(led);
    let opened = record::alone::<Envelope>(unit.as_ref(), call, led.envelope, &[], &Expected::Any).await;
    let opened = opened.map_err(Refused::widen)?;
    let who = Ceremony { link: led.link, user_agent: visit.user_agent() };
    let mut judged = Ok(());
    match deed {
        Deed::View => drop(operations::view(opened, &who).await?),
        Deed::RequestCode => drop(operations::request_code(opened, &who, &app.ceremony_key).await?),
        Deed::ProveCode(request) => {
            judged = operations::prove_code(opened, &who, &app.ceremony_key, request).await?.1;
        }
        Deed::Sign(request) => drop(operations::sign(opened, &who, request).await?),
        Deed::Decline(request) => drop(operations::decline(opened, &who, request).await?),
    }
    unit.commit().await?;
    judged.map_err(|refused| Refused::Own(refused.into()))
}

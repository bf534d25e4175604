//! Switching a subscription off and on, a new secret for it, and its end: each with a word of what follows.

use axum::response::Response;
use svc_core::id::SubscriptionId;
use svc_http::Problem;
use svc_webhooks::ports::WebhookUnit;
use svc_webhooks::subscription::{self, Change, OpenedSubscription, Subscription, UpdateRequest};

use super::{found, secret, subscribable};
use crate::ask::{self, Question};
use crate::frame::Place;
use crate::gate::{Developer, Seen};
use crate::once::{self, Once};
use crate::page;
use crate::texts::Subscriptions;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Disable,
    Enable,
    Rotate,
    Remove,
}

/// GET /companies/{company}/webhooks/{id}/{step}
pub(crate) async fn ask(seen: Seen<Developer>) -> Result<Response, Problem> {
    let (step, one) = (step(&seen)?, found(&seen, seen.id()?).await?);
    let question = Question {
        place: Place::Webhooks,
        told: step.told(&seen.texts().subscriptions),
        subject: (&one.name, one.endpoint.as_str()),
        version: one.version,
        path: seen.path(&format!("/webhooks/{}", one.id)),
        step: step.name(),
        danger: matches!(step, Step::Rotate | Step::Remove),
    };
    ask::page(&seen, question)
}

/// POST /companies/{company}/webhooks/{id}/{step}
pub(crate) async fn take(seen: Seen<Developer>) -> Result<Response, Problem> {
    let (step, id) = (step(&seen)?, seen.id::<SubscriptionId>()?);
    let path = match step {
        Step::Remove => seen.path("/webhooks"),
        Step::Disable | Step::Enable | Step::Rotate => seen.path(&format!("/webhooks/{id}")),
    };
    let sending = match once::claim(&seen.visit, &seen.at().visitor).await? {
        Once::First(sending) => sending,
        Once::Again(path) => return Ok(page::see_other(&path)),
    };
    let unit = seen.visit.app().webhooks.begin().await?;
    let done = taken(&seen, step, &*unit, id).await;
    // A secret is in the first answer alone.
    let again = if step == Step::Rotate { format!("{path}?again") } else { path.clone() };
    let changed = sending.settle(&seen.visit, unit, done, |_| again).await?;
    match changed {
        Some(rotated) if step == Step::Rotate => secret::page(&seen, &rotated),
        Some(_) | None => Ok(page::see_other(&path)),
    }
}

async fn taken(
    seen: &Seen<Developer>,
    step: Step,
    unit: &dyn WebhookUnit,
    id: SubscriptionId,
) -> Result<Option<Subscription>, Problem> {
    let opened = subscription::open(unit, seen.call(), id, &seen.expected()).await?;
    Ok(match step {
        Step::Disable => Some(switched(seen, opened, false).await?),
        Step::Enable => Some(switched(seen, opened, true).await?),
        Step::Rotate => Some(subscription::rotate_secret(opened, &seen.visit.app().attempts.names).await?),
        Step::Remove => {
            subscription::remove(opened).await?;
            None
        }
    })
}

async fn switched(
    seen: &Seen<Developer>,
    opened: OpenedSubscription<'_>,
    active: bool,
) -> Result<Subscription, Problem> {
    let request = UpdateRequest { active: Some(active), ..UpdateRequest::default() };
    // Without a URL there is nothing to resolve.
    let change = Change::check(request, subscribable(seen), &*seen.visit.app().sender).await?;
    Ok(subscription::update(opened, change).await?)
}

fn step(seen: &Seen<Developer>) -> Result<Step, Problem> {
    let name = seen.visit.named("step").unwrap_or_default();
    let all = [Step::Disable, Step::Enable, Step::Rotate, Step::Remove];
    all.into_iter().find(|step| step.name() == name).ok_or_else(Problem::not_found)
}

impl Step {
    const fn name(self) -> &'static str {
        match self {
            Self::Disable => "disable",
            Self::Enable => "enable",
            Self::Rotate => "rotate-secret",
            Self::Remove => "remove",
        }
    }

    const fn told(self, t: &Subscriptions) -> (&'static str, &'static str) {
        match self {
            Self::Disable => (t.disable, t.disable_text),
            Self::Enable => (t.enable, t.enable_text),
            Self::Rotate => (t.rotate, t.rotate_text),
            Self::Remove => (t.remove, t.remove_text),
        }
    }
}

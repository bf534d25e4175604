//! A history in words.

use crate::webhooks::steps::history::{Pick, Step};
use crate::webhooks::steps::model::Model;
use crate::webhooks::steps::seen::{Answer, SeenAttempted};

/// What is about to happen.
pub(super) fn step(step: &Step, model: &Model) -> String {
    let subscription = |pick: Pick| named("subscription", pick.of(model.subscribed()));
    match step {
        Step::Create { company, name, url, events, held } => {
            let (name, url, events) = (name.written, url.written, events.written);
            format!("company {company} subscribes {name:?} at {url} to {events:?}, may read {held:?}")
        }
        Step::Update { subscription: pick, by, expected, change, held } => {
            let one = subscription(*pick);
            let mut words = format!("{by:?} changes {one} at {expected:?} version, may read {held:?}:");
            let name = change.name.map(|name| format!(" name {:?}", name.written));
            let url = change.url.map(|url| format!(" url {}", url.written));
            let events = change.events.map(|events| format!(" events {:?}", events.written));
            let active = change.active.map(|active| format!(" active {active}"));
            let in_flight = change.in_flight.map(|number| format!(" in flight {number}"));
            words.extend([name, url, events, active, in_flight].into_iter().flatten());
            words
        }
        Step::Rotate { subscription: pick, by, expected } => {
            format!("{by:?} rotates the secret of {} at {expected:?} version", subscription(*pick))
        }
        Step::Remove { subscription: pick, by, expected } => {
            format!("{by:?} removes {} at {expected:?} version", subscription(*pick))
        }
        Step::Publish { company, kind, count, ago } => {
            format!("{count} {kind} of {}, {ago:?} ago", named("company", *company))
        }
        Step::FanOut { worker, events, room } => {
            format!("worker {worker} fans out {events} events, leases {room} of each subscription")
        }
        Step::Claim { worker, limit, each, room, retries } => {
            let later = if *retries { "" } else { ", first attempts alone" };
            let room = room.map(|(pick, room)| format!(", {room} of {}", subscription(pick)));
            let room = room.unwrap_or_default();
            format!("worker {worker} claims {limit}, {each} of each{room}{later}")
        }
        Step::Drain { worker } => format!("worker {worker} claims all that is due"),
        Step::Attempt { worker, back, reply, takes } => {
            format!("worker {worker} attempts under its lease {back} back: {reply:?} after {takes:?}")
        }
        Step::Settle { worker, back, count } => {
            format!("worker {worker} settles {count} attempts from {back} back")
        }
        Step::Release { worker, back, count } => {
            format!("worker {worker} gives back {count} leases from {back} back")
        }
        Step::Round { worker, .. } => format!("worker {worker} does a round"),
        Step::Redeliver { delivery, by } => {
            format!("{by:?} redelivers {}", named("delivery", delivery.of(model.made)))
        }
        Step::Test { subscription: pick, by, worker } => {
            format!("{by:?} tests {} through worker {worker}", subscription(*pick))
        }
        Step::Purge { ago, limit } => format!("{limit} deliveries older than {ago:?} are purged"),
    }
}

fn named(what: &str, number: Option<usize>) -> String {
    number.map_or_else(|| format!("an unknown {what}"), |number| format!("{what} {number}"))
}

/// What was answered.
pub(super) fn answer(answer: &Answer) -> String {
    match answer {
        Answer::Done => String::new(),
        Answer::Claimed(leased) => {
            let numbers: Vec<_> = leased.iter().map(|lease| lease.delivery.number).collect();
            format!(" → deliveries {numbers:?}")
        }
        Answer::Attempted(SeenAttempted { delivery, sent }) => match sent {
            Some((url, secret)) => format!(" → delivery {delivery} to {url}, signed with secret {secret}"),
            None => format!(" → delivery {delivery} is given up"),
        },
        Answer::Created(_)
        | Answer::Changed(_)
        | Answer::Removed
        | Answer::Added(_)
        | Answer::NotFound
        | Answer::Version(_)
        | Answer::MissingPermissions(_)
        | Answer::Invalid(_)
        | Answer::Url
        | Answer::Refused
        | Answer::NotEnded(_)
        | Answer::Inactive
        | Answer::FannedOut { .. }
        | Answer::Settled(_)
        | Answer::Purged(_) => format!(" → {answer:?}"),
    }
}

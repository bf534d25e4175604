//! A history as the use cases live it over a storage, step by step beside the model.

mod calls;
mod look;
mod no_backoff;
mod queue;
mod tell;

use std::collections::BTreeMap;
use std::time::Duration;

use svc_core::audit::AuditReader;
use svc_core::clock::Clock;
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::id::{AccountId, DeliveryId, EventId, SubscriptionId, TypedId};
use svc_webhooks::delivery::AttemptConfig;
use svc_webhooks::ports::{Leased, QueueOverview, Settlement, WebhookStorage};
use svc_webhooks::retry::RetrySchedule;
use svc_webhooks::subscription::SigningSecret;

use super::divergence::{Divergence, Played};
use super::history::{By, COMPANIES, Expected, History, LEASE, Pick, START, Step, WORKERS};
use super::model::Model;
use super::model::delivering::claims::ModelRequest;
use super::seen::Answer;
use crate::fakes::{ManualClock, SeededRandom};

/// More than any history makes.
const MANY: u32 = 1_000;

/// What a history is played on: a storage, and what else there is to look at it with.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The storage.
    pub storage: &'a dyn WebhookStorage,
    /// The same storage once more, if it tells what its queue holds.
    pub overview: Option<&'a dyn QueueOverview>,
    /// The audit log that its units write to, if it can be read.
    pub log: Option<&'a dyn AuditReader>,
}

impl<'a> Subject<'a> {
    /// A storage and nothing beside it.
    #[must_use]
    pub fn of(storage: &'a dyn WebhookStorage) -> Self {
        Self { storage, overview: None, log: None }
    }
}

/// Plays a history on a storage, and compares what it does with the model after each step.
///
/// `number` keeps histories on one storage apart; at its end a
/// history has removed all that it made, so that the next one finds an empty queue.
///
/// # Errors
/// [`Divergence`]: where the storage does not do what the model says.
pub async fn play(subject: Subject<'_>, number: u32, history: &History) -> Result<Played, Divergence> {
    let mut stage =
        Stage { model: Model::new(), player: Player::new(subject, number), played: Played::default() };
    match stage.live(history).await {
        Ok(()) => Ok(stage.played),
        Err(difference) => Err(Divergence { lines: stage.played.lines, difference }),
    }
}

struct Stage<'a> {
    model: Model,
    player: Player<'a>,
    played: Played,
}

/// What the storage made of the history so far.
pub(super) struct Player<'a> {
    storage: &'a dyn WebhookStorage,
    overview: Option<&'a dyn QueueOverview>,
    log: Option<&'a dyn AuditReader>,
    random: SeededRandom,
    clock: ManualClock,
    config: AttemptConfig,
    companies: [AccountId; COMPANIES],
    /// Each subscription that was ever made, its company, and every secret that it had.
    subscriptions: Vec<(SubscriptionId, usize, Vec<SigningSecret>)>,
    events: Vec<Event>,
    event_numbers: BTreeMap<EventId, usize>,
    deliveries: BTreeMap<usize, DeliveryId>,
    delivery_numbers: BTreeMap<DeliveryId, usize>,
    workers: [Hands; WORKERS],
}

/// Everything that a worker ever held in hands.
#[derive(Default)]
struct Hands {
    leases: Vec<Leased>,
    attempted: Vec<Settlement>,
}

impl<'a> Player<'a> {
    fn new(subject: Subject<'a>, number: u32) -> Self {
        let Subject { storage, overview, log } = subject;
        let random = SeededRandom::new(u64::from(number));
        let timeout = Duration::from_secs(10);
        let address = "https://svc.example/webhooks".to_owned();
        let config = AttemptConfig::new(timeout, RetrySchedule::STANDARD, address).lease_for(LEASE);
        Self {
            storage,
            overview,
            log,
            companies: [(); COMPANIES].map(|()| AccountId::generate(START, &random)),
            random,
            clock: ManualClock::at(START),
            config,
            subscriptions: Vec::new(),
            events: Vec::new(),
            event_numbers: BTreeMap::new(),
            deliveries: BTreeMap::new(),
            delivery_numbers: BTreeMap::new(),
            workers: Default::default(),
        }
    }
}

impl Stage<'_> {
    async fn live(&mut self, history: &History) -> Result<(), String> {
        for (wait, step) in &history.steps {
            if let Step::Round { worker, waits, reply } = *step {
                let quiet = self.model.quiet_for().filter(|_| waits).unwrap_or_default();
                let had = self.leases_of(worker);
                self.step((*wait).max(quiet), &Step::Drain { worker }).await?;
                let count = self.leases_of(worker) - had;
                let takes = Duration::from_millis(250);
                for back in (0..count).rev() {
                    self.step(Duration::ZERO, &Step::Attempt { worker, back, reply, takes }).await?;
                }
                if count > 0 {
                    self.step(takes, &Step::Settle { worker, back: 0, count }).await?;
                }
            } else {
                self.step(*wait, step).await?;
            }
        }
        self.player.audited(&self.model.audited).await?;
        self.tidy().await
    }

    /// Nothing stays behind what is removed.
    async fn tidy(&mut self) -> Result<(), String> {
        let soon = Duration::from_millis(1);
        for number in 0..self.model.subscribed() {
            let subscription = Pick::Made(number);
            let remove = Step::Remove { subscription, by: By::Owner, expected: Expected::Any };
            self.step(soon, &remove).await?;
        }
        self.step(soon, &Step::FanOut { worker: 0, events: MANY, room: 0 }).await
    }

    fn leases_of(&self, worker: usize) -> usize {
        self.model.workers.get(worker).map_or(0, |worker| worker.leases.len())
    }

    async fn step(&mut self, wait: Duration, step: &Step) -> Result<(), String> {
        self.model.now = self.model.now.plus(wait);
        self.player.clock.set(self.model.now);
        self.played.lines.push(format!("{} {}", self.model.now, tell::step(step, &self.model)));
        let seen = self.take(step).await;
        if let (Ok(answer), Some(line)) = (&seen, self.played.lines.last_mut()) {
            line.push_str(&tell::answer(answer));
        }
        let answer = seen?;
        *self.played.answers.entry(answer.kind()).or_default() += 1;
        self.look().await
    }

    /// What the storage answers, if it is what the model says.
    async fn take(&mut self, step: &Step) -> Result<Answer, String> {
        match *step {
            Step::Claim { worker, limit, each, room, retries } => {
                let room = room.and_then(|(pick, room)| Some((pick.of(self.model.subscribed())?, room)));
                let request = ModelRequest { limit, each, room, retries };
                let leased = self.player.claim(worker, request).await.map_err(failed)?;
                let answer = Answer::Claimed(leased);
                self.check_claim(worker, request, answer)
            }
            Step::Drain { worker } => self.drain(worker).await,
            Step::Purge { ago, limit } => {
                let before = self.model.now.minus(ago);
                let gone = self.player.purge(before, limit).await?;
                self.model.purge(before, limit, &gone).map_err(|error| format!("{gone:?} went; {error}"))?;
                Ok(Answer::Purged(gone))
            }
            Step::Round { .. }
            | Step::Create { .. }
            | Step::Update { .. }
            | Step::Rotate { .. }
            | Step::Remove { .. }
            | Step::Publish { .. }
            | Step::FanOut { .. }
            | Step::Attempt { .. }
            | Step::Settle { .. }
            | Step::Release { .. }
            | Step::Redeliver { .. }
            | Step::Test { .. } => {
                let answer = self.player.take(step, &self.model).await.map_err(failed)?;
                let expected = self.model.take(step);
                self.model.now = self.model.now.max(self.player.clock.now());
                if answer == expected {
                    Ok(answer)
                } else {
                    Err(format!("the answer is\n{answer:#?}\nand not\n{expected:#?}"))
                }
            }
        }
    }

    /// Claims until nothing is due; nothing that can be claimed is left.
    async fn drain(&mut self, worker: usize) -> Result<Answer, String> {
        let request = ModelRequest { limit: 50, each: 50, room: None, retries: true };
        let mut all = Vec::new();
        for _ in 0..MANY {
            let leased = self.player.claim(worker, request).await.map_err(failed)?;
            if leased.is_empty() {
                if self.player.next_due().await.map_err(failed)?.is_some_and(|at| at <= self.model.now) {
                    continue;
                }
                break;
            }
            self.model.claimed(worker, request, &leased)?;
            all.extend(leased);
        }
        let left = self.model.claimable();
        if left.is_empty() { Ok(Answer::Claimed(all)) } else { Err(format!("deliveries {left:?} are left")) }
    }

    fn check_claim(
        &mut self,
        worker: usize,
        request: ModelRequest,
        answer: Answer,
    ) -> Result<Answer, String> {
        let Answer::Claimed(leased) = &answer else { return Ok(answer) };
        match self.model.claimed(worker, request, leased) {
            Ok(()) => Ok(answer),
            Err(error) => {
                let told: Vec<_> = leased.iter().map(|lease| format!("{lease:?}")).collect();
                Err(format!("{}\nwere leased: {error}", told.join("\n")))
            }
        }
    }

    async fn look(&mut self) -> Result<(), String> {
        let seen = self.player.picture(&self.model).await.map_err(failed)?;
        let id = |number: usize| self.player.deliveries.get(&number);
        let expected = self.model.picture(|one, other| id(one).cmp(&id(other)));
        if let Some(difference) = seen.differs_from(&expected) {
            return Err(difference);
        }
        let next = self.player.next_due().await.map_err(failed)?;
        // What could be claimed for a while may be said to be due just now.
        let at_once = self.model.now;
        match self.model.next_claim() {
            Some(at) if next.is_none_or(|next| next > at.max(at_once)) => {
                Err(format!("something can be claimed at {at}, and the queue says {next:?}"))
            }
            Some(_) | None => Ok(()),
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "what `map_err` asks for")]
fn failed(error: StoreError) -> String {
    format!("the storage failed: {error:?}")
}

impl Model {
    /// What must be answered to a step that leaves no choice.
    fn take(&mut self, step: &Step) -> Answer {
        match *step {
            Step::Create { company, name, url, events, held } => {
                self.create(company, (name, url, events), held)
            }
            Step::Update { subscription, by, expected, ref change, held } => {
                self.update(subscription.of(self.subscribed()), (by, expected, held), change)
            }
            Step::Rotate { subscription, by, expected } => {
                self.rotate(subscription.of(self.subscribed()), by, expected)
            }
            Step::Remove { subscription, by, expected } => {
                self.remove(subscription.of(self.subscribed()), by, expected)
            }
            Step::Publish { company, kind, count, ago } => self.publish(company, kind, count, ago),
            Step::FanOut { worker, events, room } => self.fan_out(worker, events, room),
            Step::Attempt { worker, back, reply, takes } => match self.lease_of(worker, back) {
                Some(lease) => self.attempt(worker, lease, reply, takes),
                None => Answer::Done,
            },
            Step::Settle { worker, back, count } => self.settle(worker, back, count),
            Step::Release { worker, back, count } => self.release(worker, back, count),
            Step::Redeliver { delivery, by } => self.redeliver(delivery, by),
            Step::Test { subscription, by, worker } => self.test(subscription, by, worker),
            Step::Claim { .. } | Step::Drain { .. } | Step::Purge { .. } | Step::Round { .. } => Answer::Done,
        }
    }
}

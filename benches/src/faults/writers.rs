//! Clients that create something, each with a name of its own, and remember what was acknowledged.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use svc_core::random::RandomSource as _;
use svc_testkit::fakes::SeededRandom;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::{Answer, Client};

/// How much is written.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// So many clients.
    pub writers: u32,
    /// One request of each in this time; as fast as answers come when it is `None`.
    pub every: Option<Duration>,
    /// Whether a request carries a key and is sent again until it is known how it ended.
    pub keyed: bool,
}

/// What clients create.
#[derive(Clone)]
pub struct Task {
    path: String,
    body: Arc<dyn Fn(&str) -> String + Send + Sync>,
}

impl Task {
    /// What is posted to a path, by a name that no other request has.
    #[must_use]
    pub fn new(path: &str, body: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        Self { path: path.to_owned(), body: Arc::new(body) }
    }

    /// Contacts.
    #[must_use]
    pub fn contacts() -> Self {
        let body = |name: &str| format!(r#"{{"kind":"organization","legalName":"{name}"}}"#);
        Self::new("/api/v1/contacts", body)
    }
}

/// What the clients were told.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// The ids of what was answered with 201, and when.
    pub acknowledged: Vec<(String, Instant)>,
    /// Other answers by status and code.
    pub refused: BTreeMap<String, u64>,
    /// Connections that broke, or could not be made.
    pub broken: u64,
    /// Answers that a client cannot make sense of: neither 201 nor an invitation to try again.
    pub wrong: u64,
}

/// The clients at work.
pub struct Writers {
    over: Arc<AtomicBool>,
    kept: Arc<Mutex<Kept>>,
    tasks: Vec<JoinHandle<()>>,
}

struct Writer {
    client: Client,
    task: Task,
    name: String,
    pace: Pace,
    up: watch::Receiver<Vec<SocketAddr>>,
    random: SeededRandom,
    over: Arc<AtomicBool>,
    kept: Arc<Mutex<Kept>>,
}

impl Writers {
    /// Starts them; they use any of the servers that are `up`.
    #[must_use]
    pub fn start(
        token: &str,
        task: &Task,
        pace: Pace,
        up: &watch::Receiver<Vec<SocketAddr>>,
        seed: u64,
    ) -> Self {
        let (over, kept) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::default()));
        let writer = |number: u32| Writer {
            client: Client::new(token),
            task: task.clone(),
            name: format!("Acme {seed}-{number}"),
            pace,
            up: up.clone(),
            random: SeededRandom::new(seed ^ (u64::from(number) << 32)),
            over: Arc::clone(&over),
            kept: Arc::clone(&kept),
        };
        let tasks = (0..pace.writers).map(|number| tokio::spawn(writer(number).run())).collect();
        Self { over, kept, tasks }
    }

    /// So many writes have been acknowledged so far.
    #[must_use]
    pub fn acknowledged(&self) -> usize {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).acknowledged.len()
    }

    /// Ends them; answers what they were told.
    ///
    /// # Panics
    /// When one of them did.
    pub async fn stop(self) -> Kept {
        self.over.store(true, Ordering::Relaxed);
        for task in self.tasks {
            task.await.expect("no writer failed");
        }
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Writer {
    async fn run(mut self) {
        let mut turns = interval(self.pace.every.unwrap_or(Duration::from_nanos(1)));
        turns.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut number = 0_u64;
        while !self.over.load(Ordering::Relaxed) {
            if self.pace.every.is_some() {
                turns.tick().await;
            }
            number += 1;
            let name = format!("{}-{number}", self.name);
            let body = (self.task.body)(&name);
            let key = self.pace.keyed.then(|| name.replace(' ', "-"));
            while !self.try_once(key.as_deref(), &body).await
                && self.pace.keyed
                && !self.over.load(Ordering::Relaxed)
            {
                sleep(Duration::from_millis(10)).await;
            }
        }
    }

    /// Sends one request; answers whether it is known how it ended.
    async fn try_once(&mut self, key: Option<&str>, body: &str) -> bool {
        let Some(to) = self.server().await else { return false };
        let answer = self.client.post(to, &self.task.path, key, body).await;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        match answer {
            Ok(answer) if answer.status == 201 => {
                kept.acknowledged.push((answer.text("id"), Instant::now()));
                true
            }
            Ok(answer) => {
                let code = answer.text("code");
                *kept.refused.entry(format!("{} {code}", answer.status)).or_default() += 1;
                let later = is_later(&answer);
                // The claim of a request that died ends by itself, after a minute: too long to wait for.
                let died = code == "idempotency_in_progress";
                kept.wrong += u64::from(!later && !died);
                !later
            }
            Err(_) => {
                kept.broken += 1;
                false
            }
        }
    }

    /// One of the servers that are up; waits a moment when there is none.
    async fn server(&mut self) -> Option<SocketAddr> {
        let chance = usize::try_from(self.random.next_u64() >> 33).unwrap_or_default();
        let up = self.up.borrow_and_update().clone();
        if up.is_empty() {
            drop(tokio::time::timeout(Duration::from_millis(100), self.up.changed()).await);
            return None;
        }
        up.get(chance % up.len()).copied()
    }
}

/// Whether it says to try again, and when.
pub(super) fn is_later(answer: &Answer) -> bool {
    matches!(answer.status, 429 | 503) && answer.tells_when
}

/// A number below `limit`, from a seeded source.
pub(super) fn below(random: &SeededRandom, limit: u64) -> u64 {
    let mut bytes = [0; 8];
    random.fill(&mut bytes);
    u64::from_le_bytes(bytes) % limit.max(1)
}

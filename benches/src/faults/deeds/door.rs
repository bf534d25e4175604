//! How a client goes on while servers come and go.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use svc_testkit::fakes::SeededRandom;
use tokio::sync::watch;

use super::super::writers::{below, is_later};
use super::super::{Answer, Client, Report};

/// What all clients of a run share.
#[derive(Clone)]
pub(super) struct Hall {
    pub(super) token: String,
    pub(super) up: watch::Receiver<Vec<SocketAddr>>,
    pub(super) over: Arc<AtomicBool>,
    pub(super) tally: Arc<Mutex<Tally>>,
    pub(super) seed: u64,
}

/// How requests ended that were not answered as they are meant to be.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    broken: u64,
    later: u64,
    wrong: Vec<String>,
}

/// What a client works with.
pub(super) struct Door {
    pub(super) client: Client,
    pub(super) random: SeededRandom,
    hall: Hall,
}

impl Hall {
    /// The door of the client with this number.
    pub(super) fn door(&self, number: u64) -> Door {
        let random = SeededRandom::new(self.seed ^ (number << 40));
        Door { client: Client::new(&self.token), random, hall: self.clone() }
    }
}

impl Door {
    /// Whether the client is to go on.
    pub(super) fn is_open(&self) -> bool {
        !self.hall.over.load(Ordering::Relaxed)
    }

    /// One of the servers that are up, once there is one.
    pub(super) async fn server(&mut self) -> SocketAddr {
        loop {
            let up = self.hall.up.borrow_and_update().clone();
            let chance = below(&self.random, u64::try_from(up.len()).unwrap_or_default());
            if let Some(one) = up.get(usize::try_from(chance).unwrap_or_default()) {
                return *one;
            }
            drop(tokio::time::timeout(Duration::from_millis(100), self.hall.up.changed()).await);
        }
    }

    /// The answer with one of these statuses; `None` where it is not known how the request ended, or it did nothing.
    pub(super) fn taken(&self, what: &str, answer: io::Result<Answer>, good: &[u16]) -> Option<Answer> {
        let mut tally = self.hall.tally.lock().unwrap_or_else(PoisonError::into_inner);
        match answer {
            Ok(answer) if good.contains(&answer.status) => return Some(answer),
            Ok(answer) if is_later(&answer) || answer.text("code") == "too_many_imports" => tally.later += 1,
            Ok(answer) => {
                let body = String::from_utf8_lossy(&answer.body);
                let start: String = body.chars().take(300).collect();
                tally.wrong.push(format!("{what}: {} {start}", answer.status));
            }
            Err(_) => tally.broken += 1,
        }
        None
    }
}

impl Tally {
    pub(super) fn report(&self, report: &mut Report) {
        report.shown("connections broken under the clients of files, statements and envelopes", self.broken);
        report.shown("their requests that were to be sent later", self.later);
        report.most("their answers that are wrong", self.wrong.len(), 0);
        for wrong in self.wrong.iter().take(5) {
            report.shown("wrong", wrong);
        }
    }
}

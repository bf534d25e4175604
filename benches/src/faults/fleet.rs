//! The servers of a site, one of which is killed now and then.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use svc_testkit::fakes::SeededRandom;
use tokio::sync::watch;
use tokio::time::sleep;

use super::writers::below;
use super::{Engine, Process, Site};

/// How hard it is made.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// So many kills.
    pub kills: usize,
    /// At most so long after the last start, at least a fifth of it.
    pub within: Duration,
    /// Clients that write.
    pub writers: u32,
    /// Decides which process is killed when, and how the receiver answers.
    pub seed: u64,
}

/// Servers of one site: one on SQLite, two on PostgreSQL. Each process has a name of its own: what it sent is known by it,
/// however late that was read.
pub(super) struct Fleet<'a> {
    site: &'a Site,
    servers: Vec<Process>,
    started: u64,
    /// Those that answer.
    pub(super) up: watch::Sender<Vec<SocketAddr>>,
}

impl<'a> Fleet<'a> {
    pub(super) async fn start(site: &'a Site, engine: Engine) -> Self {
        let count = match engine {
            Engine::Sqlite => 1,
            Engine::Postgres => 2,
        };
        let mut fleet = Self { site, servers: Vec::new(), started: 0, up: watch::Sender::new(Vec::new()) };
        for place in 0..count {
            fleet.serve(place).await;
        }
        fleet
    }

    /// One that answers.
    pub(super) fn first(&self) -> &Process {
        self.servers.first().expect("there is one")
    }

    async fn serve(&mut self, place: usize) {
        self.started += 1;
        let server = self.site.serve(&format!("server-{}.example", self.started)).await;
        self.servers.insert(place, server);
        self.tell();
    }

    fn tell(&self) {
        self.up.send_replace(self.servers.iter().map(|server| server.api).collect());
    }

    /// Waits a while by chance, kills a server, and starts another one in its place. `begins` is called just before.
    /// Answers the name of what was killed, and from when to when.
    pub(super) async fn kill_one(
        &mut self,
        plan: &Plan,
        random: &SeededRandom,
        begins: impl FnOnce(Instant),
    ) -> (String, Instant, Instant) {
        let fifth = u64::try_from(plan.within.as_micros()).unwrap_or(u64::MAX) / 5;
        sleep(Duration::from_micros(fifth + below(random, fifth * 4))).await;
        let count = u64::try_from(self.servers.len()).unwrap_or(u64::MAX);
        let place = usize::try_from(below(random, count)).unwrap_or_default();
        let server = self.servers.remove(place);
        let (name, began) = (server.name.clone(), Instant::now());
        begins(began);
        server.kill().await;
        let ended = Instant::now();
        self.tell();
        self.serve(place).await;
        (name, began, ended)
    }

    /// Ends all of them in good order.
    pub(super) async fn stop(self) {
        for server in self.servers {
            assert!(server.stop().await.success(), "a server ends in good order:\n{}", self.site.log());
        }
    }
}

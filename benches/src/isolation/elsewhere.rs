//! The hostile receivers, in a process of their own.
//!
//! In truth they are on other machines. Here they share the processors with all that is measured, and some of them
//! do a lot: they write without end, or make sessions of TLS. So they are lowest in priority (`nice`), and what they
//! use is told apart from what the server does.

use std::env::current_exe;
use std::io::{BufRead as _, BufReader, Read as _, Write as _, stdin, stdout};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use svc_testkit::hostile::{Behaviour, Certificate, Certificates, Door, HostileReceiver, Stage, corpus};

use crate::usage::Usage;

/// The argument that makes the executable of the proof play the receivers.
pub const PLAY: &str = "play-hostile-receivers";

/// A running process of them; it ends when this is dropped.
#[derive(Debug)]
pub(super) struct Elsewhere {
    child: Child,
    /// Where they are, in the order of [`behaviours`].
    pub(super) urls: Vec<String>,
}

impl Elsewhere {
    /// Starts this executable once more.
    ///
    /// # Panics
    /// When it does not start.
    pub(super) fn start() -> Self {
        let mut command = Command::new("nice");
        command.args(["-n", "19"]).arg(current_exe().expect("it has a path")).arg(format!("--{PLAY}"));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let mut line = String::new();
        let told = child.stdout.take().expect("piped");
        BufReader::new(told).read_line(&mut line).expect("a line");
        let urls = serde_json::from_str(&line).expect("the URLs of the receivers");
        Self { child, urls }
    }

    /// What they cost.
    pub(super) fn usage(&self) -> Usage {
        Usage::of(self.child.id())
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        // Without its input it ends by itself; it may have done so.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// What they do: everything that shows to a sender which trusts none of their certificates.
pub(super) fn behaviours() -> impl Iterator<Item = Behaviour> {
    corpus().into_iter().filter(|one| one.door != Door::Tls(Certificate::Good))
}

/// Plays them until standard input ends; prints their URLs before.
///
/// # Panics
/// When they cannot be started.
pub fn play() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let receivers = runtime.block_on(start());
    let urls: Vec<_> = receivers.iter().map(HostileReceiver::url_by_address).collect();
    let told = serde_json::to_string(&urls).expect("texts");
    writeln!(stdout(), "{told}").expect("it is read");
    stdin().read_to_end(&mut Vec::new()).expect("nothing is written to it");
}

async fn start() -> Vec<HostileReceiver> {
    let stage = Stage {
        tick: Duration::from_secs(1),
        elsewhere: "http://127.0.0.1:9/".to_owned(),
        certificates: Certificates::generate(),
    };
    let mut receivers = Vec::new();
    for behaviour in behaviours() {
        receivers.push(HostileReceiver::start(behaviour, &stage).await.expect("a port"));
    }
    receivers
}

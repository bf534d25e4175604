//! The hostile receivers, in a process of their own.

use std::time::Duration;

use svc_testkit::hostile::{Behaviour, Certificate, Certificates, Door, HostileReceiver, Stage, corpus};

use crate::elsewhere::{Elsewhere, answer};

/// The argument that makes the executable of the proof play the receivers.
pub const PLAY: &str = "play-hostile-receivers";

/// Starts them; answers where they are, in the order of [`behaviours`].
pub(super) fn start() -> (Elsewhere, Vec<String>) {
    Elsewhere::start(PLAY, &())
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
    let receivers = runtime.block_on(started());
    answer(&receivers.iter().map(HostileReceiver::url_by_address).collect::<Vec<_>>());
}

async fn started() -> Vec<HostileReceiver> {
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

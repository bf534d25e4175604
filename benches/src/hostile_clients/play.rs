//! The hostile clients, in a process of their own.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;

use super::behaviours::{Behaviour, Target, all};
use super::client;
use crate::elsewhere::{Elsewhere, answer, told};

/// The argument that makes the executable of the command play the clients.
pub const PLAY: &str = "play-hostile-clients";

/// Which clients, and where the server is.
#[derive(Debug, Deserialize, Serialize)]
struct Part {
    name: String,
    target: Target,
}

/// Starts the clients of a behaviour.
pub(super) fn start(behaviour: Behaviour, target: &Target) -> Elsewhere {
    let part = Part { name: behaviour.name.to_owned(), target: target.clone() };
    let (clients, ()) = Elsewhere::start(PLAY, &part);
    clients
}

/// Plays the clients that standard input names, until it ends.
///
/// # Panics
/// When it names none.
pub fn play() {
    let Part { name, target } = told();
    let behaviour = all().into_iter().find(|one| one.name == name).expect("it has a name");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let target = Arc::new(target);
    let mut clients = JoinSet::new();
    for number in 0..behaviour.connections {
        clients.spawn_on(client::play(Arc::clone(&target), behaviour, number), runtime.handle());
    }
    answer(&());
}

//! What the two ends say to each other.

use serde::{Deserialize, Serialize};

use super::frame::{self, FrameError};
use crate::commands::change::Change;
use crate::failure::Failure;
use crate::output::Answer;

/// To be raised with any change of the messages: a test below pins them.
const PROTOCOL: u32 = 1;

/// The first word of the server. Later protocols may add to it.
#[derive(Deserialize, Serialize)]
pub(super) struct Greeting {
    protocol: u32,
    version: String,
}

/// What a command asks.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    protocol: u32,
    change: Change,
}

/// What any protocol's request begins with.
#[derive(Deserialize)]
struct Spoken {
    protocol: u32,
}

/// What came of it.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Reply {
    /// The command prints this.
    Done(Answer),
    /// The command fails with this.
    Failed(Failure),
}

impl Greeting {
    pub(super) fn ours() -> Self {
        Self { protocol: PROTOCOL, version: env!("CARGO_PKG_VERSION").to_owned() }
    }

    /// Refuses a server of another protocol, before it is told anything.
    pub(super) fn check(&self) -> Result<(), Failure> {
        if self.protocol == PROTOCOL {
            return Ok(());
        }
        Err(mismatch(&format!(
            "the running server (version {}) has protocol {}, this command (version {}) has {PROTOCOL}",
            self.version,
            self.protocol,
            env!("CARGO_PKG_VERSION"),
        )))
    }
}

impl Request {
    pub(super) fn of(change: Change) -> Self {
        Self { protocol: PROTOCOL, change }
    }

    /// Reads the change in the bytes of a frame.
    pub(super) fn read(bytes: &[u8]) -> Result<Change, Failure> {
        let Spoken { protocol } = frame::message(bytes).map_err(|error| invalid(&error))?;
        if protocol != PROTOCOL {
            return Err(mismatch(&format!(
                "the request has protocol {protocol}, the running server (version {}) has {PROTOCOL}",
                env!("CARGO_PKG_VERSION"),
            )));
        }
        let Self { change, .. } = frame::message(bytes).map_err(|error| invalid(&error))?;
        Ok(change)
    }
}

impl From<Result<Answer, Failure>> for Reply {
    fn from(outcome: Result<Answer, Failure>) -> Self {
        match outcome {
            Ok(answer) => Self::Done(answer),
            Err(failure) => Self::Failed(failure),
        }
    }
}

impl From<Reply> for Result<Answer, Failure> {
    fn from(reply: Reply) -> Self {
        match reply {
            Reply::Done(answer) => Ok(answer),
            Reply::Failed(failure) => Err(failure),
        }
    }
}

/// A request that is none.
pub(super) fn invalid(error: &FrameError) -> Failure {
    Failure::caused("admin_request_invalid", "the server cannot take the request", error)
        .hint("run `svc-server` of the version that serves")
}

fn mismatch(what: &str) -> Failure {
    Failure::new("admin_protocol", what)
        .hint("run `svc-server` of the version that serves, or start the server again with this one")
}

#[cfg(test)]
mod tests;

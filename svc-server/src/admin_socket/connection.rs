//! The command's end: a server that greeted, and one question.

use std::io;
use std::path::Path;
use std::time::Duration;
use svc_core::error::chain;

use tokio::net::UnixStream;

use super::frame::{self, FrameError};
use super::message::{Greeting, Reply, Request};
use super::{path_of, peer};
use crate::commands::change::Change;
use crate::failure::Failure;
use crate::output::Answer;

/// For the greeting: longer than the server takes for those that came before.
const GREETED: Duration = Duration::from_secs(30);
/// For the question to leave.
const SENT: Duration = Duration::from_secs(5);
/// For the answer: longer than the server takes for anything.
const ANSWERED: Duration = Duration::from_secs(90);

/// A server that greeted in our protocol.
pub(crate) struct Connection(UnixStream);

impl Connection {
    /// Connects to the server that has the database; `None` when none listens, or it is ending.
    ///
    /// # Errors
    /// When there is one and it is not for this command.
    pub(super) async fn open(database: &Path) -> Result<Option<Self>, Failure> {
        let path = path_of(database);
        let mut stream = match UnixStream::connect(&path).await {
            Ok(stream) => stream,
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Err(not_allowed(&path)),
            Err(_) => return Ok(None),
        };
        if !peer::may_hear(&stream, database) {
            return Err(not_allowed(&path));
        }
        let greeting: Greeting = match frame::read(&mut stream, GREETED).await {
            Ok(bytes) => frame::message(&bytes).map_err(|error| odd(&path, &error))?,
            // It was ending, so it was asked nothing.
            Err(FrameError::Ended(_)) => return Ok(None),
            Err(error) => return Err(odd(&path, &error)),
        };
        greeting.check()?;
        Ok(Some(Self(stream)))
    }

    /// Has the server carry out a change.
    pub(crate) async fn ask(mut self, change: Change) -> Result<Answer, Failure> {
        match frame::write(&mut self.0, &Request::of(change), SENT).await {
            Ok(()) => {}
            Err(error @ FrameError::TooLong) => {
                return Err(Failure::usage("admin_request_too_large", chain(&error))
                    .hint("stop the server first, or ask for less at once"));
            }
            Err(error) => return Err(unanswered(&error)),
        }
        let bytes = frame::read(&mut self.0, ANSWERED).await.map_err(|error| unanswered(&error))?;
        frame::message::<Reply>(&bytes).map_err(|error| unanswered(&error))?.into()
    }
}

fn not_allowed(path: &Path) -> Failure {
    Failure::new("admin_not_allowed", format!("{} belongs to another user", path.display()))
        .hint("run the command as the user that runs the server")
}

fn odd(path: &Path, error: &FrameError) -> Failure {
    Failure::caused("admin_no_greeting", &format!("the server at {} does not greet", path.display()), error)
        .hint("nothing was changed; look at the log of the server")
}

fn unanswered(error: &FrameError) -> Failure {
    Failure::caused("admin_unanswered", "the server did not answer", error)
        .hint("it may have made the change all the same: look before you repeat the command")
}

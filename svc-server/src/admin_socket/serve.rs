//! The server's end: takes questions, a few at a time, and answers each.

use std::sync::Arc;
use std::time::Duration;
use svc_core::error::chain;

use tokio::net::UnixStream;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::bind::AdminSocket;
use super::message::{self, Greeting, Reply, Request};
use super::{frame, peer};
use crate::commands::change::Change;
use crate::failure::Failure;
use crate::output::Answer;
use crate::wiring::Wiring;
use tokio_util::sync::CancellationToken;

/// Connections at a time; further ones wait in the listener's backlog.
const CONNECTIONS: usize = 8;
/// For a greeting or an answer to leave, and for a question to come.
const SPOKEN: Duration = Duration::from_secs(5);
/// For a change to be carried out.
const DONE: Duration = Duration::from_mins(1);

/// Carries out what commands ask until shutdown; those under way are answered first.
pub(crate) async fn serve(socket: AdminSocket, wiring: Wiring, asked: CancellationToken) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let mut conversations = JoinSet::new();
    let accept = async {
        loop {
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { break };
            match socket.listener.accept().await {
                Ok((stream, _)) => {
                    let wiring = wiring.clone();
                    conversations.spawn(async move {
                        let _place = place;
                        converse(stream, &wiring).await;
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "the admin socket takes no connection");
                    sleep(Duration::from_millis(100)).await;
                }
            }
            while conversations.try_join_next().is_some() {}
        }
    };
    tokio::select! {
        () = accept => {}
        () = asked.cancelled() => {}
    }
    drop(socket);
    while conversations.join_next().await.is_some() {}
}

/// Greets, takes one question and answers it.
async fn converse(mut stream: UnixStream, wiring: &Wiring) {
    if !peer::may_ask(&stream) {
        tracing::warn!("another user tried to use the admin socket");
        return;
    }
    let said = async {
        frame::write(&mut stream, &Greeting::ours(), SPOKEN).await?;
        let asked = match frame::read(&mut stream, SPOKEN).await {
            Ok(bytes) => Request::read(&bytes),
            // A command that only wanted to know whether a server is there.
            Err(frame::FrameError::Ended(_)) => return Ok(()),
            Err(error) => Err(message::invalid(&error)),
        };
        let outcome = match asked {
            Ok(change) => carry_out(change, wiring).await,
            Err(failure) => {
                tracing::warn!(code = failure.code(), "the admin socket refused a request");
                Err(failure)
            }
        };
        frame::write(&mut stream, &Reply::from(outcome), SPOKEN).await
    };
    if let Err(error) = said.await {
        tracing::warn!("a command was not answered: {}", chain(&error));
    }
}

/// Carries out a change in a task that goes on whatever becomes of the command.
async fn carry_out(change: Change, wiring: &Wiring) -> Result<Answer, Failure> {
    let (command, own) = (change.name(), wiring.clone());
    let work = tokio::spawn(async move {
        let outcome = change.carry_out(&own.operator()).await;
        // Whatever was committed holds from the next request on.
        own.authenticator.forget();
        outcome
    });
    let outcome = match timeout(DONE, work).await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_)) => Err(unknown("the server failed while it made the change")),
        Err(_) => Err(unknown("the server did not make the change in time")),
    };
    let code = outcome.as_ref().map_or_else(Failure::code, |_| "done");
    tracing::info!(command, outcome = code, "a command was carried out");
    outcome
}

fn unknown(what: &str) -> Failure {
    Failure::new("admin_unanswered", what).hint("look whether it is made before you repeat the command")
}

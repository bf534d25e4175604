//! Calls of assistants, as they are written down: one record for each call of a tool, whatever came of it.
//!
//! A record says who called what and what it touched, and holds nothing of what was said: arguments are redacted, with the
//! digest of the whole. What a call changes is told by the audit log and the events, in the commit of the change; these
//! records are collected and written in batches, so that a call that reads costs no commit.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, CallId, TokenId, UserId};

use crate::approval::CallDigest;
use crate::ports::OauthStorage;

/// So many wait at most before a call writes them itself.
const FULL: usize = 500;
/// So many are kept while the store fails; the oldest go first.
const MOST: usize = 10_000;

/// One call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallRecord {
    /// Its id.
    pub id: CallId,
    /// When.
    pub at: Timestamp,
    /// The company that it was about.
    pub company: AccountId,
    /// The person whom the credential acts for.
    pub person: Option<UserId>,
    /// The credential.
    pub credential: TokenId,
    /// What the client calls itself, with its version; empty when it does not say.
    pub client: String,
    /// The revision of the protocol.
    pub revision: String,
    /// The tool.
    pub tool: String,
    /// The arguments as JSON: texts that are no ids and no fixed words are `***`.
    pub arguments: String,
    /// Of the arguments as they were.
    pub digest: CallDigest,
    /// Ids in the arguments and in the answer.
    pub touched: Vec<String>,
    /// What came of it: `done`, `asked`, or the code of the refusal.
    pub outcome: String,
    /// From where.
    pub from: Option<IpAddr>,
}

/// Collects calls.
pub struct CallRecorder {
    storage: Arc<dyn OauthStorage>,
    waiting: Mutex<Vec<CallRecord>>,
}

impl CallRecorder {
    /// One that writes into this storage.
    #[must_use]
    pub fn new(storage: Arc<dyn OauthStorage>) -> Self {
        Self { storage, waiting: Mutex::default() }
    }

    /// Takes a call. Once many wait, the call that comes next writes them first.
    pub async fn record(&self, call: CallRecord) {
        let full = {
            let mut waiting = self.waiting();
            waiting.push(call);
            waiting.len() >= FULL
        };
        if full {
            drop(self.flush().await);
        }
    }

    /// Writes what waits; answers how many.
    ///
    /// # Errors
    /// That of the store: the calls wait still.
    pub async fn flush(&self) -> Result<usize, StoreError> {
        let taken = std::mem::take(&mut *self.waiting());
        if taken.is_empty() {
            return Ok(0);
        }
        match self.storage.calls().append(&taken).await {
            Ok(()) => Ok(taken.len()),
            Err(error) => {
                self.put_back(taken);
                Err(error)
            }
        }
    }

    fn put_back(&self, mut calls: Vec<CallRecord>) {
        let mut waiting = self.waiting();
        calls.append(&mut waiting);
        let lost = calls.len().saturating_sub(MOST);
        if lost > 0 {
            tracing::warn!(lost, "calls of assistants are not written down: the store fails");
            calls.drain(..lost);
        }
        *waiting = calls;
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<CallRecord>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for CallRecorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CallRecorder").field("waiting", &self.waiting().len()).finish_non_exhaustive()
    }
}

//! Writing down what an assistant called.

use svc_auth::approval::CallDigest;
use svc_auth::calls::CallRecord;
use svc_core::id::{AccountId, CallId, TypedId as _};

use super::Assistant;

/// What is written down of a call, beside who made it and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// The company that it was about; the primary one where the call named none.
    pub company: Option<AccountId>,
    /// What the client calls itself, with its version.
    pub client: String,
    /// The revision of the protocol.
    pub revision: String,
    /// The tool.
    pub tool: &'static str,
    /// The arguments, redacted.
    pub arguments: String,
    /// Of the arguments as they were.
    pub digest: CallDigest,
    /// Ids in the arguments and in the answer.
    pub touched: Vec<String>,
    /// `done`, `asked`, or the code of the refusal.
    pub outcome: String,
}

impl Assistant {
    /// Writes a call down, with the next batch.
    pub async fn note(&self, called: Called) {
        let Some(oauth) = &self.app.oauth else { return };
        let principal = self.principal();
        let Called { company, client, revision, tool, arguments, digest, touched, outcome } = called;
        let record = CallRecord {
            id: CallId::generate(self.context.now, &*self.app.random),
            at: self.context.now,
            company: company.filter(|id| principal.scope.contains(*id)).unwrap_or(principal.primary),
            person: principal.creator,
            credential: principal.token,
            client,
            revision,
            tool: tool.to_owned(),
            arguments,
            digest,
            touched,
            outcome,
            from: self.guest.from,
        };
        oauth.calls().record(record).await;
    }
}

//! Clients, grants, pairs, approvals and links for uploads, and the steps that change them.

use std::collections::{BTreeMap, BTreeSet};

use svc_auth::approval::Approval;
use svc_auth::calls::CallRecord;
use svc_auth::oauth::{Client, Grant, Pair};
use svc_auth::token::{ClientId, Fingerprint};
use svc_auth::upload::UploadLink;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::GrantId;

#[derive(Clone, Debug, Default)]
pub(in crate::auth::memory) struct OauthState {
    pub(in crate::auth::memory) clients: Vec<Client>,
    grants: BTreeMap<GrantId, Grant>,
    pairs: Vec<Pair>,
    pub(in crate::auth::memory) approvals: Vec<Approval>,
    pub(in crate::auth::memory) uploads: Vec<UploadLink>,
    pub(in crate::auth::memory) calls: Vec<CallRecord>,
}

/// What a unit did of it.
#[derive(Clone, Debug)]
pub(in crate::auth::memory) enum OauthStep {
    Register(Client),
    Grant(Grant),
    Advance { before: Box<Grant>, after: Box<Grant> },
    Give(Pair),
    UseUp(Pair),
    PurgeClients { before: Timestamp, connected: BTreeSet<String> },
    PurgePairs(Timestamp),
    PurgeGrants(Vec<GrantId>),
    Ask { approval: Box<Approval>, now: Timestamp },
    Decide { before: Box<Approval>, after: Box<Approval> },
    PurgeApprovals(Timestamp),
    Link(UploadLink),
    PurgeLinks(Timestamp),
}

impl OauthState {
    pub(in crate::auth::memory) fn apply(&mut self, step: OauthStep) -> Result<(), StoreError> {
        match step {
            OauthStep::Register(client) => {
                match self
                    .clients
                    .iter_mut()
                    .find(|known| known.name == client.name && known.redirects == client.redirects)
                {
                    Some(known) => known.known_since = client.known_since,
                    None => self.clients.push(client),
                }
            }
            OauthStep::Grant(grant) => {
                if self.grants.values().any(|known| known.code == grant.code) {
                    return Err(StoreError::Taken { field: "code" });
                }
                self.grants.insert(grant.id, grant);
            }
            OauthStep::Advance { before, after } => {
                let stored = self.grants.get_mut(&after.id).filter(|stored| stored.stage == before.stage);
                *stored.ok_or(StoreError::Conflict)? = *after;
            }
            OauthStep::Give(pair) => {
                let there = |known: &Pair| known.access == pair.access || known.refresh == pair.refresh;
                if self.pairs.iter().any(there) {
                    return Err(StoreError::Taken { field: "token" });
                }
                self.pairs.push(pair);
            }
            OauthStep::UseUp(used) => {
                let stored = self.pairs.iter_mut().find(|known| known.refresh == used.refresh);
                let unused = stored.filter(|known| known.refreshed_at.is_none());
                *unused.ok_or(StoreError::Conflict)? = used;
            }
            OauthStep::PurgeClients { before, connected } => {
                self.clients.retain(|client| {
                    client.known_since >= before || connected.contains(&client.id.to_string())
                });
            }
            OauthStep::PurgePairs(before) => self.pairs.retain(|pair| pair.refresh_until >= before),
            OauthStep::PurgeGrants(ended) => self.grants.retain(|id, _| !ended.contains(id)),
            OauthStep::Ask { approval, now } => {
                let same =
                    |known: &Approval| (known.credential, known.call) == (approval.credential, approval.call);
                if self.approvals.iter().any(|known| same(known) && known.is_live(now)) {
                    return Err(StoreError::Taken { field: "call" });
                }
                self.approvals.retain(|known| !same(known));
                self.approvals.push(*approval);
            }
            OauthStep::Decide { before, after } => {
                let mut stored = self.approvals.iter_mut();
                let stored = stored.find(|stored| (stored.id, stored.stage) == (after.id, before.stage));
                *stored.ok_or(StoreError::Conflict)? = *after;
            }
            OauthStep::PurgeApprovals(before) => {
                self.approvals.retain(|approval| approval.until >= before);
            }
            OauthStep::Link(link) => {
                if self.uploads.iter().any(|known| known.fingerprint == link.fingerprint) {
                    return Err(StoreError::Taken { field: "value" });
                }
                self.uploads.push(link);
            }
            OauthStep::PurgeLinks(before) => self.uploads.retain(|link| link.until >= before),
        }
        Ok(())
    }

    pub(in crate::auth::memory) fn client_count(&self) -> u64 {
        self.clients.len() as u64
    }

    /// Grants without a pair whose code ended before this instant, those that ended first.
    pub(in crate::auth::memory) fn ended_grants(&self, before: Timestamp, most: usize) -> Vec<Grant> {
        let held: BTreeSet<_> = self.pairs.iter().map(|pair| pair.grant).collect();
        let over = |grant: &&Grant| grant.code_until < before && !held.contains(&grant.id);
        let mut ended: Vec<_> = self.grants.values().filter(over).cloned().collect();
        ended.sort_by_key(|grant| grant.code_until);
        ended.truncate(most);
        ended
    }

    pub(in crate::auth::memory) fn client(&self, id: &ClientId) -> Option<Client> {
        self.clients.iter().find(|client| client.id == *id).cloned()
    }

    pub(in crate::auth::memory) fn by_code(&self, candidates: &[Fingerprint]) -> Option<Grant> {
        self.grants.values().find(|grant| grant.code.is_among(candidates)).cloned()
    }

    pub(in crate::auth::memory) fn by_access(&self, candidates: &[Fingerprint]) -> Option<(Grant, Pair)> {
        self.pair(|pair| pair.access.is_among(candidates))
    }

    pub(in crate::auth::memory) fn by_refresh(&self, candidates: &[Fingerprint]) -> Option<(Grant, Pair)> {
        self.pair(|pair| pair.refresh.is_among(candidates))
    }

    fn pair(&self, is_it: impl Fn(&Pair) -> bool) -> Option<(Grant, Pair)> {
        let pair = self.pairs.iter().find(|pair| is_it(pair))?;
        Some((self.grants.get(&pair.grant)?.clone(), pair.clone()))
    }
}

//! What the storage in memory holds, and the steps that change it.

mod oauth;

use std::collections::{BTreeMap, HashMap};

use svc_auth::ports::Use;
use svc_auth::token::{Fingerprint, Token};
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::id::{TokenId, UserId};
use svc_core::idempotency::{Fence, Reply, RequestKey};
use svc_core::page::{Page, PageRequest};
use svc_core::resource::Version;
use svc_core::tenant::Scope;

pub(super) use self::oauth::{OauthState, OauthStep};
use crate::auth::directory::Directory;

#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) tokens: BTreeMap<TokenId, Token>,
    pub(super) directory: Directory,
    pub(super) oauth: OauthState,
    pub(super) authority_version: i64,
    pub(super) events: Vec<Event>,
    pub(super) replies: HashMap<RequestKey, (Fence, Reply)>,
}

/// What a unit did, so that its commit can do it again to what is stored by then.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Insert(Token),
    Replace(Version, Token),
    Touch(Vec<Use>),
    Publish(Vec<Event>),
    Oauth(OauthStep),
    Keep(RequestKey, Fence, Reply),
}

impl Step {
    /// What it changes of the things that may not change without an audit entry.
    pub(super) fn owes_an_entry(&self) -> Option<&'static str> {
        match self {
            Self::Insert(_) | Self::Replace(..) => Some("a token"),
            Self::Touch(_) | Self::Publish(_) | Self::Oauth(_) | Self::Keep(..) => None,
        }
    }
}

impl State {
    pub(super) fn apply(&mut self, step: Step) -> Result<(), StoreError> {
        match step {
            Step::Insert(token) => self.insert(token),
            Step::Replace(before, after) => self.replace(before, &after),
            Step::Touch(uses) => {
                for latest in &uses {
                    self.tokens.entry(latest.token).and_modify(|token| token.touch(latest));
                }
                Ok(())
            }
            Step::Publish(events) => {
                self.events.extend(events);
                Ok(())
            }
            Step::Oauth(step) => self.oauth.apply(step),
            Step::Keep(key, fence, reply) => self.keep(key, fence, reply),
        }
    }

    fn insert(&mut self, token: Token) -> Result<(), StoreError> {
        self.refuse_taken(&token)?;
        if self.tokens.contains_key(&token.id) {
            return Err(StoreError::Taken { field: "id" });
        }
        self.tokens.insert(token.id, token);
        self.authority_version += 1;
        Ok(())
    }

    fn replace(&mut self, before: Version, after: &Token) -> Result<(), StoreError> {
        self.refuse_taken(after)?;
        let stored = self.tokens.get_mut(&after.id).ok_or(StoreError::Conflict)?;
        *stored = stored.replaced_by(before, after)?;
        self.authority_version += 1;
        Ok(())
    }

    fn refuse_taken(&self, token: &Token) -> Result<(), StoreError> {
        let clash = |other: &&Token| other.id != token.id && other.fingerprint == token.fingerprint;
        match self.tokens.values().find(clash) {
            Some(_) => Err(StoreError::Taken { field: "fingerprint" }),
            None => Ok(()),
        }
    }

    fn keep(&mut self, key: RequestKey, fence: Fence, reply: Reply) -> Result<(), StoreError> {
        if self.replies.get(&key).is_some_and(|(held, _)| held.0 > fence.0) {
            return Err(StoreError::Conflict);
        }
        self.replies.insert(key, (fence, reply));
        Ok(())
    }

    pub(super) fn find_by_fingerprint(&self, candidates: &[Fingerprint]) -> Option<Token> {
        self.tokens.values().find(|token| candidates.contains(&token.fingerprint)).cloned()
    }

    pub(super) fn connections_of(&self, person: UserId, at_most: usize) -> Vec<Token> {
        let is_of = |token: &&Token| token.is_connection_of(person);
        let mut found: Vec<_> = self.tokens.values().filter(is_of).cloned().collect();
        found.sort_by_key(|token| std::cmp::Reverse((token.created_at, token.id)));
        found.truncate(at_most);
        found
    }

    pub(super) fn page(&self, scope: &Scope, request: PageRequest) -> Page<Token> {
        let mut tokens: Vec<_> = self.tokens.values().filter(|token| scope.contains(token.primary)).collect();
        tokens.sort_by_key(|token| (token.created_at, token.id));
        Page::of_all(tokens, request).map(Clone::clone)
    }
}

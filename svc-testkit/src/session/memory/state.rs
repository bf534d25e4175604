//! What the storage in memory holds, and the steps that change it.

use std::collections::BTreeMap;

use svc_auth::ports::Person;
use svc_auth::session::{Password, PasswordHash, PasswordReset, SecondFactor, Session};
use svc_auth::token::Fingerprint;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{SessionId, UserId};
use svc_core::resource::Version;

#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) people: BTreeMap<UserId, Person>,
    pub(super) sessions: BTreeMap<SessionId, Session>,
    pub(super) passwords: BTreeMap<UserId, Password>,
    pub(super) factors: BTreeMap<UserId, SecondFactor>,
    pub(super) resets: BTreeMap<UserId, PasswordReset>,
}

/// What a unit did, so that its commit can do it again to what is stored by then.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Insert(Session),
    Touch(SessionId, Timestamp),
    Delete(SessionId),
    DeleteOne(UserId, SessionId),
    DeleteOf {
        user: UserId,
        except: Option<SessionId>,
    },
    Purge {
        idle_since: Timestamp,
        now: Timestamp,
    },
    /// A password that the unit read: it must still be at this version.
    Seen(UserId, Option<Version>),
    Put(Option<Version>, Password),
    Upgrade(UserId, Version, PasswordHash),
    /// A second factor that the unit read: it must still be at this version.
    SeenFactor(UserId, Option<Version>),
    PutFactor(Option<Version>, SecondFactor),
    UseFactor(Version, SecondFactor),
    RemoveFactor(UserId, Version),
    PutReset(PasswordReset),
    DeleteReset(UserId),
    PurgeResets(Timestamp),
}

impl Step {
    /// What it changes of the things that may not change without an audit entry.
    pub(super) fn owes_an_entry(&self) -> Option<&'static str> {
        match self {
            Self::Put(..) => Some("a password"),
            Self::PutFactor(_, after) => after.is_on().then_some("a second factor"),
            Self::RemoveFactor(..) => Some("a second factor"),
            Self::Insert(_)
            | Self::Touch(..)
            | Self::Delete(_)
            | Self::DeleteOne(..)
            | Self::DeleteOf { .. }
            | Self::Purge { .. }
            | Self::Seen(..)
            | Self::SeenFactor(..)
            | Self::UseFactor(..)
            | Self::PutReset(..)
            | Self::DeleteReset(..)
            | Self::PurgeResets(..)
            | Self::Upgrade(..) => None,
        }
    }
}

impl State {
    /// Does one step; answers how many sessions it ended, or links it forgot.
    pub(super) fn apply(&mut self, step: Step) -> Result<u64, StoreError> {
        match step {
            Step::Insert(session) => self.insert(session).map(|()| 0),
            Step::Touch(id, at) => {
                if let Some(session) = self.sessions.get_mut(&id) {
                    session.last_used_at = session.last_used_at.max(at);
                }
                Ok(0)
            }
            Step::Delete(id) => Ok(self.end(|session| session.id == id)),
            Step::DeleteOne(user, id) => Ok(self.end(|session| session.id == id && session.user == user)),
            Step::DeleteOf { user, except } => {
                Ok(self.end(|session| session.user == user && Some(session.id) != except))
            }
            Step::Purge { idle_since, now } => {
                Ok(self.end(|session| session.last_used_at < idle_since || session.expires_at <= now))
            }
            Step::Seen(user, version) => self.at(user, version).map(|()| 0),
            Step::Upgrade(user, version, hash) => {
                if let Some(stored) = self.passwords.get_mut(&user).filter(|stored| stored.version == version)
                {
                    stored.hash = hash;
                }
                Ok(0)
            }
            Step::Put(before, after) => self.put(before, after).map(|()| 0),
            Step::SeenFactor(user, version) => self.factor_at(user, version).map(|()| 0),
            Step::PutFactor(before, after) => self.put_factor(before, after).map(|()| 0),
            Step::UseFactor(before, after) => self.put_factor(Some(before), after).map(|()| 0),
            Step::RemoveFactor(user, version) => {
                self.factor_at(user, Some(version))?;
                self.factors.remove(&user);
                Ok(0)
            }
            Step::PutReset(reset) => {
                self.resets.insert(reset.user, reset);
                Ok(0)
            }
            Step::DeleteReset(user) => {
                self.resets.remove(&user);
                Ok(0)
            }
            Step::PurgeResets(now) => {
                let count = self.resets.len();
                self.resets.retain(|_, reset| now < reset.expires_at);
                Ok((count - self.resets.len()) as u64)
            }
        }
    }

    fn insert(&mut self, session: Session) -> Result<(), StoreError> {
        if self.sessions.values().any(|other| other.fingerprint == session.fingerprint) {
            return Err(StoreError::Taken { field: "fingerprint" });
        }
        if self.sessions.contains_key(&session.id) {
            return Err(StoreError::Taken { field: "id" });
        }
        self.sessions.insert(session.id, session);
        Ok(())
    }

    fn end(&mut self, ends: impl Fn(&Session) -> bool) -> u64 {
        let count = self.sessions.len();
        self.sessions.retain(|_, session| !ends(session));
        (count - self.sessions.len()) as u64
    }

    fn put(&mut self, before: Option<Version>, after: Password) -> Result<(), StoreError> {
        self.at(after.user, before)?;
        self.passwords.insert(after.user, after);
        Ok(())
    }

    fn put_factor(&mut self, before: Option<Version>, after: SecondFactor) -> Result<(), StoreError> {
        self.factor_at(after.user, before)?;
        self.factors.insert(after.user, after);
        Ok(())
    }

    /// Whether the stored second factor of a person is at this version.
    fn factor_at(&self, user: UserId, version: Option<Version>) -> Result<(), StoreError> {
        let stored = self.factors.get(&user).map(|stored| stored.version);
        if stored == version { Ok(()) } else { Err(StoreError::Conflict) }
    }

    /// Whether the stored password of a person is at this version.
    fn at(&self, user: UserId, version: Option<Version>) -> Result<(), StoreError> {
        let stored = self.passwords.get(&user).map(|stored| stored.version);
        if stored == version { Ok(()) } else { Err(StoreError::Conflict) }
    }

    pub(super) fn find_by_fingerprint(&self, candidates: &[Fingerprint]) -> Option<Session> {
        self.sessions.values().find(|session| candidates.contains(&session.fingerprint)).cloned()
    }

    pub(super) fn find_reset(&self, candidates: &[Fingerprint]) -> Option<PasswordReset> {
        self.resets.values().find(|reset| candidates.contains(&reset.fingerprint)).cloned()
    }

    pub(super) fn of(&self, user: UserId, at_most: usize) -> Vec<Session> {
        let is_of = |session: &&Session| session.user == user && !session.awaits_code;
        let mut sessions: Vec<_> = self.sessions.values().filter(is_of).cloned().collect();
        sessions.sort_by_key(|session| std::cmp::Reverse((session.created_at, session.id)));
        sessions.truncate(at_most);
        sessions
    }
}

//! What the specification says of creating and changing tokens.

use std::collections::BTreeSet;

use svc_core::audit::Action;
use svc_core::clock::Timestamp;

use super::token::ModelToken;
use super::{Outcome, World};
use crate::auth::steps::history::{Change, Config, Expected, Line, List, TOP};
use crate::auth::steps::transcript::Answer;
use crate::auth::{TokenModel, TokenStep};

impl World {
    /// Part 2.1: the creator holds or administers every company, and the parent company of the group; API access
    /// is on for all that it reaches.
    pub(super) fn create(
        &mut self,
        by: usize,
        primary: usize,
        companies: &[usize],
        group: bool,
        expires_at: Option<Timestamp>,
        config: &Config,
    ) -> Outcome {
        let Config { name, permissions, personal_data, allowed_ips } = config;
        let broken: Vec<_> = [name.broken(), permissions.broken(), allowed_ips.broken()]
            .into_iter()
            .flatten()
            .chain(self.broken_expiry(expires_at))
            .collect();
        if !broken.is_empty() {
            return Err(Answer::Invalid(broken));
        }
        let companies: BTreeSet<_> =
            companies.iter().copied().filter(|company| *company != primary).collect();
        let token = ModelToken {
            life: TokenModel::new(expires_at),
            creator: by,
            primary,
            companies,
            group,
            name: name.stored(),
            permissions: permissions.stored(),
            personal_data: *personal_data,
            allowed_ips: allowed_ips.stored(),
            last_used_at: None,
            actions: vec![Action::TokenCreate],
        };
        self.names_own(&token, by)?;
        self.has_api_access(&token)?;
        self.tokens.push(token);
        Ok(Answer::Created(self.tokens.len() - 1))
    }

    fn broken_expiry(&self, expires_at: Option<Timestamp>) -> impl Iterator<Item = (String, &'static str)> {
        let past = expires_at.is_some_and(|expiry| expiry <= self.now);
        let long = self
            .longest_life
            .is_some_and(|longest| expires_at.is_none_or(|expiry| expiry > self.now.plus(longest)));
        [past, long].into_iter().filter(|broken| *broken).map(|_| ("expiresAt".to_owned(), "out_of_range"))
    }

    /// Part 2.1 again: what a token is called and may do can be changed, its scope and expiry cannot.
    pub(super) fn update(
        &mut self,
        place: usize,
        caller: Option<usize>,
        expected: Expected,
        change: &Change,
    ) -> Outcome {
        let token = self.token(place);
        match expected {
            Expected::Any | Expected::Current => {}
            Expected::Stale => return Err(Answer::Version(token.version())),
        }
        if !token.life.can_be_updated(self.now) {
            return Err(token.illegal("update", self.now));
        }
        let Change { name, permissions, personal_data, allowed_ips } = change;
        let broken: Vec<_> = [
            name.and_then(Line::broken),
            permissions.and_then(List::broken),
            allowed_ips.and_then(List::broken),
        ]
        .into_iter()
        .flatten()
        .collect();
        if !broken.is_empty() {
            return Err(Answer::Invalid(broken));
        }
        let mut after = token.clone();
        after.name = name.map_or(after.name, Line::stored);
        after.permissions = permissions.map_or(after.permissions, List::stored);
        after.personal_data = personal_data.unwrap_or(after.personal_data);
        after.allowed_ips = allowed_ips.map_or(after.allowed_ips, List::stored);
        if after == *token {
            return Ok(Answer::Changed(token.version()));
        }
        self.may_edit(token, caller)?;
        assert!(after.life.update(self.now), "checked above");
        after.actions.push(Action::TokenUpdate);
        let answer = Answer::Changed(after.version());
        *self.tokens.get_mut(place).expect("a visible token") = after;
        Ok(answer)
    }

    /// Part 3.1: the table of the life.
    pub(super) fn step(&mut self, place: usize, caller: Option<usize>, step: TokenStep) -> Outcome {
        let (name, action) = match step {
            TokenStep::Disable => ("disable", Action::TokenDisable),
            TokenStep::Enable => ("enable", Action::TokenEnable),
            TokenStep::Revoke => ("revoke", Action::TokenRevoke),
            TokenStep::Rotate => ("rotate", Action::TokenRotate),
        };
        let mut after = self.token(place).clone();
        if !after.life.step(step, self.now) {
            return Err(after.illegal(name, self.now));
        }
        if step == TokenStep::Rotate {
            self.may_edit(self.token(place), caller)?;
        }
        after.actions.push(action);
        let answer = Answer::Changed(after.version());
        *self.tokens.get_mut(place).expect("a visible token") = after;
        Ok(answer)
    }

    /// API access is on for all that it reaches; a person who did not create the token reaches by it what its creator does.
    fn may_edit(&self, token: &ModelToken, caller: Option<usize>) -> Result<(), Answer> {
        self.has_api_access(token)?;
        let Some(person) = caller.filter(|person| *person != token.creator) else { return Ok(()) };
        self.names_own(token, person)?;
        let of = |person| token.reaches(&self.directory, person).unwrap_or_default();
        let own = of(person);
        match of(token.creator)
            .into_iter()
            .find(|(company, _)| !own.iter().any(|(known, _)| known == company))
        {
            Some((foreign, _)) => Err(Answer::NotAdministered(foreign)),
            None => Ok(()),
        }
    }

    fn names_own(&self, token: &ModelToken, person: usize) -> Result<(), Answer> {
        let administers = |company: usize| self.directory.administers(person, company);
        if let Some(foreign) = token.named().find(|company| !administers(*company)) {
            return Err(Answer::NotAdministered(foreign));
        }
        if token.group && !administers(TOP) { Err(Answer::ParentNotAdministered) } else { Ok(()) }
    }

    fn has_api_access(&self, token: &ModelToken) -> Result<(), Answer> {
        let reached = token.reaches(&self.directory, token.creator).unwrap_or_default();
        let mut all = token.named().chain(reached.into_iter().map(|(company, _)| company));
        match all.find(|company| !self.directory.api_access(*company)) {
            Some(off) => Err(Answer::ApiAccessOff(off)),
            None => Ok(()),
        }
    }
}

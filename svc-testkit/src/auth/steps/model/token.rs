//! A token of the model.

use std::collections::BTreeSet;

use svc_core::audit::Action;
use svc_core::clock::Timestamp;

use super::Log;
use crate::auth::steps::directory::Directory;
use crate::auth::steps::history::{COMPANIES, TOP};
use crate::auth::steps::transcript::{Answer, Seen};
use crate::auth::{ModelState, TokenModel};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ModelToken {
    pub(super) life: TokenModel,
    pub(super) creator: usize,
    pub(super) primary: usize,
    pub(super) companies: BTreeSet<usize>,
    pub(super) group: bool,
    pub(super) name: String,
    pub(super) permissions: Vec<String>,
    pub(super) personal_data: bool,
    pub(super) allowed_ips: Vec<String>,
    pub(super) last_used_at: Option<Timestamp>,
    pub(super) actions: Vec<Action>,
}

impl ModelToken {
    pub(super) fn version(&self) -> i64 {
        1 + self.life.moves
    }

    /// The refusal of a step that its state does not allow. What is off and past its expiry date is off,
    /// but it is for its expiry that it cannot be switched on.
    pub(super) fn illegal(&self, step: &'static str, now: Timestamp) -> Answer {
        let status = match (step, self.life.state) {
            ("enable", ModelState::Off) => "expired",
            (_, ModelState::On | ModelState::Off | ModelState::Gone) => self.life.status(now).name(),
        };
        Answer::Illegal { step, status }
    }

    /// The primary account and the other companies that it names.
    pub(super) fn named(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.primary).chain(self.companies.iter().copied())
    }

    /// What it names has all of it, and so has the parent company of the group that it names.
    pub(super) fn log(&self) -> Log {
        let names: Vec<_> = self.actions.iter().map(|action| action.name()).collect();
        self.named().chain(self.group.then_some(TOP)).map(|company| (company, names.clone())).collect()
    }

    pub(super) fn seen(&self, directory: &Directory, now: Timestamp) -> Seen {
        let rotations = usize::try_from(self.life.rotations).expect("few");
        Seen {
            name: self.name.clone(),
            permissions: self.permissions.clone(),
            personal_data: self.personal_data,
            allowed_ips: self.allowed_ips.clone(),
            status: self.life.status(now).name(),
            expires_at: self.life.expires_at,
            last_used_at: self.last_used_at,
            version: self.version(),
            found_by: (0..=rotations).map(|value| value == rotations).collect(),
            reaches: self.reaches(directory, self.creator),
        }
    }

    /// Parts 3.1 and 5.3: what the creator lost is not reached, without the primary account nothing is, and of
    /// the group without its parent company what the creator administers alone. Asked of another person: what
    /// they would reach as its creator.
    pub(super) fn reaches(&self, directory: &Directory, person: usize) -> Option<Vec<(usize, &'static str)>> {
        if !directory.administers(person, self.primary) {
            return None;
        }
        let decides = directory.administers(person, TOP);
        let mut others: Vec<_> = directory
            .present()
            .filter(|company| *company != self.primary)
            .filter_map(|company| {
                let administers = directory.administers(person, company);
                let named = self.companies.contains(&company) && administers;
                let in_group = self.group
                    && Directory::is_grouped(company)
                    && (administers || decides && !directory.is_involved(person, company));
                if named { Some((company, "direct")) } else { in_group.then_some((company, "group")) }
            })
            .collect();
        others.sort_by_key(|(company, _)| COMPANIES.get(*company));
        Some(std::iter::once((self.primary, "primary")).chain(others).collect())
    }
}

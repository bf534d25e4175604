//! The roles of people in companies, as the history has them.

use std::collections::{BTreeMap, BTreeSet};

use svc_core::role::Role;

use super::history::{COMPANIES, GROUPED, LATE, ROLES, Step};

#[derive(Debug)]
pub(super) struct Directory {
    founded: bool,
    merged: BTreeSet<usize>,
    api_off: BTreeSet<usize>,
    disabled: BTreeSet<usize>,
    /// By person and company; `None` is a membership that ended.
    roles: BTreeMap<(usize, usize), Option<Role>>,
}

impl Directory {
    pub(super) fn new() -> Self {
        Self {
            founded: false,
            merged: BTreeSet::new(),
            api_off: BTreeSet::new(),
            disabled: BTreeSet::new(),
            roles: ROLES.into_iter().map(|(person, company, role)| ((person, company), Some(role))).collect(),
        }
    }

    /// Takes a step that changes the directory; `false`, and nothing changed, for any other one and for
    /// one that makes no sense at present.
    pub(super) fn take(&mut self, step: &Step) -> bool {
        match *step {
            Step::SetRole { person, company, role } => {
                self.exists(company) && {
                    self.roles.insert((person, company), Some(role));
                    true
                }
            }
            Step::EndMembership { person, company } => {
                let role = self.roles.get_mut(&(person, company));
                role.is_some_and(|role| role.take().is_some())
            }
            Step::SetApiAccess { company, on } => {
                let changes = self.exists(company) && self.api_access(company) != on;
                if changes && on {
                    self.api_off.remove(&company)
                } else {
                    changes && self.api_off.insert(company)
                }
            }
            Step::Merge { survivor, absorbed } => {
                survivor != absorbed
                    && self.exists(survivor)
                    && self.exists(absorbed)
                    && self.merged.insert(absorbed)
            }
            Step::Disable { person } => self.disabled.insert(person),
            Step::Found => !std::mem::replace(&mut self.founded, true),
            Step::Create { .. } | Step::Update { .. } | Step::Move { .. } | Step::Touch { .. } => false,
        }
    }

    fn exists(&self, company: usize) -> bool {
        company != LATE || self.founded
    }

    pub(super) fn api_access(&self, company: usize) -> bool {
        !self.api_off.contains(&company)
    }

    /// The companies that were not merged.
    pub(super) fn present(&self) -> impl Iterator<Item = usize> {
        (0..COMPANIES.len()).filter(|company| self.exists(*company) && !self.merged.contains(company))
    }

    /// Whether the person holds or administers the company, which exists and was not merged.
    pub(super) fn administers(&self, person: usize, company: usize) -> bool {
        let role = self.roles.get(&(person, company)).copied().flatten();
        let strong = matches!(role, Some(Role::Holder | Role::Administrator));
        strong && !self.disabled.contains(&person) && self.present().any(|present| present == company)
    }

    /// Whether the person has anything to lose in the company: they are or were a member, or no longer exist.
    pub(super) fn is_involved(&self, person: usize, company: usize) -> bool {
        self.disabled.contains(&person) || self.roles.contains_key(&(person, company))
    }

    pub(super) fn is_grouped(company: usize) -> bool {
        GROUPED.contains(&company)
    }
}

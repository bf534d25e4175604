//! Companies, groups and memberships in memory.

use std::collections::{BTreeMap, BTreeSet};

use svc_auth::ports::{CompanyStanding, GroupPlace, Standing};
use svc_core::id::{AccountId, GroupId, UserId};

#[derive(Clone, Debug, Default)]
pub(crate) struct Directory {
    companies: BTreeMap<AccountId, Company>,
    /// The company at the top of each group that has one.
    parents: BTreeMap<GroupId, AccountId>,
    memberships: BTreeMap<(UserId, AccountId), Standing>,
    disabled: BTreeSet<UserId>,
}

#[derive(Clone, Debug)]
struct Company {
    legal_name: String,
    group: Option<GroupId>,
    merged: bool,
    api_access: bool,
}

impl Directory {
    pub(crate) fn add_company(&mut self, id: AccountId, legal_name: &str, group: Option<GroupId>) {
        let legal_name = legal_name.to_owned();
        self.companies.insert(id, Company { legal_name, group, merged: false, api_access: true });
    }

    pub(crate) fn set_standing(&mut self, person: UserId, company: AccountId, standing: Standing) {
        self.memberships.insert((person, company), standing);
    }

    /// Ends a membership; an invitation leaves a stranger as they were.
    pub(crate) fn end_membership(&mut self, person: UserId, company: AccountId) {
        if let Some(standing) = self.memberships.get_mut(&(person, company)) {
            *standing = Standing::Former;
        }
    }

    /// Adds a company as a person sees it, or puts it in the place of the one with its id.
    pub(crate) fn put_membership(&mut self, person: UserId, company: &CompanyStanding) {
        let CompanyStanding { id, legal_name, group, merged, api_access, membership } = company.clone();
        if let Some(place) = group.filter(|place| place.is_parent) {
            self.set_parent(place.id, id);
        }
        let group = group.map(|place| place.id);
        self.companies.insert(id, Company { legal_name, group, merged, api_access });
        self.set_standing(person, id, membership);
    }

    pub(crate) fn set_parent(&mut self, group: GroupId, company: AccountId) {
        self.parents.insert(group, company);
    }

    pub(crate) fn enable_user(&mut self, person: UserId) {
        self.disabled.remove(&person);
    }

    pub(crate) fn disable_user(&mut self, person: UserId) {
        self.disabled.insert(person);
    }

    pub(crate) fn merge(&mut self, absorbed: AccountId) {
        self.company(absorbed).merged = true;
    }

    pub(crate) fn set_api_access(&mut self, company: AccountId, on: bool) {
        self.company(company).api_access = on;
    }

    fn company(&mut self, id: AccountId) -> &mut Company {
        self.companies.get_mut(&id).expect("the test added the company before")
    }

    pub(crate) fn standings(
        &self,
        person: UserId,
        companies: &BTreeSet<AccountId>,
        groups: &BTreeSet<GroupId>,
    ) -> Vec<CompanyStanding> {
        let named = |(id, company): &(&AccountId, &Company)| {
            companies.contains(id) || company.group.is_some_and(|group| groups.contains(&group))
        };
        self.companies.iter().filter(named).map(|(id, company)| self.standing(person, *id, company)).collect()
    }

    pub(crate) fn memberships(&self, person: UserId) -> Vec<CompanyStanding> {
        let mut standings: Vec<_> = self
            .companies
            .iter()
            .map(|(id, company)| self.standing(person, *id, company))
            .filter(|company| !company.merged && matches!(company.membership, Standing::Member(_)))
            .collect();
        standings.sort_by(|left, right| (&left.legal_name, left.id).cmp(&(&right.legal_name, right.id)));
        standings
    }

    pub(crate) fn is_disabled(&self, person: UserId) -> bool {
        self.disabled.contains(&person)
    }

    fn standing(&self, person: UserId, id: AccountId, company: &Company) -> CompanyStanding {
        let is_parent = |group| self.parents.get(&group) == Some(&id);
        CompanyStanding {
            id,
            legal_name: company.legal_name.clone(),
            group: company.group.map(|id| GroupPlace { id, is_parent: is_parent(id) }),
            merged: company.merged,
            api_access: company.api_access,
            membership: if self.is_disabled(person) {
                Standing::Former
            } else {
                self.memberships.get(&(person, id)).copied().unwrap_or(Standing::Stranger)
            },
        }
    }
}

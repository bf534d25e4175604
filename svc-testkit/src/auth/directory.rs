//! Companies, groups and memberships in memory.

use std::collections::{BTreeMap, BTreeSet};

use svc_auth::ports::{CompanyStanding, Standing};
use svc_core::id::{AccountId, GroupId, UserId};

#[derive(Clone, Debug, Default)]
pub(super) struct Directory {
    companies: BTreeMap<AccountId, Company>,
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
    pub(super) fn add_company(&mut self, id: AccountId, legal_name: &str, group: Option<GroupId>) {
        let legal_name = legal_name.to_owned();
        self.companies.insert(id, Company { legal_name, group, merged: false, api_access: true });
    }

    pub(super) fn set_standing(&mut self, person: UserId, company: AccountId, standing: Standing) {
        self.memberships.insert((person, company), standing);
    }

    pub(super) fn disable_user(&mut self, person: UserId) {
        self.disabled.insert(person);
    }

    pub(super) fn merge(&mut self, absorbed: AccountId) {
        self.company(absorbed).merged = true;
    }

    pub(super) fn set_api_access(&mut self, company: AccountId, on: bool) {
        self.company(company).api_access = on;
    }

    fn company(&mut self, id: AccountId) -> &mut Company {
        self.companies.get_mut(&id).expect("the test added the company before")
    }

    pub(super) fn standings(
        &self,
        person: UserId,
        companies: &BTreeSet<AccountId>,
        groups: &BTreeSet<GroupId>,
    ) -> Vec<CompanyStanding> {
        let named = |(id, company): &(&AccountId, &Company)| {
            companies.contains(id) || company.group.is_some_and(|group| groups.contains(&group))
        };
        let standing = |(id, company): (&AccountId, &Company)| CompanyStanding {
            id: *id,
            legal_name: company.legal_name.clone(),
            group: company.group,
            merged: company.merged,
            api_access: company.api_access,
            membership: if self.disabled.contains(&person) {
                Standing::Former
            } else {
                self.memberships.get(&(person, *id)).copied().unwrap_or(Standing::Stranger)
            },
        };
        self.companies.iter().filter(named).map(standing).collect()
    }
}

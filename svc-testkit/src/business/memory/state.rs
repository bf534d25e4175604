//! The records, what is unique among them, and how a unit's changes are taken over.

use std::collections::{BTreeMap, BTreeSet};

use svc_business::account::Account;
use svc_business::contact::Contact;
use svc_business::group::Group;
use svc_business::membership::Membership;
use svc_business::user::User;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, ContactId, GroupId, MembershipId, UserId};

#[derive(Clone, Default)]
pub(super) struct State {
    pub(super) accounts: BTreeMap<AccountId, Account>,
    pub(super) contacts: BTreeMap<ContactId, Contact>,
    pub(super) groups: BTreeMap<GroupId, Group>,
    pub(super) users: BTreeMap<UserId, User>,
    pub(super) memberships: BTreeMap<MembershipId, Membership>,
}

impl State {
    /// This state with the changes that lead from `base` to `changed`.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when a changed record is not as it was in `base`,
    /// [`StoreError::Taken`] when a unique value is there twice.
    pub(super) fn with_changes(&self, base: &Self, changed: &Self) -> Result<Self, StoreError> {
        let next = Self {
            accounts: merged(&self.accounts, &base.accounts, &changed.accounts)?,
            contacts: merged(&self.contacts, &base.contacts, &changed.contacts)?,
            groups: merged(&self.groups, &base.groups, &changed.groups)?,
            users: merged(&self.users, &base.users, &changed.users)?,
            memberships: merged(&self.memberships, &base.memberships, &changed.memberships)?,
        };
        next.check_unique()?;
        Ok(next)
    }

    /// What was changed since `base` of the things that may not change without an audit entry.
    pub(super) fn owes_an_entry(&self, base: &Self) -> Option<&'static str> {
        (self.memberships != base.memberships).then_some("a membership")
    }

    pub(super) fn check_unique(&self) -> Result<(), StoreError> {
        let contacts = self.contacts.values().filter_map(|contact| {
            contact.extension.external_id.as_ref().map(|external| (contact.company, external))
        });
        distinct(contacts, "externalId")?;
        distinct(self.users.values().map(|user| user.email.as_str().to_lowercase()), "email")?;
        distinct(self.memberships.values().map(|member| (member.account, member.user)), "userId")
    }
}

fn distinct<T: Ord>(values: impl Iterator<Item = T>, field: &'static str) -> Result<(), StoreError> {
    let mut seen = BTreeSet::new();
    for value in values {
        if !seen.insert(value) {
            return Err(StoreError::Taken { field });
        }
    }
    Ok(())
}

fn merged<K: Ord + Copy, V: Clone + PartialEq>(
    committed: &BTreeMap<K, V>,
    base: &BTreeMap<K, V>,
    changed: &BTreeMap<K, V>,
) -> Result<BTreeMap<K, V>, StoreError> {
    let mut next = committed.clone();
    let keys: BTreeSet<K> = base.keys().chain(changed.keys()).copied().collect();
    for key in keys {
        let (before, after) = (base.get(&key), changed.get(&key));
        if before == after {
            continue;
        }
        if committed.get(&key) != before {
            return Err(StoreError::Conflict);
        }
        match after {
            Some(after) => next.insert(key, after.clone()),
            None => next.remove(&key),
        };
    }
    Ok(next)
}

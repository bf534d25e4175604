//! Users and memberships in memory.

use async_trait::async_trait;
use svc_business::account::AccountStatus;
use svc_business::membership::{Invitation, Member, Membership, MembershipStatus};
use svc_business::ports::{PeopleReader, PeopleStore};
use svc_business::user::User;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, MembershipId, UserId};
use svc_core::page::{Page, PageRequest};
use svc_core::resource::Version;
use svc_core::role::Role;
use svc_core::tenant::Scope;

use super::state::State;
use super::{Store, list};

#[async_trait]
impl PeopleReader for Store {
    async fn user(&self, id: UserId) -> Result<Option<User>, StoreError> {
        Ok(self.state().users.get(&id).cloned())
    }

    async fn user_by_email(&self, email: &str) -> Result<Option<User>, StoreError> {
        let wanted = email.to_lowercase();
        let same = |user: &&User| user.email.as_str().to_lowercase() == wanted;
        Ok(self.state().users.values().find(same).cloned())
    }

    async fn membership(&self, account: AccountId, user: UserId) -> Result<Option<Membership>, StoreError> {
        let same = |member: &&Membership| member.account == account && member.user == user;
        Ok(self.state().memberships.values().find(same).cloned())
    }

    async fn members(
        &self,
        scope: &Scope,
        account: AccountId,
        page: PageRequest,
    ) -> Result<Page<Member>, StoreError> {
        let state = self.state();
        let present = |member: &&Membership| {
            scope.contains(account) && member.account == account && member.status != MembershipStatus::Ended
        };
        let mut members: Vec<Member> = state
            .memberships
            .values()
            .filter(present)
            .filter_map(|membership| {
                let user = state.users.get(&membership.user)?.clone();
                Some(Member { membership: membership.clone(), user, phone: None })
            })
            .collect();
        members.sort_by_key(|member| (member.membership.created_at, member.membership.id));
        Ok(list::cut(members, page))
    }

    async fn member(
        &self,
        scope: &Scope,
        account: AccountId,
        id: MembershipId,
    ) -> Result<Option<Member>, StoreError> {
        let state = self.state();
        let found = state.memberships.get(&id).filter(|membership| {
            scope.contains(account)
                && membership.account == account
                && membership.status != MembershipStatus::Ended
        });
        Ok(found.and_then(|membership| {
            let user = state.users.get(&membership.user)?.clone();
            Some(Member { membership: membership.clone(), user, phone: None })
        }))
    }

    async fn invitation(&self, person: UserId, id: MembershipId) -> Result<Option<Invitation>, StoreError> {
        let state = self.state();
        let found = state.memberships.get(&id).filter(|membership| membership.user == person);
        Ok(found.and_then(|membership| state.invitation(membership)))
    }

    async fn invitations(
        &self,
        person: UserId,
        since: Timestamp,
        page: PageRequest,
    ) -> Result<Page<Invitation>, StoreError> {
        let state = self.state();
        let open = |membership: &&Membership| membership.user == person && is_open(membership, since);
        let open = state.memberships.values().filter(open);
        let mut found: Vec<_> = open.filter_map(|membership| state.invitation(membership)).collect();
        found.sort_by_key(|invitation| (invitation.membership.invited_at, invitation.membership.id));
        Ok(list::cut(found, page))
    }

    async fn open_invitations(&self, account: AccountId, since: Timestamp) -> Result<u64, StoreError> {
        let open = |membership: &&Membership| membership.account == account && is_open(membership, since);
        Ok(u64::try_from(self.state().memberships.values().filter(open).count()).unwrap_or(u64::MAX))
    }

    async fn holders(&self, account: AccountId) -> Result<u64, StoreError> {
        let holds = |member: &&Membership| {
            member.account == account
                && member.role == Role::Holder
                && member.status == MembershipStatus::Active
        };
        Ok(u64::try_from(self.state().memberships.values().filter(holds).count()).unwrap_or(u64::MAX))
    }
}

fn is_open(membership: &Membership, since: Timestamp) -> bool {
    membership.status == MembershipStatus::Invited && membership.invited_at > since
}

impl State {
    /// The membership as its person sees it, unless the company was merged.
    fn invitation(&self, membership: &Membership) -> Option<Invitation> {
        let company = self.accounts.get(&membership.account)?;
        let inviter = membership.invited_by.and_then(|by| self.users.get(&by));
        (!matches!(company.status, AccountStatus::Merged { .. })).then(|| Invitation {
            membership: membership.clone(),
            legal_name: company.legal_name.clone(),
            inviter: inviter.cloned(),
        })
    }
}

#[async_trait]
impl PeopleStore for Store {
    async fn insert_user(&self, user: &User) -> Result<(), StoreError> {
        let mut state = self.state();
        let mut next = state.clone();
        next.users.insert(user.id, user.clone());
        next.check_unique()?;
        *state = next;
        Ok(())
    }

    async fn replace_user(&self, before: Version, after: &User) -> Result<(), StoreError> {
        let mut state = self.state();
        let mut next = state.clone();
        match next.users.get_mut(&after.id) {
            Some(stored) if stored.version == before => *stored = after.clone(),
            Some(_) | None => return Err(StoreError::Conflict),
        }
        next.check_unique()?;
        *state = next;
        Ok(())
    }

    async fn insert_membership(&self, membership: &Membership) -> Result<(), StoreError> {
        let mut state = self.state();
        let mut next = state.clone();
        next.memberships.insert(membership.id, membership.clone());
        next.check_unique()?;
        *state = next;
        Ok(())
    }

    async fn replace_membership(&self, before: Version, after: &Membership) -> Result<(), StoreError> {
        match self.state().memberships.get_mut(&after.id) {
            Some(stored) if stored.version == before => {
                *stored = after.clone();
                Ok(())
            }
            Some(_) | None => Err(StoreError::Conflict),
        }
    }
}

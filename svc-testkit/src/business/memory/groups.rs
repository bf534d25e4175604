//! Groups in memory.

use async_trait::async_trait;
use svc_business::group::Group;
use svc_business::ports::{GroupReader, GroupStore};
use svc_core::error::StoreError;
use svc_core::id::GroupId;
use svc_core::page::{Page, PageRequest};
use svc_core::resource::Version;
use svc_core::tenant::Scope;

use super::{Store, list};

#[async_trait]
impl GroupReader for Store {
    async fn find(&self, scope: &Scope, id: GroupId) -> Result<Option<Group>, StoreError> {
        Ok(self.state().groups.get(&id).and_then(|group| within(scope, group)))
    }

    async fn page(&self, scope: &Scope, page: PageRequest) -> Result<Page<Group>, StoreError> {
        let mut groups: Vec<Group> =
            self.state().groups.values().filter_map(|group| within(scope, group)).collect();
        groups.sort_by_key(|group| (group.created_at, group.id));
        Ok(list::cut(groups, page))
    }
}

#[async_trait]
impl GroupStore for Store {
    async fn insert(&self, group: &Group) -> Result<(), StoreError> {
        let mut state = self.state();
        if state.groups.contains_key(&group.id) {
            return Err(StoreError::Conflict);
        }
        state.groups.insert(group.id, group.clone());
        Ok(())
    }

    async fn replace(&self, before: Version, after: &Group) -> Result<(), StoreError> {
        match self.state().groups.get_mut(&after.id) {
            Some(stored) if stored.version == before => {
                *stored = after.clone();
                Ok(())
            }
            Some(_) | None => Err(StoreError::Conflict),
        }
    }

    async fn remove(&self, group: &Group) -> Result<(), StoreError> {
        let mut state = self.state();
        match state.groups.get(&group.id) {
            Some(stored) if stored.version == group.version => {
                state.groups.remove(&group.id);
                Ok(())
            }
            Some(_) | None => Err(StoreError::Conflict),
        }
    }
}

/// The group with its members within the scope, oldest first; `None` when there is none of them.
fn within(scope: &Scope, group: &Group) -> Option<Group> {
    let mut members: Vec<_> =
        group.members.iter().filter(|member| scope.contains(member.account)).cloned().collect();
    members.sort_by_key(|member| (member.since, member.account));
    (!members.is_empty()).then(|| Group { members, ..group.clone() })
}

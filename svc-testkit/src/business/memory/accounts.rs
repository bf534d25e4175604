//! Companies in memory.

use async_trait::async_trait;
use svc_business::account::{Account, AccountFilter, AccountSort, AccountStatus};
use svc_business::contact::search_key;
use svc_business::party::TaxId;
use svc_business::ports::{AccountReader, AccountStore};
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::page::{Page, PageRequest, Sort};
use svc_core::pii::Pii;
use svc_core::resource::{ResourceReader, ResourceStore, Version};
use svc_core::tenant::Scope;

use super::{Store, list};

#[async_trait]
impl ResourceReader<Account> for Store {
    async fn find(&self, scope: &Scope, id: AccountId) -> Result<Option<Account>, StoreError> {
        Ok(self.state().accounts.get(&id).filter(|found| scope.contains(found.id)).cloned())
    }

    async fn page(
        &self,
        scope: &Scope,
        filter: &AccountFilter,
        sort: &Sort<AccountSort>,
        page: PageRequest,
    ) -> Result<Page<Account>, StoreError> {
        let state = self.state();
        let known = state.accounts.values();
        let items = known.filter(|item| scope.contains(item.id) && matches(filter, item)).cloned().collect();
        let compare = |key, left: &Account, right: &Account| match key {
            AccountSort::Name => left.name_key().cmp(&right.name_key()),
            AccountSort::CreatedAt => left.created_at.cmp(&right.created_at),
            AccountSort::UpdatedAt => left.updated_at.cmp(&right.updated_at),
        };
        Ok(list::page(items, sort, AccountSort::CreatedAt, compare, |item| item.id, page))
    }
}

#[async_trait]
impl ResourceStore<Account> for Store {
    async fn insert(&self, scope: &Scope, record: &Account) -> Result<(), StoreError> {
        let mut state = self.state();
        if !scope.contains(record.id) || state.accounts.contains_key(&record.id) {
            return Err(StoreError::Conflict);
        }
        state.accounts.insert(record.id, record.clone());
        Ok(())
    }

    async fn replace(&self, scope: &Scope, before: Version, after: &Account) -> Result<(), StoreError> {
        match self.state().accounts.get_mut(&after.id) {
            Some(stored) if scope.contains(after.id) && stored.version == before => {
                *stored = after.clone();
                Ok(())
            }
            Some(_) | None => Err(StoreError::Conflict),
        }
    }

    async fn delete(&self, scope: &Scope, record: &Account) -> Result<(), StoreError> {
        let mut state = self.state();
        match state.accounts.get(&record.id) {
            Some(stored) if scope.contains(record.id) && stored.version == record.version => {
                state.accounts.remove(&record.id);
                Ok(())
            }
            Some(_) | None => Err(StoreError::Conflict),
        }
    }
}

#[async_trait]
impl AccountReader for Store {
    async fn with_tax_id(
        &self,
        scope: &Scope,
        tax_id: &Pii<TaxId>,
        except: AccountId,
    ) -> Result<Vec<AccountId>, StoreError> {
        let same = |account: &&Account| {
            scope.contains(account.id)
                && account.id != except
                && account.tax_id.as_ref() == Some(tax_id)
                && !matches!(account.status, AccountStatus::Merged { .. })
        };
        Ok(self.state().accounts.values().filter(same).map(|account| account.id).collect())
    }

    async fn active_subsidiaries(&self, parent: AccountId) -> Result<u64, StoreError> {
        let below =
            |account: &&Account| account.parent == Some(parent) && account.status == AccountStatus::Active;
        Ok(u64::try_from(self.state().accounts.values().filter(below).count()).unwrap_or(u64::MAX))
    }

    async fn any(&self) -> Result<bool, StoreError> {
        Ok(!self.state().accounts.is_empty())
    }
}

impl AccountStore for Store {}

fn matches(filter: &AccountFilter, account: &Account) -> bool {
    let text = filter.text.as_deref().map(search_key);
    let found = |text: &String| {
        [Some(account.name_key()), account.trade_name_key(), account.email_key()]
            .into_iter()
            .flatten()
            .any(|key| key.contains(text))
    };
    filter.status.is_none_or(|status| status == account.status.name())
        && filter.group.is_none_or(|group| account.group == Some(group))
        && filter.updated_since.is_none_or(|since| account.updated_at >= since)
        && text.as_ref().is_none_or(found)
}

//! The tenants of the service, as it keeps them itself.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use svc_auth::ports::TenantDirectory;
use svc_core::error::StoreError;
use svc_core::id::AccountId;

/// Tenants by id; clones share them. Here in memory, in a real service wherever it has them.
#[derive(Clone, Debug, Default)]
pub struct Tenants(Arc<Mutex<BTreeMap<AccountId, String>>>);

impl Tenants {
    /// Lets a tenant in.
    pub fn admit(&self, id: AccountId, name: &str) {
        self.lock().insert(id, name.to_owned());
    }

    /// Ends the service for a tenant: its tokens are refused from the next refresh on.
    pub fn remove(&self, id: AccountId) {
        self.lock().remove(&id);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<AccountId, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All that svc-auth asks of them.
#[async_trait]
impl TenantDirectory for Tenants {
    async fn name(&self, id: AccountId) -> Result<Option<String>, StoreError> {
        Ok(self.lock().get(&id).cloned())
    }
}

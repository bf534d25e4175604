//! The ports of tokens whose companies are in the same database.

use std::sync::Arc;

use async_trait::async_trait;
use svc_auth::ports::{AccountDirectory, AuthStorage, AuthUnit, TokenReader, TokenStore};
use svc_core::error::StoreError;

use crate::database::{Database, Inner};
use crate::unit::SeaUnit;

impl Database {
    /// The token ports, with the companies, groups and people of this database.
    #[must_use]
    pub fn auth(&self) -> Arc<dyn AuthStorage> {
        Arc::clone(&self.0) as Arc<dyn AuthStorage>
    }
}

#[async_trait]
impl AuthStorage for Inner {
    async fn begin(&self) -> Result<Box<dyn AuthUnit>, StoreError> {
        Ok(Box::new(Self::begin(self)?))
    }

    fn tokens(&self) -> &dyn TokenReader {
        &self.reader
    }

    fn directory(&self) -> &dyn AccountDirectory {
        &self.reader
    }
}

impl AuthUnit for SeaUnit {
    fn tokens(&self) -> &dyn TokenStore {
        &self.store
    }

    fn directory(&self) -> &dyn AccountDirectory {
        &self.store
    }
}

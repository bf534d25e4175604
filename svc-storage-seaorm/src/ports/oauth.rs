//! The port of OAuth, beside the credentials, companies and people of this database.

use std::sync::Arc;

use async_trait::async_trait;
use svc_auth::ports::{
    ApprovalReader, ApprovalStore, ClientReader, ClientStore, GrantReader, GrantStore, OauthStorage,
    OauthUnit, TokenReader,
};
use svc_core::error::StoreError;

use crate::database::{Database, Inner};
use crate::unit::SeaUnit;

impl Database {
    /// The port of OAuth.
    #[must_use]
    pub fn oauth(&self) -> Arc<dyn OauthStorage> {
        Arc::clone(&self.0) as Arc<dyn OauthStorage>
    }
}

#[async_trait]
impl OauthStorage for Inner {
    async fn begin(&self) -> Result<Box<dyn OauthUnit>, StoreError> {
        Ok(Box::new(Self::begin(self)?))
    }

    fn clients(&self) -> &dyn ClientReader {
        &self.reader
    }

    fn grants(&self) -> &dyn GrantReader {
        &self.reader
    }

    fn approvals(&self) -> &dyn ApprovalReader {
        &self.reader
    }

    fn credentials(&self) -> &dyn TokenReader {
        &self.reader
    }
}

impl OauthUnit for SeaUnit {
    fn clients(&self) -> &dyn ClientStore {
        &self.store
    }

    fn grants(&self) -> &dyn GrantStore {
        &self.store
    }

    fn approvals(&self) -> &dyn ApprovalStore {
        &self.store
    }
}

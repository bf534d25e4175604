//! The business ports.

use async_trait::async_trait;
use svc_business::ports::{
    AccountReader, BusinessStorage, BusinessUnit, ContactReader, GroupReader, PeopleReader,
};
use svc_core::error::StoreError;

use crate::database::Inner;

#[async_trait]
impl BusinessStorage for Inner {
    async fn begin(&self) -> Result<Box<dyn BusinessUnit>, StoreError> {
        Ok(Box::new(Self::begin(self)?))
    }

    fn accounts(&self) -> &dyn AccountReader {
        &self.reader
    }

    fn contacts(&self) -> &dyn ContactReader {
        &self.reader
    }

    fn groups(&self) -> &dyn GroupReader {
        &self.reader
    }

    fn people(&self) -> &dyn PeopleReader {
        &self.reader
    }
}

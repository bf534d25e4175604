//! The business ports.

use std::sync::Arc;

use async_trait::async_trait;
use svc_business::ports::{BusinessStorage, BusinessUnit};
use svc_core::error::StoreError;

use crate::database::{Database, Inner};
use crate::unit::SeaUnit;

impl Database {
    /// The business ports.
    #[must_use]
    pub fn business(&self) -> Arc<dyn BusinessStorage> {
        Arc::clone(&self.0) as Arc<dyn BusinessStorage>
    }
}

macro_rules! areas {
    ($(
        $(#[$about:meta])*
        $storage:ident / $unit:ident: $($storage_below:ident / $unit_below:ident)? {
            $($port:ident: $reader:path => $store:path,)+
        }
    )+) => {$(
        impl svc_business::ports::$storage for Inner {$(
            fn $port(&self) -> &dyn $reader {
                &self.reader
            }
        )+}

        impl svc_business::ports::$unit for SeaUnit {$(
            fn $port(&self) -> &dyn $store {
                &self.store
            }
        )+}
    )+};
}
svc_business::business_areas!(areas);

#[async_trait]
impl BusinessStorage for Inner {
    async fn begin(&self) -> Result<Box<dyn BusinessUnit>, StoreError> {
        Ok(Box::new(Self::begin(self)?))
    }
}

//! The business ports.

use async_trait::async_trait;
use svc_business::ports::{BusinessStorage, BusinessUnit};
use svc_core::error::StoreError;

use crate::database::Inner;

macro_rules! storages {
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
    )+};
}
svc_business::business_areas!(storages);

#[async_trait]
impl BusinessStorage for Inner {
    async fn begin(&self) -> Result<Box<dyn BusinessUnit>, StoreError> {
        Ok(Box::new(Self::begin(self)?))
    }
}

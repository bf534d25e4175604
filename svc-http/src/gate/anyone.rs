//! Routes that ask for no credential: signing in.

use svc_core::pii::PiiAccess;

use super::{Arrival, Caller, Gate, Notice, origin};
use crate::problem::Problem;

/// Lets everybody in who does not come from another site.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByAnyone;

/// An anonymous caller.
pub(crate) struct Anonymous;

impl Gate for ByAnyone {
    type Caller = Anonymous;

    async fn admit(&self, arrival: &Arrival) -> Result<Anonymous, Problem> {
        // Otherwise another site could sign its visitor in as another person, and read what they then write.
        origin::check(arrival)?;
        Ok(Anonymous)
    }

    fn notice(&self) -> Notice {
        Notice {
            access: "anyone",
            permission: None,
            schemes: &[],
            csrf: false,
            limits: false,
            sentence: "Needs no credential.".to_owned(),
        }
    }
}

impl Caller for Anonymous {
    fn access(&self) -> PiiAccess {
        PiiAccess::Masked
    }
}

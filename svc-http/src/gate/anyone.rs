//! Routes that ask for no credential: signing in.

use svc_core::pii::PiiAccess;

use super::{Arrival, Caller, Gate, Notice, origin};
use crate::problem::Problem;

/// Lets everybody in who does not come from another site.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByAnyone;

/// Nobody in particular.
pub(crate) struct Nobody;

impl Gate for ByAnyone {
    type Caller = Nobody;

    async fn admit(&self, arrival: &Arrival) -> Result<Nobody, Problem> {
        // Otherwise another site could sign its visitor in as somebody else, and read what they then write.
        origin::check(arrival)?;
        Ok(Nobody)
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

impl Caller for Nobody {
    fn access(&self) -> PiiAccess {
        PiiAccess::Masked
    }
}

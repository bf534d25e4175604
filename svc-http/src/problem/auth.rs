//! Refusals of the authority (specification, part 5.2).

use std::time::Duration;

use svc_auth::authenticate::{Denied, Rejected};
use svc_auth::limit::Budget;

use super::{Code, Problem};
use crate::limits;

impl From<Rejected> for Problem {
    fn from(rejected: Rejected) -> Self {
        let problem = Self::from(rejected.denied);
        match rejected.limits {
            Some(limits) => problem.limits(limits),
            None => problem,
        }
    }
}

impl From<Denied> for Problem {
    fn from(denied: Denied) -> Self {
        let detail = denied.to_string();
        match denied {
            Denied::TokenMissing => Self::new(Code::TokenMissing, "send `Authorization: Bearer svc_live_…`"),
            Denied::TokenInvalid => Self::new(Code::TokenInvalid, detail),
            Denied::TokenDisabled => Self::new(Code::TokenDisabled, detail),
            Denied::TokenRevoked => Self::new(Code::TokenRevoked, detail),
            Denied::TokenExpired => Self::new(Code::TokenExpired, detail),
            Denied::CreatorLostRole => Self::new(Code::CreatorLostRole, detail),
            Denied::AccountTokenNotAccepted => Self::new(Code::AccountTokenNotAccepted, detail),
            Denied::MissingPermission { required } => {
                Self::new(Code::MissingPermission, detail).requires(&required).missing([required])
            }
            Denied::IpNotAllowed => Self::new(Code::IpNotAllowed, detail),
            Denied::IpRestrictedToken => Self::new(Code::IpRestrictedToken, detail),
            Denied::LimitExceeded { budget, retry_after } => {
                let code = match budget {
                    Budget::Minute => Code::RateLimited,
                    Budget::Month => Code::QuotaExceeded,
                };
                Self::new(code, code.title()).retry_after(whole_seconds(retry_after))
            }
            Denied::TooManyFailures { retry_after } => {
                Self::new(Code::RateLimited, detail).retry_after(whole_seconds(retry_after))
            }
            Denied::Store(error) => error.into(),
        }
    }
}

/// At least one second, also at the very end of a window.
pub(super) fn whole_seconds(wait: Duration) -> u64 {
    limits::whole_seconds(wait).max(1)
}

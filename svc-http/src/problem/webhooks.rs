//! Refusals of the webhook use cases.

use svc_core::permission::Permission;
use svc_webhooks::delivery::RedeliverError;
use svc_webhooks::endpoint::EndpointError;
use svc_webhooks::ports::Refusal;
use svc_webhooks::replay::{ReplayError, TransitionError};
use svc_webhooks::subscription::{ChangeError, Inactive, TooManySubscriptions};

use super::{Code, Problem};

impl From<ChangeError> for Problem {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::MissingPermissions(missing) => missing_permissions(&missing),
            ChangeError::Url(error) => endpoint(&error),
            ChangeError::Target(refusal) => refused(&refusal),
        }
    }
}

impl From<TooManySubscriptions> for Problem {
    fn from(TooManySubscriptions { most }: TooManySubscriptions) -> Self {
        Self::new(
            Code::SubscriptionLimitReached,
            format!("the account has {most} subscriptions already, which is the most there can be"),
        )
    }
}

impl From<Inactive> for Problem {
    fn from(_: Inactive) -> Self {
        Self::new(
            Code::SubscriptionInactive,
            "the subscription is inactive: switch it on with PATCH {\"active\": true}",
        )
        .state("inactive")
    }
}

impl From<RedeliverError> for Problem {
    fn from(error: RedeliverError) -> Self {
        match error {
            RedeliverError::NotEnded { status } => {
                Self::new(Code::DeliveryNotEnded, "only a delivered or failed delivery can be sent again")
                    .state(status.name())
            }
            RedeliverError::Inactive(inactive) => inactive.into(),
        }
    }
}

impl From<ReplayError> for Problem {
    fn from(error: ReplayError) -> Self {
        match error {
            ReplayError::MissingPermissions(missing) => missing_permissions(&missing),
            ReplayError::Inactive(inactive) => inactive.into(),
            ReplayError::TooMany { most } => Self::new(
                Code::TooManyReplays,
                format!("{most} replays of the subscription are open: wait for one to end, or cancel one"),
            ),
        }
    }
}

impl From<TransitionError> for Problem {
    fn from(error: TransitionError) -> Self {
        Self::new(Code::ReplayEnded, "the replay has ended already").state(error.status.name())
    }
}

fn missing_permissions(missing: &[Permission]) -> Problem {
    let detail = "the token lacks the read permission of at least one of the events";
    let problem = Problem::new(Code::MissingPermission, detail).missing(missing);
    match missing.first() {
        Some(first) => problem.requires(first),
        None => problem,
    }
}

fn refused(refusal: &Refusal) -> Problem {
    let reason = match refusal {
        Refusal::NotHttps => "not_https",
        Refusal::InternalName(_) => "internal_name",
        Refusal::Unresolvable(_) => "unresolvable",
        Refusal::NotPublic { .. } => "not_public",
        Refusal::Port(_) => "port_not_allowed",
    };
    url(reason, refusal.to_string())
}

fn endpoint(error: &EndpointError) -> Problem {
    let reason = match error {
        EndpointError::Malformed => "malformed",
        EndpointError::TooLong => "too_long",
        EndpointError::Scheme => "not_https",
        EndpointError::Credentials => "credentials",
        EndpointError::Fragment => "fragment",
    };
    url(reason, error.to_string())
}

fn url(reason: &'static str, message: String) -> Problem {
    Problem::new(Code::WebhookUrlNotAllowed, format!("the webhook URL is not allowed: {message}"))
        .at("url", reason, message)
}

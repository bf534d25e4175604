//! Refusals of the webhook use cases.

use svc_core::permission::Permission;
use svc_webhooks::delivery::{RedeliverError, TestError};
use svc_webhooks::endpoint::EndpointError;
use svc_webhooks::ports::Refusal;
use svc_webhooks::replay::{CancelError, ReplayError};
use svc_webhooks::subscription::{CreateError, RemoveError, UpdateError};

use super::{Code, Problem};

impl From<CreateError> for Problem {
    fn from(error: CreateError) -> Self {
        match error {
            CreateError::MissingPermissions(missing) => missing_permissions(&missing),
            CreateError::Invalid(invalid) => invalid.into(),
            CreateError::Url(error) => endpoint(&error),
            CreateError::Refused(refusal) => refused(&refusal),
            CreateError::TooMany { most } => Self::new(
                Code::SubscriptionLimitReached,
                format!("the account has {most} subscriptions already, which is the most there can be"),
            ),
            CreateError::Store(error) => error.into(),
        }
    }
}

impl From<UpdateError> for Problem {
    fn from(error: UpdateError) -> Self {
        match error {
            UpdateError::NotFound => Self::not_found(),
            UpdateError::VersionConflict { current } => Self::version_conflict(current),
            UpdateError::MissingPermissions(missing) => missing_permissions(&missing),
            UpdateError::Invalid(invalid) => invalid.into(),
            UpdateError::Url(error) => endpoint(&error),
            UpdateError::Refused(refusal) => refused(&refusal),
            UpdateError::Store(error) => error.into(),
        }
    }
}

impl From<RemoveError> for Problem {
    fn from(error: RemoveError) -> Self {
        match error {
            RemoveError::NotFound => Self::not_found(),
            RemoveError::VersionConflict { current } => Self::version_conflict(current),
            RemoveError::Store(error) => error.into(),
        }
    }
}

impl From<TestError> for Problem {
    fn from(error: TestError) -> Self {
        match error {
            TestError::NotFound => Self::not_found(),
            TestError::SubscriptionInactive => subscription_inactive(),
            TestError::Store(error) => error.into(),
        }
    }
}

impl From<RedeliverError> for Problem {
    fn from(error: RedeliverError) -> Self {
        match error {
            RedeliverError::NotFound => Self::not_found(),
            RedeliverError::NotEnded { status } => {
                Self::new(Code::DeliveryNotEnded, "only a delivered or failed delivery can be sent again")
                    .state(status.name())
            }
            RedeliverError::SubscriptionInactive => subscription_inactive(),
            RedeliverError::Store(error) => error.into(),
        }
    }
}

impl From<ReplayError> for Problem {
    fn from(error: ReplayError) -> Self {
        match error {
            ReplayError::NotFound => Self::not_found(),
            ReplayError::MissingPermissions(missing) => missing_permissions(&missing),
            ReplayError::Invalid(invalid) => invalid.into(),
            ReplayError::SubscriptionInactive => subscription_inactive(),
            ReplayError::TooMany { most } => Self::new(
                Code::TooManyReplays,
                format!("{most} replays of the subscription are open: wait for one to end, or cancel one"),
            ),
            ReplayError::Store(error) => error.into(),
        }
    }
}

impl From<CancelError> for Problem {
    fn from(error: CancelError) -> Self {
        match error {
            CancelError::NotFound => Self::not_found(),
            CancelError::Ended(error) => {
                Self::new(Code::ReplayEnded, "the replay has ended already").state(error.status.name())
            }
            CancelError::Store(error) => error.into(),
        }
    }
}

fn subscription_inactive() -> Problem {
    Problem::new(
        Code::SubscriptionInactive,
        "the subscription is inactive: switch it on with PATCH {\"active\": true}",
    )
    .state("inactive")
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

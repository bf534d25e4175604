//! What a service calls the things that its receivers see: its headers, and the mark of its secrets.
//!
//! One value is given to all who must agree on it: the deliverer, the rules of subscriptions and, at the
//! other end, the receiver's [`Verifier`](crate::signature::Verifier).

mod header;

pub use svc_core::mark::{MalformedMark, Mark};

pub use self::header::{HeaderName, HeaderPrefix, MalformedPrefix};

/// The names of one service; those of the specification, part 6.2, unless it chooses others.
///
/// ```
/// use svc_webhooks::names::{HeaderPrefix, Mark, Names};
///
/// const SHOP: Names = Names::new(HeaderPrefix::of("X-Shop"), Mark::of("shopsec_"));
/// assert_eq!(SHOP.signature, *"X-Shop-Webhook-Signature");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Names {
    /// What the names of all headers begin with: `X-SVC`.
    pub prefix: HeaderPrefix,
    /// `X-SVC-Webhook-Event`: the type of the event.
    pub event: HeaderName,
    /// `X-SVC-Webhook-Id`: the id of the event.
    pub id: HeaderName,
    /// `X-SVC-Webhook-Delivery`: the id of the delivery.
    pub delivery: HeaderName,
    /// `X-SVC-Webhook-Date`: when the attempt was made.
    pub date: HeaderName,
    /// `X-SVC-Webhook-Account-Id`: the company of the event.
    pub account_id: HeaderName,
    /// `X-SVC-Webhook-Version`: the version of the contract.
    pub version: HeaderName,
    /// `X-SVC-Webhook-Signature`
    pub signature: HeaderName,
    /// What signing secrets begin with: `whsec_`.
    pub secret: Mark,
}

impl Names {
    /// `X-SVC-Webhook-…` and `whsec_…`.
    pub const STANDARD: Self = Self::new(HeaderPrefix::STANDARD, Mark::of("whsec_"));

    /// The names that begin like this.
    #[must_use]
    pub const fn new(prefix: HeaderPrefix, secret: Mark) -> Self {
        Self {
            prefix,
            event: prefix.name("-Webhook-Event"),
            id: prefix.name("-Webhook-Id"),
            delivery: prefix.name("-Webhook-Delivery"),
            date: prefix.name("-Webhook-Date"),
            account_id: prefix.name("-Webhook-Account-Id"),
            version: prefix.name("-Webhook-Version"),
            signature: prefix.name("-Webhook-Signature"),
            secret,
        }
    }
}

impl Default for Names {
    fn default() -> Self {
        Self::STANDARD
    }
}

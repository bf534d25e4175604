//! The page that shows a signing secret, once, and how a receiver verifies what is signed with it.

use askama::Template;
use axum::response::Response;
use svc_core::id::SubscriptionId;
use svc_http::Problem;
use svc_webhooks::subscription::Subscription;

use crate::frame::{Frame, Place};
use crate::gate::{Developer, Seen};
use crate::page;

/// Whole receivers, by language; docs/verify.md tells more of each.
const RECEIVERS: [(&str, &str); 6] = [
    ("Node", include_str!("../../assets/verify/verify.mjs")),
    ("Python", include_str!("../../assets/verify/verify.py")),
    ("Go", include_str!("../../assets/verify/verify.go")),
    ("PHP", include_str!("../../assets/verify/verify.php")),
    ("Ruby", include_str!("../../assets/verify/verify.rb")),
    ("Rust", include_str!("../../assets/verify/verify.rs")),
];

#[derive(Template)]
#[template(path = "subscriptions/secret.html")]
struct View<'a> {
    f: Frame,
    id: SubscriptionId,
    name: &'a str,
    secret: &'a str,
}

/// Shows it in the answer to the form, and nowhere else.
pub(super) fn page(seen: &Seen<Developer>, of: &Subscription) -> Result<Response, Problem> {
    let f = Frame::of(seen, Place::Webhooks);
    page::ok(&View { f, id: of.id, name: &of.name, secret: of.secret.expose() })
}

impl View<'_> {
    #[expect(clippy::unused_self, reason = "templates call methods")]
    fn receivers(&self) -> [(&'static str, &'static str); 6] {
        RECEIVERS
    }
}

#[cfg(test)]
mod tests {
    use svc_webhooks::signature::sign;

    include!("../../assets/verify/verify.rs");

    #[test]
    fn the_receiver_that_is_shown_in_rust_verifies() {
        let secret = "whsec_0123456789";
        let body = br#"{"id":"evt_1","type":"webhook.test","occurred_at":"2027-01-15T08:00:00.000Z","data":{"object":"a","id":"b"}}"#;
        let verifier = Verifier::new([secret]).expect("a secret");
        let now = Timestamp::from_unix_seconds(1_800_000_000);
        let signature = sign(secret, now.unix_seconds(), body);
        let headers = [("x-svc-webhook-id", "evt_1"), ("x-svc-webhook-signature", signature.as_str())];
        assert!(verify(&verifier, &headers, body, now).is_ok());
        assert!(verify(&verifier, &headers, b"{}", now).is_err());
    }
}

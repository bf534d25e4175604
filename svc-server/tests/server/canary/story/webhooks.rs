//! Subscriptions and their deliveries.

use serde_json::json;

use super::Story;
use crate::harness::{Answer, Api, Receiver};

impl Story<'_> {
    /// Subscribes a receiver that works, and one that is not there.
    pub(super) fn subscribe(&mut self, api: &Api) -> Receiver {
        let receiver = Receiver::answering(Answer::Status(200));
        let (id, secret) =
            api.subscribe(&receiver.url, &["contact.create", "contact.update", "contact.merge"]);
        self.canaries.keep("webhook secret", &secret);
        let rotated =
            api.post(&format!("/api/v1/webhooks/subscriptions/{id}/rotate-secret"), &json!({})).expect(200);
        self.canaries.keep("rotated webhook secret", rotated["secret"].as_str().expect("a secret"));

        let query = self.canaries.personal("webhook query").to_owned();
        let dead = format!("http://127.0.0.1:1/{query}?key={query}");
        let (dead, secret) = api.subscribe(&dead, &["contact.create"]);
        self.canaries.keep("webhook secret of the dead", secret);
        let tested = api.post(&format!("/api/v1/webhooks/subscriptions/{dead}/test"), &json!({})).expect(200);
        self.places.add("error report of a test", tested.to_string());

        let header = self.canaries.secret("webhook header");
        let body = json!({"headers": {"X-Api-Key": header, "Authorization": format!("Bearer {header}")}});
        api.patch(&format!("/api/v1/webhooks/subscriptions/{id}"), &body).expect(200);
        for (told, headers) in [
            ("a header that is not allowed", json!({"Cookie": header})),
            ("a header with its value as its name", json!({header.as_str(): "X-Api-Key"})),
            ("a header of two lines", json!({"X-Api-Key": format!("{header}\r\n")})),
            ("no headers at all", json!(header)),
        ] {
            let body = json!({"headers": headers});
            self.refused(told, api, "PATCH", &format!("/api/v1/webhooks/subscriptions/{id}"), &body);
        }

        let key = [("Content-Type", "application/json"), ("Idempotency-Key", "canary-subscription")];
        let body = json!({"name": "Kept", "url": receiver.url, "events": ["contact.delete"]}).to_string();
        let kept = api.call("POST", "/api/v1/webhooks/subscriptions", &key, &body).expect(201);
        self.canaries.keep("webhook secret of a kept reply", kept["secret"].as_str().expect("a secret"));

        for (told, url) in [
            ("an inner URL", format!("http://10.0.0.1/{query}")),
            ("a URL with a password", format!("https://{query}:{query}@example.com/")),
            ("no URL", query.clone()),
        ] {
            let body = json!({"name": "Bad", "url": url, "events": ["contact.create"]});
            self.refused(told, api, "POST", "/api/v1/webhooks/subscriptions", &body);
        }
        let event =
            json!({"name": "Bad", "url": receiver.url, "events": [self.canaries.personal("unknown choice")]});
        self.refused("an unknown event", api, "POST", "/api/v1/webhooks/subscriptions", &event);
        receiver
    }

    /// Waits for the deliveries of what was done, and for the last one.
    pub(super) fn deliveries(&mut self, api: &Api, receiver: &Receiver) {
        let last = api.contact("the last one");
        let (header, mut with_header) = (self.canaries.secret("webhook header"), 0);
        let mut seen = 0;
        loop {
            let hit = receiver.next();
            self.places.webhook(&hit);
            seen += 1;
            with_header += usize::from(hit.headers.iter().any(|(_, value)| *value == header));
            if hit.json()["data"]["id"] == last {
                break;
            }
        }
        assert!(seen >= 5 && with_header >= 5, "{seen} webhooks, {with_header} with their header");
    }
}

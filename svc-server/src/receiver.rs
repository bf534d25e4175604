//! A receiver of webhooks: verifies signatures and notices repetitions
//! (specification, parts 6.3 and 6.4).

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::http::HeaderMap;
use serde::Serialize;
use serde_json::Value;
use svc_core::clock::{Clock as _, Timestamp};
use svc_core::system::SystemClock;
use svc_webhooks::signature::{VerifyError, verify};

use crate::output::{Output, Tone};

/// Event ids that are remembered, to notice repetitions.
const REMEMBERED: usize = 10_000;

/// Takes deliveries in.
#[derive(Debug, Default)]
pub(crate) struct Receiver {
    /// The signing secret, once it is known.
    secret: Arc<OnceLock<String>>,
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    ids: HashSet<String>,
    order: VecDeque<String>,
}

/// What a signature proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It was made with the secret over these bytes, just now.
    Verified,
    /// It was not.
    Refused(VerifyError),
    /// The secret is not known, so nothing is known.
    Unknown,
}

/// One delivery as it arrived.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Receipt {
    /// When it arrived.
    pub(crate) received_at: Timestamp,
    /// `X-SVC-Webhook-Event`
    pub(crate) event: String,
    /// `X-SVC-Webhook-Id`
    pub(crate) event_id: String,
    /// `X-SVC-Webhook-Delivery`
    pub(crate) delivery_id: String,
    /// `X-SVC-Webhook-Account-Id`
    pub(crate) account_id: String,
    /// Whether the signature is right; absent when the secret is unknown.
    pub(crate) verified: Option<bool>,
    /// Why it is not.
    pub(crate) reason: Option<String>,
    /// Whether the event arrived before.
    pub(crate) repeated: bool,
    /// The body: JSON, or the text when it is none.
    pub(crate) body: Value,
    /// What the signature proved.
    #[serde(skip)]
    pub(crate) verdict: Verdict,
}

impl Receiver {
    /// A receiver that knows the secret from the start.
    pub(crate) fn with_secret(secret: String) -> Self {
        let receiver = Self::default();
        receiver.learn(secret);
        receiver
    }

    /// Tells the secret; a second one is ignored.
    pub(crate) fn learn(&self, secret: String) {
        // The first secret stays: a receiver serves one subscription.
        drop(self.secret.set(secret));
    }

    /// Verifies a delivery and takes note of it.
    pub(crate) fn receive(&self, headers: &HeaderMap, body: &[u8]) -> Receipt {
        let now = SystemClock.now();
        let header = |name: &str| {
            headers
                .get(name)
                .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
                .unwrap_or_default()
        };
        let verdict = match self.secret.get() {
            None => Verdict::Unknown,
            Some(secret) => {
                match verify(secret, &header("x-svc-webhook-signature"), body, now.unix_seconds()) {
                    Ok(()) => Verdict::Verified,
                    Err(error) => Verdict::Refused(error),
                }
            }
        };
        let event_id = header("x-svc-webhook-id");
        // A forged delivery must not make the genuine one look repeated.
        let repeated = !matches!(verdict, Verdict::Refused(_)) && self.is_repeated(&event_id);
        Receipt {
            received_at: now,
            event: header("x-svc-webhook-event"),
            delivery_id: header("x-svc-webhook-delivery"),
            account_id: header("x-svc-webhook-account-id"),
            verified: match verdict {
                Verdict::Verified => Some(true),
                Verdict::Refused(_) => Some(false),
                Verdict::Unknown => None,
            },
            reason: match verdict {
                Verdict::Refused(error) => Some(error.to_string()),
                Verdict::Verified | Verdict::Unknown => None,
            },
            repeated,
            body: serde_json::from_slice(body)
                .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(body).into_owned())),
            event_id,
            verdict,
        }
    }

    fn is_repeated(&self, id: &str) -> bool {
        if id.is_empty() {
            return false;
        }
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if !seen.ids.insert(id.to_owned()) {
            return true;
        }
        seen.order.push_back(id.to_owned());
        if seen.order.len() > REMEMBERED
            && let Some(oldest) = seen.order.pop_front()
        {
            seen.ids.remove(&oldest);
        }
        false
    }
}

impl Receipt {
    /// One line for people.
    pub(crate) fn line(&self, output: Output) -> String {
        let (mark, remark) = match self.verdict {
            Verdict::Verified => {
                (output.tone(Tone::Good, "✓"), output.tone(Tone::Good, "signature verified"))
            }
            Verdict::Refused(error) => {
                (output.tone(Tone::Bad, "✗"), output.tone(Tone::Bad, &error.to_string()))
            }
            Verdict::Unknown => ("?".to_owned(), output.tone(Tone::Quiet, "unverified")),
        };
        let object = self.body.pointer("/data/id").and_then(Value::as_str).unwrap_or("-");
        let further = self.further();
        let further = if further.is_empty() { further } else { output.tone(Tone::Quiet, &further) };
        let event = if self.event.is_empty() { "(no event)" } else { &self.event };
        let repeated = if self.repeated { "  repeated: answer 200 and do nothing" } else { "" };
        let ids =
            output.tone(Tone::Quiet, &format!("event {}  delivery {}", self.event_id, self.delivery_id));
        format!("{mark} {event:<24} {object:<31} {further}{ids}  {remark}{repeated}")
    }

    /// The members of `data` beside the object, such as `payment_id`.
    fn further(&self) -> String {
        let data = self.body.get("data").and_then(Value::as_object);
        let members = data.into_iter().flatten().filter(|(name, _)| *name != "id" && *name != "object");
        members.fold(String::new(), |text, (name, value)| {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            format!("{text}{name} {value}  ")
        })
    }
}

#[cfg(test)]
mod tests {
    use svc_webhooks::signature::sign;

    use super::*;

    const BODY: &[u8] = br#"{"id":"evt_1","data":{"id":"con_1"}}"#;

    fn headers(signature: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert("x-svc-webhook-id", "evt_1".parse().expect("a value"));
        headers.insert("x-svc-webhook-signature", signature.parse().expect("a value"));
        headers
    }

    fn signed(secret: &str) -> HeaderMap {
        headers(&sign(secret, SystemClock.now().unix_seconds(), BODY))
    }

    #[test]
    fn a_repeated_event_is_noticed_and_a_forged_one_does_not_count() {
        let receiver = Receiver::with_secret("whsec_a".to_owned());
        assert_eq!(receiver.receive(&signed("whsec_b"), BODY).verified, Some(false));
        let first = receiver.receive(&signed("whsec_a"), BODY);
        assert_eq!((first.verified, first.repeated), (Some(true), false));
        assert!(receiver.receive(&signed("whsec_a"), BODY).repeated);
    }

    #[test]
    fn without_a_secret_nothing_is_claimed() {
        let receipt = Receiver::default().receive(&headers("t=1,sha256=00"), b"no json");
        assert_eq!(receipt.verified, None);
        assert_eq!(receipt.body, Value::String("no json".to_owned()));
    }
}

//! The shared vectors, which another implementation wrote: `docs/vectors/webhook_signatures.py`.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use svc_core::clock::Timestamp;
use svc_webhooks::names::Names;
use svc_webhooks::signature::{TOLERANCE, Verified, Verifier, VerifyError};

#[derive(Deserialize)]
struct File {
    tolerance_seconds: u64,
    vectors: Vec<Vector>,
}

/// A request, and whether a receiver must accept it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector {
    name: String,
    verdict: String,
    secrets: Vec<String>,
    now: i64,
    headers: Vec<(String, String)>,
    body: Option<String>,
    body_hex: Option<String>,
    /// Which secret matches.
    secret: Option<usize>,
    /// How far `t` is off the clock.
    seconds: Option<u64>,
    event: Option<Event>,
}

/// What is to be read from an accepted notification.
#[derive(Debug, PartialEq, Deserialize)]
struct Event {
    id: String,
    r#type: String,
    occurred_at: String,
    account_id: Option<String>,
    object: String,
    object_id: String,
}

fn vectors() -> Vec<Vector> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/vectors/webhook-signatures.json");
    let text = std::fs::read_to_string(path).expect("the vectors");
    let file: File = serde_json::from_str(&text).expect("the vectors");
    assert_eq!(Duration::from_secs(file.tolerance_seconds), TOLERANCE);
    file.vectors
}

impl Vector {
    fn body(&self) -> Vec<u8> {
        match (&self.body, &self.body_hex) {
            (Some(text), None) => text.as_bytes().to_vec(),
            (None, Some(hex)) => hex
                .as_bytes()
                .chunks(2)
                .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).expect("ASCII"), 16).expect("hex"))
                .collect(),
            _ => panic!("{}: one of body and body_hex", self.name),
        }
    }

    /// Validator everything that the vector tells of its verdict.
    fn check(&self, outcome: Result<Verified<'_>, VerifyError>) {
        match outcome {
            Ok(verified) => {
                assert_eq!(Some(verified.secret), self.secret, "{}", self.name);
                assert_eq!(Some(seen(&verified)), self.event, "{}", self.name);
                assert_eq!(verified.body, self.body(), "{}", self.name);
            }
            Err(
                VerifyError::TooOld { age: apart, tolerance }
                | VerifyError::InTheFuture { ahead: apart, tolerance },
            ) => {
                assert_eq!(Some(apart.as_secs()), self.seconds, "{}", self.name);
                assert_eq!(tolerance, TOLERANCE, "{}", self.name);
            }
            Err(
                VerifyError::MissingHeader(_)
                | VerifyError::MalformedHeader(_)
                | VerifyError::Mismatch
                | VerifyError::MalformedBody { .. }
                | VerifyError::IdMismatch,
            ) => {}
        }
    }
}

fn seen(verified: &Verified<'_>) -> Event {
    Event {
        id: verified.event.to_string(),
        r#type: verified.type_name.to_string(),
        occurred_at: verified.occurred_at.to_string(),
        account_id: verified.account.as_ref().map(ToString::to_string),
        object: verified.object.to_string(),
        object_id: verified.object_id.to_string(),
    }
}

#[test]
fn every_vector_gets_its_verdict() {
    for vector in vectors() {
        let body = vector.body();
        let verdict = match Verifier::new(&vector.secrets) {
            Err(_) => "no_usable_secret",
            Ok(verifier) => {
                let headers = vector.headers.iter().map(|(name, value)| (name, value));
                let outcome = verifier.verify(headers, &body, Timestamp::from_unix_seconds(vector.now));
                let code = outcome.as_ref().err().map_or("accepted", |error| error.code());
                vector.check(outcome);
                code
            }
        };
        assert_eq!(verdict, vector.verdict, "{}", vector.name);
    }
}

#[test]
fn the_vectors_hold_every_verdict() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for vector in vectors() {
        *counts.entry(vector.verdict).or_default() += 1;
    }
    let named = |error: VerifyError| error.code().to_owned();
    let apart = Duration::ZERO;
    let verdicts = [
        "accepted".to_owned(),
        "no_usable_secret".to_owned(),
        named(VerifyError::MissingHeader(Names::STANDARD.id)),
        named(VerifyError::MalformedHeader("")),
        named(VerifyError::TooOld { age: apart, tolerance: apart }),
        named(VerifyError::InTheFuture { ahead: apart, tolerance: apart }),
        named(VerifyError::Mismatch),
        named(VerifyError::MalformedBody { line: 1, column: 1 }),
        named(VerifyError::IdMismatch),
    ];
    assert!(
        verdicts.iter().all(|verdict| counts.get(verdict).is_some_and(|count| *count >= 5)),
        "{counts:?}"
    );
    assert_eq!(counts.len(), verdicts.len(), "{counts:?}");
}

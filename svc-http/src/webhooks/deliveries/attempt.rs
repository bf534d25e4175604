//! An attempt as the log shows it.
//!
//! What a receiver answered is its own choice. It is shown as text inside of JSON, which escapes it, and
//! nothing here or elsewhere takes it for markup, a link or an instruction.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use svc_core::clock::Timestamp;
use svc_core::wire::Form;
use svc_core::wire_view;
use svc_webhooks::delivery::Attempt;
use svc_webhooks::ports::{Answer, ErrorClass, Timings};

use super::millis;

wire_view! {
    /// An attempt.
    #[derive(Debug)]
    pub(super) struct AttemptView as "DeliveryAttempt" {
        /// When it started.
        at: Timestamp,
        /// The receiver's status, when at least the head of an answer came.
        status_code: Option<u16> => Form::range(100, 999).number(204),
        /// Why it failed.
        error: Option<String>,
        /// Null for a success.
        error_class: Option<ErrorClass> => Form::ANY.json("null"),
        duration_ms: u64,
        timings: TimingsView,
        /// The address and port that were reached, or tried last.
        remote_address: Option<String>,
        /// What the receiver answered: of a single delivery alone, and only when something came.
        #[serde(skip_serializing_if = "Option::is_none")]
        [optional] response: Option<ResponseView>,
    }
}

wire_view! {
    /// How long each step took, in milliseconds with fractions; null for a step that there was not. An attempt
    /// over a connection that was open already has no `dnsMs`, `connectMs` and `tlsMs`.
    #[derive(Debug)]
    #[expect(clippy::struct_field_names, reason = "the names on the wire tell the unit")]
    struct TimingsView as "AttemptTimings" {
        /// Resolving the name.
        dns_ms: Option<f64>,
        /// Opening the connection.
        connect_ms: Option<f64>,
        /// Setting up TLS.
        tls_ms: Option<f64>,
        /// From the start until the head of the answer was there.
        first_byte_ms: Option<f64>,
        /// From the start to the end.
        total_ms: f64,
    }
}

wire_view! {
    /// What a receiver answered, as it came: untrusted text.
    #[derive(Debug)]
    struct ResponseView as "AttemptResponse" {
        /// In their order, those with one name together. Values of headers that bear credentials are `***`.
        headers: Vec<HeaderView>,
        /// Whether headers were left out because there were too many or too long ones.
        headers_truncated: bool,
        /// The first 16 KiB.
        body: String,
        /// The text itself; or what `body` is in when that was no UTF-8.
        body_encoding: &'static str => Form::one_of(&["utf-8", "base64"]),
        /// Whether there was more of the body.
        body_truncated: bool,
    }
}

wire_view! {
    /// A header; bytes of the value that are no UTF-8 are replaced.
    #[derive(Debug)]
    struct HeaderView as "AttemptResponseHeader" {
        name: String,
        value: String,
    }
}

impl AttemptView {
    pub(super) fn of(attempt: &Attempt) -> Self {
        let outcome = &attempt.outcome;
        Self {
            at: attempt.at,
            status_code: outcome.status_code,
            error: outcome.error.clone(),
            error_class: attempt.error_class,
            duration_ms: millis(outcome.duration),
            timings: TimingsView::of(attempt.timings),
            remote_address: attempt.peer.map(|peer| peer.to_string()),
            response: attempt.answer.as_ref().map(ResponseView::of),
        }
    }
}

impl TimingsView {
    fn of(timings: Timings) -> Self {
        let Timings { dns, connect, tls, first_byte, total } = timings;
        Self {
            dns_ms: dns.map(exact),
            connect_ms: connect.map(exact),
            tls_ms: tls.map(exact),
            first_byte_ms: first_byte.map(exact),
            total_ms: exact(total),
        }
    }
}

impl ResponseView {
    fn of(answer: &Answer) -> Self {
        let Answer { status: _, headers, body, truncated } = answer;
        let view = |(name, value): (&str, &[u8])| HeaderView {
            name: name.to_owned(),
            value: String::from_utf8_lossy(value).into_owned(),
        };
        let (encoding, text) = match readable(body, *truncated) {
            Some(text) => ("utf-8", text.to_owned()),
            None => ("base64", STANDARD.encode(body)),
        };
        Self {
            headers: headers.iter().map(view).collect(),
            headers_truncated: headers.is_incomplete(),
            body: text,
            body_encoding: encoding,
            body_truncated: *truncated,
        }
    }
}

/// The body if it is UTF-8; the limit may have cut its last character, which is left out then.
fn readable(body: &[u8], truncated: bool) -> Option<&str> {
    match std::str::from_utf8(body) {
        Ok(text) => Some(text),
        Err(error) if truncated && error.error_len().is_none() => {
            body.get(..error.valid_up_to()).and_then(|whole| std::str::from_utf8(whole).ok())
        }
        Err(_) => None,
    }
}

/// Milliseconds to the microsecond; an hour and more is as long as can be.
fn exact(duration: Duration) -> f64 {
    f64::from(u32::try_from(duration.as_micros()).unwrap_or(u32::MAX)) / 1_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_text_when_it_is_utf_8_and_base64_otherwise() {
        let shown = |body: &'static [u8], truncated| {
            let view = ResponseView::of(&Answer { body: body.into(), truncated, ..Answer::bare(200) });
            (view.body_encoding, view.body)
        };
        assert_eq!(shown("señor\0<b>".as_bytes(), false), ("utf-8", "señor\0<b>".to_owned()));
        assert_eq!(shown(b"\x1f\x8b", false), ("base64", "H4s=".to_owned()));
        // The limit fell within the second of two characters of two bytes.
        assert_eq!(shown(b"\xc3\xb1\xc3", true), ("utf-8", "ñ".to_owned()));
        assert_eq!(shown(b"\xc3\xb1\xc3", false), ("base64", "w7HD".to_owned()));
        assert_eq!(shown(b"", false), ("utf-8", String::new()));
    }

    #[test]
    fn times_are_exact_to_the_microsecond() {
        let json = |micros| serde_json::to_string(&exact(Duration::from_micros(micros))).expect("a number");
        assert_eq!([json(12_345), json(1), json(2_000)], ["12.345", "0.001", "2.0"]);
    }
}

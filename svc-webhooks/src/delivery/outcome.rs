//! How an attempt ended, and what the log keeps of it.

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use svc_core::clock::Timestamp;

use crate::ports::{Answer, ErrorClass, Exchange, Timings};

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// HTTP status, when at least the head of an answer came.
    pub status_code: Option<u16>,
    /// Why it failed, in words; `None` for a whole answer with a 2xx.
    pub error: Option<String>,
    /// From the start of the attempt to its end.
    pub duration: Duration,
}

impl Outcome {
    /// Whether the receiver took the notification: a whole answer with a 2xx came (specification, part 3.3).
    #[must_use]
    pub fn arrived(&self) -> bool {
        self.error.is_none()
    }
}

/// One attempt, as the log keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// From 1.
    pub number: u8,
    /// When it started.
    pub at: Timestamp,
    /// How it ended.
    pub outcome: Outcome,
    /// The kind of failure; `None` for a success.
    pub error_class: Option<ErrorClass>,
    /// How long each step took; the total is the outcome's duration.
    pub timings: Timings,
    /// The address reached, or tried last.
    pub peer: Option<SocketAddr>,
    /// What came of an answer; also `None` where the log is read without answers.
    pub answer: Option<Answer>,
}

impl Attempt {
    /// When it ended.
    #[must_use]
    pub fn ended_at(&self) -> Timestamp {
        self.at.plus(self.outcome.duration)
    }

    /// The attempt number `number`, started at `at`.
    ///
    /// Most attempts are answered 2xx: of such an answer neither the body is kept nor the headers that date and frame
    /// it, so that a success costs the log next to nothing, whatever the receiver writes.
    #[must_use]
    pub fn of(number: u8, at: Timestamp, exchange: Exchange) -> Self {
        let outcome = Outcome {
            status_code: exchange.status(),
            error: exchange.error().map(|text| shortened(&text)),
            duration: exchange.timings.total,
        };
        let error_class = exchange.error_class();
        let Exchange { result, timings, peer } = exchange;
        let answer = match result {
            Ok(mut answer) => {
                if error_class.is_none() {
                    answer.headers.retain(|name| !FRAMING.contains(&name));
                    answer.truncated |= !answer.body.is_empty();
                    answer.body = Bytes::new();
                }
                Some(answer)
            }
            Err(failure) => failure.answer,
        };
        Self { number, at, outcome, error_class, timings, peer, answer }
    }

    /// The attempt without its answer.
    #[must_use]
    pub fn without_answer(self) -> Self {
        Self { answer: None, ..self }
    }
}

/// Characters of what is kept of an error.
const LONGEST_ERROR: usize = 300;

/// What is kept of an error: libraries quote what the other side sent, of any length and with any characters.
fn shortened(text: &str) -> String {
    let mut letters = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
    let mut kept: String = letters.by_ref().take(LONGEST_ERROR).collect();
    if letters.next().is_some() {
        kept.push('…');
    }
    kept
}

/// Headers that tell nothing of an answer without a body.
const FRAMING: [&str; 5] = ["date", "connection", "keep-alive", "content-length", "transfer-encoding"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::SendError;

    fn answer(status: u16, body: &'static str) -> Answer {
        let mut answer = Answer { body: body.into(), ..Answer::bare(status) };
        for (name, value) in [("date", "now"), ("x-request-id", "7"), ("content-length", "0")] {
            answer.headers.push(name, value.as_bytes());
        }
        answer
    }

    fn kept(answer: Answer) -> Vec<String> {
        let attempt = Attempt::of(1, Timestamp::from_unix_micros(0), Exchange::ended(Ok(answer)));
        let answer = attempt.answer.expect("an answer came");
        answer.headers.iter().map(|(name, _)| name.to_owned()).collect()
    }

    #[test]
    fn a_success_loses_its_body_and_framing_and_nothing_else_does() {
        for told in [answer(204, ""), answer(200, "hello")] {
            assert_eq!(kept(told), ["x-request-id"]);
        }
        for told in [answer(301, ""), answer(500, "hello")] {
            assert_eq!(kept(told), ["date", "x-request-id", "content-length"]);
        }
        let body = |told| {
            let attempt = Attempt::of(1, Timestamp::from_unix_micros(0), Exchange::ended(Ok(told)));
            attempt.answer.map(|answer| (answer.body, answer.truncated))
        };
        assert_eq!(body(answer(200, "hello")), Some((Bytes::new(), true)), "there was more");
        assert_eq!(body(answer(200, "")), Some((Bytes::new(), false)));
        assert_eq!(body(answer(500, "hello")), Some(("hello".into(), false)));
    }

    #[test]
    fn an_answer_that_broke_off_is_kept_with_its_error() {
        let mut exchange = Exchange::ended(Err(SendError::Timeout));
        exchange.result = exchange.result.map_err(|mut failure| {
            failure.answer = Some(answer(200, ""));
            failure
        });

        let attempt = Attempt::of(2, Timestamp::from_unix_micros(0), exchange);

        assert_eq!(attempt.error_class, Some(ErrorClass::Timeout));
        assert_eq!(attempt.outcome.status_code, Some(200));
        assert_eq!(attempt.outcome.error.as_deref(), Some("no complete answer in time"));
        assert_eq!(attempt.answer.map(|answer| answer.headers.iter().count()), Some(3));
    }

    #[test]
    fn what_is_kept_of_an_error_is_short_and_has_no_control_characters() {
        let names = "not valid for name\u{0}\n".repeat(100);
        let exchange = Exchange::ended(Err(SendError::Tls(names)));
        let kept = Attempt::of(1, Timestamp::from_unix_micros(0), exchange).outcome.error.expect("an error");
        assert_eq!(kept.chars().count(), 301);
        assert!(kept.ends_with('…') && !kept.contains(char::is_control), "{kept}");
    }
}

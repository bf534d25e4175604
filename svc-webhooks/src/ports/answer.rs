//! What a receiver answered. All of it is its own choice: kept as bytes, bounded, and interpreted nowhere.

mod headers;

use std::fmt;

use bytes::Bytes;

pub use self::headers::AnswerHeaders;

/// The receiver's answer.
#[derive(Clone, PartialEq, Eq)]
pub struct Answer {
    /// HTTP status code, 3xx included: redirects are never followed.
    pub status: u16,
    /// The headers.
    pub headers: AnswerHeaders,
    /// The first bytes of the body, [`Answer::MOST_BODY_BYTES`] at most.
    pub body: Bytes,
    /// Whether there was more of the body.
    pub truncated: bool,
}

impl Answer {
    /// How much of a body is read and kept.
    pub const MOST_BODY_BYTES: usize = 16 * 1024;

    /// An answer that is a status and nothing else.
    #[must_use]
    pub fn bare(status: u16) -> Self {
        Self { status, headers: AnswerHeaders::default(), body: Bytes::new(), truncated: false }
    }
}

/// Shows how much there is, and nothing that the receiver wrote.
impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer")
            .field("status", &self.status)
            .field("headers", &self.headers)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .field("truncated", &self.truncated)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_receiver_wrote_is_not_shown_by_debug() {
        let mut answer = Answer { body: "tell".into(), ..Answer::bare(200) };
        answer.headers.push("x-note", b"tell");
        let shown = format!("{answer:?}");
        assert!(shown.contains("1 headers") && shown.contains("4 bytes"), "{shown}");
        assert!(!shown.contains("tell"), "{shown}");
    }
}

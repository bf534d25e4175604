//! `Retry-After` of an answer (RFC 9110, section 10.2.3).

use std::time::Duration;

use svc_core::clock::Timestamp;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc2822;

use crate::ports::Answer;

/// The instant that the answer asks to be left alone until: so many seconds from `now`, or a date.
/// What is neither, or lies in the past, asks for nothing.
pub(super) fn asked_until(answer: &Answer, now: Timestamp) -> Option<Timestamp> {
    let (_, value) = answer.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("retry-after"))?;
    let text = std::str::from_utf8(value).ok()?.trim();
    let until = if text.bytes().all(|digit| digit.is_ascii_digit()) {
        // More seconds than a number holds are still a request: the next wait bounds it.
        now.plus(Duration::from_secs(text.parse().unwrap_or(u32::MAX).into()))
    } else {
        let date = OffsetDateTime::parse(text, &Rfc2822).ok()?;
        Timestamp::from_unix_seconds(date.unix_timestamp())
    };
    (!text.is_empty() && now < until).then_some(until)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(value: &str) -> Option<u64> {
        let now = Timestamp::from_unix_seconds(784_111_777 - 60);
        let mut answer = Answer::bare(503);
        answer.headers.push("retry-after", value.as_bytes());
        asked_until(&answer, now).map(|until| until.since(now).as_secs())
    }

    #[test]
    fn seconds_and_dates_are_understood_and_nothing_else() {
        for (value, seconds) in [
            ("120", Some(120)),
            (" 1 ", Some(1)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(60)),
            ("99999999999999999999", Some(u64::from(u32::MAX))),
            ("0", None),
            ("", None),
            ("-5", None),
            ("1.5", None),
            ("soon", None),
            ("Sun, 06 Nov 1994 08:48:37 GMT", None),
            ("Sun, 06 Nov 1993 08:49:37 GMT", None),
        ] {
            assert_eq!(asked(value), seconds, "{value:?}");
        }
        assert_eq!(asked_until(&Answer::bare(503), Timestamp::from_unix_seconds(0)), None);
    }
}

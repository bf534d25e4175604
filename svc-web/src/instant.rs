//! Instants and spans, as pages show and take them.

use std::time::Duration;

use svc_core::clock::Timestamp;

/// An instant with its two forms: the exact one, and one that people read without scripts.
pub(crate) struct Instant {
    /// RFC 3339.
    pub(crate) exact: String,
    /// `2026-11-26 04:10:09 UTC`.
    pub(crate) text: String,
}

impl From<Timestamp> for Instant {
    fn from(at: Timestamp) -> Self {
        let exact = at.to_string();
        let (day, time) = exact.split_once('T').unwrap_or((&exact, ""));
        let text = format!("{day} {} UTC", time.get(..8).unwrap_or_default());
        Self { exact, text }
    }
}

/// Days.
pub(crate) const fn days(number: u64) -> Duration {
    Duration::from_secs(number * 86_400)
}

/// `12.3 ms`.
pub(crate) fn millis(span: Duration) -> String {
    let tenths = span.as_micros() / 100;
    format!("{}.{} ms", tenths / 10, tenths % 10)
}

/// The first instant of a day such as `2026-11-26`, UTC.
pub(crate) fn first_of_day(day: &str) -> Option<Timestamp> {
    format!("{day}T00:00:00Z").parse().ok()
}

/// The first instant after a day.
pub(crate) fn day_after(day: &str) -> Option<Timestamp> {
    first_of_day(day).map(|first| first.plus(days(1)))
}

/// What a field of day and time has, such as `2026-11-26T04:10`, as UTC.
pub(crate) fn minute(text: &str) -> Option<Timestamp> {
    // Browsers leave seconds out when they are none.
    let seconds = if text.len() == 16 { ":00" } else { "" };
    format!("{text}{seconds}Z").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_and_spans_are_read_by_people() {
        let at: Timestamp = "2026-11-26T04:10:09.5Z".parse().expect("an instant");
        assert_eq!(Instant::from(at).text, "2026-11-26 04:10:09 UTC");
        assert_eq!(
            [0, 99, 12_345].map(|micros| millis(Duration::from_micros(micros))),
            ["0.0 ms", "0.0 ms", "12.3 ms"]
        );
    }

    #[test]
    fn fields_of_forms_are_instants_in_utc() {
        let at = |text: &str| text.parse::<Timestamp>().ok();
        assert_eq!(first_of_day("2026-11-26"), at("2026-11-26T00:00:00Z"));
        assert_eq!(day_after("2026-11-30"), at("2026-12-01T00:00:00Z"));
        assert_eq!(minute("2026-11-26T04:10"), at("2026-11-26T04:10:00Z"));
        assert_eq!(minute("2026-11-26T04:10:07"), at("2026-11-26T04:10:07Z"));
        assert_eq!([first_of_day(""), day_after("tomorrow"), minute("2026-11-26")], [None; 3]);
    }
}

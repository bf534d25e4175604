//! Whether the client takes the kind of answer that a route gives (RFC 9110, section 12.5.1).
//!
//! A route answers in one media type, so there is nothing to choose from: what the client does not take is refused
//! with 406 before anything is done. What is JSON under a name of its own goes to a client that takes
//! `application/json` too, since programs set that for every request. An answer without a body has no media type
//! and is always acceptable, and problems come as they are whatever the client takes.

use http::HeaderMap;
use http::header::ACCEPT;

use crate::problem::{Code, Problem};

/// Refuses a request whose client takes no answer in `media`.
pub(crate) fn check(headers: &HeaderMap, media: &'static str) -> Result<(), Problem> {
    let mut lines = headers.get_all(ACCEPT).iter().peekable();
    if lines.peek().is_none() {
        return Ok(());
    }
    let text: Vec<_> = lines.map(|line| String::from_utf8_lossy(line.as_bytes()).into_owned()).collect();
    let ranges: Vec<_> = text.iter().flat_map(|line| line.split(',')).filter_map(Range::of).collect();
    // A header without any range says nothing.
    if ranges.is_empty() || takes(&ranges, media) || takes(&ranges, JSON) {
        return Ok(());
    }
    let detail = format!("this route answers with {media}, which the request's `Accept` leaves out");
    Err(Problem::new(Code::NotAcceptable, detail).at("Accept", "not_acceptable", format!("expected {media}")))
}

const JSON: &str = "application/json";

/// `application/*;q=0.5`
struct Range<'a> {
    media: &'a str,
    /// Whether its weight is more than nothing.
    wanted: bool,
}

impl<'a> Range<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let mut parts = text.split(';').map(str::trim);
        let media = parts.next().filter(|media| !media.is_empty())?;
        let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        // A weight that is no number counts as a whole one.
        let refused =
            weight.and_then(|weight| weight.parse::<f32>().ok()).is_some_and(|weight| weight <= 0.0);
        Some(Self { media, wanted: !refused })
    }

    /// How closely it names the media type; `None` when it does not.
    fn closeness(&self, media: &str) -> Option<u8> {
        let kind = media.split('/').next().unwrap_or_default();
        let whole = self.media.strip_suffix("/*").is_some_and(|own| own.eq_ignore_ascii_case(kind));
        match self.media {
            own if own.eq_ignore_ascii_case(media) => Some(2),
            _ if whole => Some(1),
            "*/*" | "*" => Some(0),
            _ => None,
        }
    }
}

/// Whether the closest range that names the media type wants it.
fn takes(ranges: &[Range<'_>], media: &str) -> bool {
    let named = ranges.iter().filter_map(|range| Some((range.closeness(media)?, range.wanted)));
    named.max_by_key(|(closeness, _)| *closeness).is_some_and(|(_, wanted)| wanted)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn accepts(value: &'static str, media: &'static str) -> bool {
        check(&HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(value))]), media).is_ok()
    }

    #[test]
    fn the_closest_range_decides() {
        for taken in [
            "application/json",
            "Application/JSON; charset=utf-8",
            "text/html, */*;q=0.1",
            "application/*",
            "*",
            "",
            ", ,",
            "application/json;q=high",
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        ] {
            assert!(accepts(taken, JSON), "{taken}");
        }
        for refused in
            ["text/html", "application/xml, text/*", "application/json;q=0", "*/*, application/json; q=0.0"]
        {
            assert!(!accepts(refused, JSON), "{refused}");
        }
    }

    #[test]
    fn a_schema_goes_to_who_takes_json() {
        let schema = "application/schema+json";
        assert!(accepts(schema, schema) && accepts(JSON, schema));
        assert!(!accepts("text/plain", schema) && !accepts(schema, JSON));
    }
}

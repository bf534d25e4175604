//! Whether the client takes the kind of answer that a route gives (RFC 9110, section 12.5.1).
//!
//! A route answers in one media type, and a report in a second one that the client likes better: what the client does
//! not take is refused with 406 before anything is done. What is JSON under a name of its own goes to a client that takes
//! `application/json` too, since programs set that for every request. An answer without a body has no media type
//! and is always acceptable, and problems come as they are whatever the client takes.

use http::HeaderMap;
use http::header::ACCEPT;

use crate::problem::{Code, Problem};

/// Refuses a request whose client takes no answer in `media`, nor in `also`.
pub(crate) fn check(
    headers: &HeaderMap,
    media: &'static str,
    also: Option<&'static str>,
) -> Result<(), Problem> {
    let text = text(headers);
    let ranges = ranges(&text);
    // A header without any range says nothing.
    let taken =
        [Some(media), Some(JSON), also].into_iter().flatten().any(|media| weight(&ranges, media) > 0.0);
    if ranges.is_empty() || taken {
        return Ok(());
    }
    let either = also.map_or_else(|| media.to_owned(), |also| format!("{media} or {also}"));
    let detail = format!("this route answers with {either}, which the request's `Accept` leaves out");
    Err(Problem::new(Code::NotAcceptable, detail).at(
        "Accept",
        "not_acceptable",
        format!("expected {either}"),
    ))
}

/// Whether the client likes an answer in `also` better than JSON.
pub(crate) fn prefers(headers: &HeaderMap, also: &'static str) -> bool {
    let text = text(headers);
    let ranges = ranges(&text);
    weight(&ranges, also) > weight(&ranges, JSON)
}

fn text(headers: &HeaderMap) -> Vec<String> {
    let lines = headers.get_all(ACCEPT).iter();
    lines.map(|line| String::from_utf8_lossy(line.as_bytes()).into_owned()).collect()
}

fn ranges(text: &[String]) -> Vec<Range<'_>> {
    text.iter().flat_map(|line| line.split(',')).filter_map(Range::of).collect()
}

const JSON: &str = "application/json";

/// What a route answers with that gives files as they are: it is not known before which media type that is.
pub(crate) const ANY: &str = "*/*";

/// `application/*;q=0.5`
struct Range<'a> {
    media: &'a str,
    /// From nothing to 1.
    weight: f32,
}

impl<'a> Range<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let mut parts = text.split(';').map(str::trim);
        let media = parts.next().filter(|media| !media.is_empty())?;
        let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        // A weight that is no number counts as a whole one.
        let weight = weight.and_then(|weight| weight.parse::<f32>().ok()).unwrap_or(1.0);
        Some(Self { media, weight })
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

/// How much the closest range that names the media type wants it.
fn weight(ranges: &[Range<'_>], media: &str) -> f32 {
    let named = ranges.iter().filter_map(|range| Some((range.closeness(media)?, range.weight)));
    named.max_by_key(|(closeness, _)| *closeness).map_or(0.0, |(_, weight)| weight)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn accepts(value: &'static str, media: &'static str) -> bool {
        check(&HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(value))]), media, None).is_ok()
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
    fn a_second_media_type_is_given_to_those_who_like_it_better() {
        let likes =
            |value| prefers(&HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(value))]), "text/csv");
        assert!(likes("text/csv") && likes("application/json;q=0.5, text/csv;q=0.9"));
        assert!(!likes("*/*") && !likes("application/json, text/csv") && !likes("text/csv;q=0"));
        let both = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("text/csv"))]);
        assert!(check(&both, JSON, Some("text/csv")).is_ok() && check(&both, JSON, None).is_err());
    }

    #[test]
    fn a_schema_goes_to_who_takes_json() {
        let schema = "application/schema+json";
        assert!(accepts(schema, schema) && accepts(JSON, schema));
        assert!(!accepts("text/plain", schema) && !accepts(schema, JSON));
    }
}

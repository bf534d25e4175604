//! `If-Match` and `If-None-Match` (RFC 9110, section 13) on versions.

use http::HeaderMap;
use http::header::{ETAG, HeaderName, IF_MATCH, IF_NONE_MATCH};
use svc_core::resource::{Expected, Version};

/// A version as an `ETag`.
pub(crate) fn tag(version: Version) -> String {
    format!("\"{version}\"")
}

/// Reads `If-Match`: weak and foreign tags match no version.
pub(crate) fn expected(headers: &HeaderMap) -> Expected {
    match tags(headers, &IF_MATCH) {
        None => Expected::Any,
        // That the record is there at all is found out anyway.
        Some(tags) if tags.iter().any(|tag| tag == "*") => Expected::Any,
        Some(tags) => Expected::OneOf(tags.iter().filter_map(|tag| version(tag)).collect()),
    }
}

/// Whether the answer's `ETag` is one that the client has already.
pub(crate) fn is_known(request: &HeaderMap, answer: &HeaderMap) -> bool {
    answer.get(ETAG).and_then(|etag| etag.to_str().ok()).is_some_and(|etag| names(request, etag))
}

/// Whether `If-None-Match` names this tag.
pub(crate) fn names(request: &HeaderMap, etag: &str) -> bool {
    // A weak comparison, as the RFC asks for with `If-None-Match`.
    tags(request, &IF_NONE_MATCH).is_some_and(|tags| {
        tags.iter().any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
    })
}

fn tags(headers: &HeaderMap, name: &HeaderName) -> Option<Vec<String>> {
    let mut lines = headers.get_all(name).iter().peekable();
    lines.peek()?;
    let texts = lines.map(|line| String::from_utf8_lossy(line.as_bytes()).into_owned());
    Some(
        texts.flat_map(|line| line.split(',').map(|tag| tag.trim().to_owned()).collect::<Vec<_>>()).collect(),
    )
}

fn version(tag: &str) -> Option<Version> {
    let digits = tag.strip_prefix('"')?.strip_suffix('"')?;
    let canonical = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    canonical.then(|| digits.parse().ok().map(Version::from_i64)).flatten()
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn read(value: &'static str) -> Expected {
        expected(&HeaderMap::from_iter([(IF_MATCH, HeaderValue::from_static(value))]))
    }

    #[test]
    fn strong_tags_name_versions_and_nothing_else_does() {
        let versions =
            |numbers: &[i64]| Expected::OneOf(numbers.iter().copied().map(Version::from_i64).collect());
        assert_eq!(read("\"2\", \"3\""), versions(&[2, 3]));
        for other in ["W/\"3\"", "3", "\"03\"", "\"x\"", "", "\"-1\""] {
            assert_eq!(read(other), versions(&[]), "{other}");
        }
        assert_eq!(read("*"), Expected::Any);
        assert_eq!(expected(&HeaderMap::new()), Expected::Any);
    }
}

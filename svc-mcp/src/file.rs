//! What a file holds, as far as a model can read it.

use bytes::Bytes;
use http::Method;
use serde_json::Value;
use svc_http::assistant::{Assistant, Call, Given};

use crate::answer::Refused;

/// Said of a content that is not given.
pub(crate) const ELSEWHERE: &str = "the content is no text that can be read here: people download it in the client area, \
     programs by GET /api/v1/files/{id}/content";

/// A file, and a piece of its content.
#[derive(Debug)]
pub(crate) struct Piece {
    /// What is said of it.
    pub(crate) file: Value,
    pub(crate) content: Content,
}

/// What is given of a content.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// A piece of a text, and where the next one begins.
    Text(String, Option<u64>),
    /// All of what is no text.
    Bytes(Bytes),
    /// Nothing.
    Withheld,
}

/// Where a piece of a file begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The number of the version; the pieces of two are never mixed.
    pub(crate) version: u64,
    pub(crate) from: u64,
}

impl Place {
    pub(crate) fn write(self) -> String {
        format!("{}.{}", self.version, self.from)
    }

    pub(crate) fn read(text: &str) -> Option<Self> {
        let (version, from) = text.split_once('.')?;
        Some(Self { version: version.parse().ok()?, from: from.parse().ok()? })
    }
}

/// How much of a content is read: bytes of a text, and of anything else, which is read whole or not at all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) text: usize,
    pub(crate) other: usize,
}

/// Reads a file: the latest version from its beginning, or on from this place.
pub(crate) async fn read(
    assistant: &Assistant,
    id: &str,
    place: Option<Place>,
    bounds: Bounds,
) -> Result<Piece, Refused> {
    let path = format!("/files/{}", Call::segment(id));
    let reply = assistant.call(Call::new(Method::GET, path.as_str())).await?;
    if !reply.status.is_success() {
        return Err(Refused::of(&reply));
    }
    let file = reply.body;
    let place = place.unwrap_or(Place { version: number(&file, "versionNumber"), from: 0 });
    let version = version(&file, place.version);
    let size = number(version, "size");
    let is_text = version.get("mimeType").and_then(Value::as_str).is_some_and(is_text);
    let most = match (is_text, usize::try_from(size)) {
        (true, _) => bounds.text,
        (false, Ok(size)) if size <= bounds.other => bounds.other,
        (false, _) => return Ok(Piece { file, content: Content::Withheld }),
    };
    let call = Call::new(Method::GET, format!("{path}/content"));
    let call = call.query("version", place.version.to_string());
    let bytes = match assistant.bytes(call, place.from, most).await? {
        Given::Bytes(bytes) => bytes,
        Given::Refused(reply) => return Err(Refused::of(&reply)),
    };
    let text = if is_text { text(&bytes) } else { None };
    let content = match text {
        Some((text, used)) => {
            let next = place.from.saturating_add(used);
            Content::Text(text.to_owned(), (next < size).then_some(next))
        }
        None if size <= bounds.other as u64 => Content::Bytes(bytes),
        None => Content::Withheld,
    };
    Ok(Piece { file, content })
}

fn number(of: &Value, member: &str) -> u64 {
    of.get(member).and_then(Value::as_u64).unwrap_or_default()
}

/// The version with this number; the file itself, which tells of the latest one, where there is none.
fn version(file: &Value, number: u64) -> &Value {
    let versions = file.get("versions").and_then(Value::as_array).into_iter().flatten();
    let mut named = versions.filter(|one| self::number(one, "number") == number);
    named.next().unwrap_or(file)
}

fn is_text(media_type: &str) -> bool {
    let named = ["application/json", "application/xml", "application/xhtml+xml", "image/svg+xml"];
    media_type.starts_with("text/") || named.contains(&media_type)
}

/// Bytes as UTF-8, and how many of them that is: a letter that they break off is of the next piece.
fn text(bytes: &[u8]) -> Option<(&str, u64)> {
    let whole = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() && error.valid_up_to() > 0 => {
            std::str::from_utf8(bytes.get(..error.valid_up_to())?).ok()?
        }
        Err(_) => return None,
    };
    Some((whole, whole.len() as u64))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_letter_that_is_cut_is_of_the_next_piece_and_other_bytes_are_no_text() {
        let bytes = "añb".as_bytes();
        assert_eq!(text(&bytes[..2]), Some(("a", 1)));
        assert_eq!(text(&bytes[1..]), Some(("ñb", 3)));
        for other in [&[0xff, 0xfe, b'a', 0][..], &[b'a', 0xe1, b'b'], &[0xc3]] {
            assert_eq!(text(other), None, "{other:?}");
        }
    }

    #[test]
    fn a_place_comes_back_as_it_was_and_nothing_else_is_one() {
        let place = Place { version: 2, from: 16_384 };
        assert_eq!(Place::read(&place.write()), Some(place));
        for text in ["", "1", "1.", ".1", "1.2.3", "-1.0", "a.b"] {
            assert_eq!(Place::read(text), None, "{text}");
        }
    }

    #[test]
    fn the_type_and_the_size_are_those_of_the_version_that_is_read() {
        let file = json!({ "size": 9, "versions": [{ "number": 1, "size": 3 }, { "number": 2, "size": 9 }] });
        assert_eq!([1, 2, 7].map(|one| number(version(&file, one), "size")), [3, 9, 9]);
        for (media_type, expected) in
            [("text/csv", true), ("application/json", true), ("application/pdf", false), ("image/png", false)]
        {
            assert_eq!(is_text(media_type), expected, "{media_type}");
        }
    }
}

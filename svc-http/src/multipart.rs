//! Bodies of several parts (`multipart/form-data`, RFC 7578): a file, and texts beside it.

use std::collections::BTreeMap;
use std::str::FromStr;

use bytes::Bytes;
use futures_util::stream;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use multer::Multipart;
use svc_core::error::ValidationErrors;
use tokio::sync::Semaphore;

use crate::body;
use crate::json::{self, Input};
use crate::problem::{Code, Problem};

/// The longest name of a file, in characters.
const LONGEST_NAME: usize = 255;

/// The parts of a body by their names, each there once.
#[derive(Debug)]
pub(crate) struct Form(BTreeMap<&'static str, File>);

/// A part of a body.
#[derive(Debug)]
pub(crate) struct File {
    /// What the client calls it: without the folders that it is in, on one line.
    pub(crate) name: Option<String>,
    pub(crate) bytes: Bytes,
}

impl Form {
    /// Reads a body whose parts have these names.
    pub(crate) async fn read(
        headers: &HeaderMap,
        body: Bytes,
        names: &[&'static str],
    ) -> Result<Self, Problem> {
        body::refuse_coding(headers)?;
        let boundary = boundary(headers).ok_or_else(no_boundary)?;
        let whole = stream::iter([Ok::<_, std::convert::Infallible>(body)]);
        let mut parts = Multipart::new(whole, boundary);
        let mut form = BTreeMap::new();
        while let Some(part) = parts.next_field().await.map_err(|error| broken(&error))? {
            let given = part.name().unwrap_or_default().to_owned();
            let Some(name) = names.iter().copied().find(|name| *name == given) else {
                let message = format!("is no part of this body, whose parts are {}", names.join(", "));
                return Err(ValidationErrors::one(given, "unknown_field", message).into());
            };
            let file_name = part.file_name().and_then(plain);
            let bytes = part.bytes().await.map_err(|error| broken(&error))?;
            if form.insert(name, File { name: file_name, bytes }).is_some() {
                return Err(ValidationErrors::one(name, "duplicate_field", "is there more than once").into());
            }
        }
        Ok(Self(form))
    }

    /// The part that holds a file.
    pub(crate) fn file(&mut self, name: &'static str) -> Result<File, ValidationErrors> {
        let missing = || ValidationErrors::one(name, "required", "is missing: send the file as this part");
        self.0.remove(name).filter(|file| !file.bytes.is_empty()).ok_or_else(missing)
    }

    /// What a part says in JSON; `None` where it is not there.
    pub(crate) fn json<T: Input>(&mut self, name: &'static str) -> Result<Option<T>, ValidationErrors> {
        self.0.remove(name).map(|part| json::of_part(name, &part.bytes)).transpose()
    }

    /// What a part says; `None` where it is not there.
    pub(crate) fn value<T: FromStr>(
        &mut self,
        name: &'static str,
        expected: &str,
    ) -> Result<Option<T>, ValidationErrors> {
        let Some(part) = self.0.remove(name) else { return Ok(None) };
        let read = std::str::from_utf8(&part.bytes).ok().and_then(|text| text.trim().parse().ok());
        read.map(Some)
            .ok_or_else(|| ValidationErrors::one(name, "invalid_value", format!("expected {expected}")))
    }
}

/// Reads a file apart from the threads that serve requests, once it has one of these turns: it takes many times the size of
/// the file meanwhile.
pub(crate) async fn read_in_turn<T: Send + 'static>(
    turns: &Semaphore,
    read: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let _turn = turns.acquire().await.map_err(|_| Problem::internal())?;
    tokio::task::spawn_blocking(read).await.map_err(|_| Problem::internal())
}

/// A body between its boundaries, which clients make up anew each time they send it; as a whole where it has none.
pub(crate) fn split<'a>(headers: &HeaderMap, body: &'a [u8]) -> Vec<&'a [u8]> {
    let Some(boundary) = boundary(headers) else { return vec![body] };
    let (mut parts, mut rest) = (Vec::new(), body);
    while let Some(at) = memchr::memmem::find(rest, boundary.as_bytes()) {
        let (part, after) = rest.split_at(at);
        parts.push(part);
        rest = after.get(boundary.len()..).unwrap_or_default();
    }
    parts.push(rest);
    parts
}

/// The name of a file as it is kept; `None` where nothing is left of it.
fn plain(name: &str) -> Option<String> {
    let own = name.rsplit(['/', '\\']).next()?;
    let shown: String = own.chars().filter(|letter| !letter.is_control()).take(LONGEST_NAME).collect();
    Some(shown.trim().to_owned()).filter(|name| !name.is_empty())
}

/// What stands between the parts; `None` for a body of another media type.
pub(crate) fn boundary(headers: &HeaderMap) -> Option<String> {
    multer::parse_boundary(headers.get(CONTENT_TYPE)?.to_str().ok()?).ok()
}

/// The body is of another media type.
pub(crate) fn no_boundary() -> Problem {
    Problem::new(Code::UnsupportedMediaType, "send the body with `Content-Type: multipart/form-data`")
}

pub(crate) fn broken(error: &multer::Error) -> Problem {
    ValidationErrors::one("body", "malformed_multipart", format!("no parts of a body: {error}")).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_have_no_folders() {
        for (given, kept) in [
            ("enero.n43", Some("enero.n43")),
            ("../../etc/passwd", Some("passwd")),
            ("C:\\bank\\enero 2026.xml", Some("enero 2026.xml")),
            ("a\r\n\0b\u{1b}[31m.csv", Some("ab[31m.csv")),
            ("folder/", None),
            (" ", None),
        ] {
            assert_eq!(plain(given).as_deref(), kept, "{given:?}");
        }
        assert_eq!(plain(&"ñ".repeat(300)).map(|name| name.chars().count()), Some(LONGEST_NAME));
    }
}

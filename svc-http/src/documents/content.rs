//! `/files/{id}/content`: contents as they are, whole or a range of their bytes (RFC 9110, section 14).

use std::ops::Range;

use axum::body::Body;
use futures_util::stream;
use http::header::{
    ACCEPT_RANGES, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
    IF_RANGE, RANGE, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderName, StatusCode};
use serde_json::{Value, json};
use svc_business::document::file::{FileRefused, FileVersion};
use svc_core::content::{ContentStore, Download};
use svc_core::error::StoreError;
use svc_core::wire::{Described, Parts};

use crate::answer::{Answer, PERSONAL_DATA};
use crate::api_request::ApiRequest;
use crate::precondition;
use crate::problem::{Code, Problem};
use crate::query::{Kind, Param};

/// Described by hand: it is no JSON.
#[derive(Debug)]
pub(crate) struct FileContent;

impl Described for FileContent {
    fn schema(parts: &mut Parts) -> Value {
        parts.named::<Self>("FileContent", |_| {
            json!({
                "type": "string",
                "format": "binary",
                "description": "The bytes, with their own media type.",
                "examples": ["%PDF-1.7"],
            })
        })
    }
}

pub(super) const PARAMS: [Param; 1] =
    [Param::new("version", Kind::Count, "The number of a version; the latest one when left out.")];

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let found = req.app.business.files().find(&req.caller.principal.scope, req.id("id")?).await?;
    let file = found.ok_or_else(Problem::not_found)?;
    if file.is_deleted() {
        return Err(FileRefused::Deleted.into());
    }
    if file.contains_personal_data && !req.access().is_full() {
        let detail = "the file contains personal data, which the token does not see";
        return Err(Problem::new(Code::PersonalDataWithheld, detail));
    }
    let number = req.query.parse::<u32>("version")?;
    let version = file.version_of(number).ok_or_else(|| {
        let latest = file.versions.last().map_or(1, |latest| latest.number);
        Problem::parameter("version", format!("the file has the versions 1 to {latest}"))
    })?;
    given(&req, &file.name, version).await
}

/// The content of a version, or the bytes of it that are asked for, with a file of this name, to a caller who may have it.
pub(crate) async fn given(req: &ApiRequest, name: &str, version: &FileVersion) -> Result<Answer, Problem> {
    let answer = read(&*req.app.contents, &req.headers, version, svc_files::attachment(name)).await?;
    Ok(with_sight(req, answer))
}

/// An answer that tells how its caller sees personal data.
pub(super) fn with_sight(req: &ApiRequest, answer: Answer) -> Answer {
    let full = if req.access().is_full() { "full" } else { "masked" };
    answer.header(PERSONAL_DATA, full.to_owned())
}

/// The content of a version, or the bytes of it that the headers of a request ask for.
pub(crate) async fn read(
    contents: &dyn ContentStore,
    asking: &HeaderMap,
    version: &FileVersion,
    disposition: String,
) -> Result<Answer, Problem> {
    let tag = format!("\"{}\"", version.content.digest);
    let range = match asked(asking, &tag, version.content.size) {
        Asked::Whole => None,
        Asked::Part(range) => Some(range),
        Asked::Beyond => return Err(Problem::no_such_bytes(version.content.size)),
    };
    let read = contents.read(version.kept_for, version.content.digest, range.clone());
    let download = read.await.map_err(StoreError::backend)?;
    let mut headers = headers(version, disposition, range.as_ref());
    headers.push((ETAG, tag));
    let status = if range.is_some() { StatusCode::PARTIAL_CONTENT } else { StatusCode::OK };
    Ok(Answer::stream(status, body(download), headers))
}

fn headers(
    version: &FileVersion,
    disposition: String,
    range: Option<&Range<u64>>,
) -> Vec<(HeaderName, String)> {
    let size = version.content.size;
    let length = range.map_or(size, |range| range.end.saturating_sub(range.start));
    let mut headers = vec![
        (CONTENT_TYPE, version.mime_type.clone()),
        (CONTENT_LENGTH, length.to_string()),
        (CONTENT_DISPOSITION, disposition),
        (X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (ACCEPT_RANGES, "bytes".to_owned()),
    ];
    if let Some(Range { start, end }) = range {
        headers.push((CONTENT_RANGE, format!("bytes {start}-{}/{size}", end.saturating_sub(1))));
    }
    headers
}

/// The bytes, each piece read when there is room for it. One that fails breaks the answer off, so that its client knows.
fn body(download: Box<dyn Download>) -> Body {
    Body::from_stream(stream::try_unfold(download, |mut download| async {
        let next = download.next().await.inspect_err(|error| {
            tracing::error!("a content cannot be read: {}", svc_core::error::chain(error));
        });
        Ok::<_, svc_core::content::ContentError>(next?.map(|piece| (piece, download)))
    }))
}

/// Which bytes are asked for.
#[derive(Debug, PartialEq, Eq)]
enum Asked {
    /// All of them.
    Whole,
    /// Those from the first one up to the end, which is not included.
    Part(Range<u64>),
    /// None that there are.
    Beyond,
}

/// Reads `Range`, where `If-Range` lets it: several ranges, and what is none, are answered with the whole content, as a server
/// may.
fn asked(headers: &HeaderMap, tag: &str, size: u64) -> Asked {
    let mut lines = headers.get_all(RANGE).iter();
    let (Some(line), None) = (lines.next(), lines.next()) else { return Asked::Whole };
    let is_meant = headers.get(IF_RANGE).is_none_or(|condition| condition.as_bytes() == tag.as_bytes());
    if !is_meant || (headers.contains_key(IF_NONE_MATCH) && precondition::names(headers, tag)) {
        return Asked::Whole;
    }
    line.to_str().ok().and_then(|line| range(line, size)).unwrap_or(Asked::Whole)
}

/// `bytes=0-499`, `bytes=500-`, `bytes=-500`; `None` for anything else.
fn range(line: &str, size: u64) -> Option<Asked> {
    let (unit, set) = line.split_once('=')?;
    let (first, last) = set.trim().split_once('-')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return None;
    }
    let number =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().unwrap_or(u64::MAX));
    let (start, end) = match (first, last) {
        ("", "") => return None,
        ("", suffix) => (size.saturating_sub(number(suffix)?), if number(suffix)? == 0 { 0 } else { size }),
        (first, "") => (number(first)?, size),
        (first, last) if number(first)? > number(last)? => return None,
        (first, last) => (number(first)?, number(last)?.saturating_add(1).min(size)),
    };
    Some(if start < end { Asked::Part(start..end) } else { Asked::Beyond })
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn ranges_are_read_as_the_rfc_says() {
        let part = |start, end| Some(Asked::Part(start..end));
        for (line, read) in [
            ("bytes=0-499", part(0, 500)),
            ("Bytes=500-", part(500, 1000)),
            ("bytes=-1", part(999, 1000)),
            ("bytes=-5000", part(0, 1000)),
            ("bytes=999-99999999999999999999999", part(999, 1000)),
            ("bytes=1000-", Some(Asked::Beyond)),
            ("bytes=99999999999999999999999-", Some(Asked::Beyond)),
            ("bytes=-0", Some(Asked::Beyond)),
            ("bytes=5-4", None),
            ("bytes=0-1,3-4", None),
            ("bytes=-", None),
            ("bytes=a-b", None),
            ("bytes=+1-2", None),
            ("lines=0-4", None),
            ("bytes", None),
        ] {
            assert_eq!(range(line, 1000), read, "{line}");
        }
    }

    #[test]
    fn a_range_is_meant_of_the_content_that_the_client_knows() {
        let ask = |others: &[(HeaderName, &'static str)]| {
            let mut headers = HeaderMap::from_iter([(RANGE, HeaderValue::from_static("bytes=0-1"))]);
            headers
                .extend(others.iter().cloned().map(|(name, value)| (name, HeaderValue::from_static(value))));
            asked(&headers, "\"a\"", 9)
        };
        assert_eq!(ask(&[]), Asked::Part(0..2));
        assert_eq!(ask(&[(IF_RANGE, "\"a\"")]), Asked::Part(0..2));
        assert_eq!(ask(&[(IF_RANGE, "\"b\"")]), Asked::Whole);
        assert_eq!(ask(&[(IF_RANGE, "Sat, 01 Mar 2025 12:00:00 GMT")]), Asked::Whole);
        assert_eq!(ask(&[(IF_NONE_MATCH, "\"a\"")]), Asked::Whole);
        assert_eq!(ask(&[(IF_NONE_MATCH, "\"b\"")]), Asked::Part(0..2));
        assert_eq!(asked(&HeaderMap::new(), "\"a\"", 9), Asked::Whole);
    }
}

//! Reading a request body within limits of size and time.

use std::time::Duration;

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, EXPECT};
use http_body_util::BodyExt as _;

use crate::problem::{Code, Problem};

/// A body that takes longer is given up, so that slow senders hold no connection.
const DEADLINE: Duration = Duration::from_secs(30);

/// How much more than allowed is read and thrown away, so that the client comes to read the answer:
/// one whose connection is closed while it sends sees a broken pipe instead.
const DISCARDED: usize = 16 * 1024 * 1024;

/// How many bytes the client says that it sends.
pub(crate) fn declared(headers: &HeaderMap) -> Option<usize> {
    headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok())
}

/// Reads a body of at most `most` bytes, whether it tells its length or comes in chunks.
pub(crate) async fn read(headers: &HeaderMap, body: Body, most: usize) -> Result<Bytes, Problem> {
    let length = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    let declared = length.map_or(0, |length| usize::try_from(length).unwrap_or(usize::MAX));
    // A client that asks first has sent nothing yet, and one that declares this much would not be done soon.
    if declared > most && (headers.contains_key(EXPECT) || declared - most > DISCARDED) {
        return Err(too_large(most));
    }
    tokio::time::timeout(DEADLINE, collect(body, most))
        .await
        .unwrap_or_else(|_| Err(Problem::new(Code::RequestTimeout, "the body did not arrive in time")))
}

async fn collect(mut body: Body, most: usize) -> Result<Bytes, Problem> {
    let mut kept = BytesMut::new();
    let mut seen = 0_usize;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Problem::new(Code::MalformedJson, "the body broke off"))?;
        let Ok(data) = frame.into_data() else { continue };
        seen = seen.saturating_add(data.len());
        if seen <= most {
            kept.extend_from_slice(&data);
        } else if seen - most > DISCARDED {
            break;
        }
    }
    if seen <= most { Ok(kept.freeze()) } else { Err(too_large(most)) }
}

/// Refuses a body that is packed.
pub(crate) fn refuse_coding(headers: &HeaderMap) -> Result<(), Problem> {
    let mut codings = headers.get_all(CONTENT_ENCODING).iter();
    if codings.all(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Ok(());
    }
    let detail = "send the body without `Content-Encoding`: it is not unpacked";
    Err(Problem::new(Code::UnsupportedMediaType, detail))
}

fn too_large(most: usize) -> Problem {
    Problem::new(Code::PayloadTooLarge, format!("the body may have at most {most} bytes"))
}

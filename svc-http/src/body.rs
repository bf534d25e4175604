//! Reading a request body within limits of size and time.

use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_LENGTH;
use http_body_util::{BodyExt, LengthLimitError, Limited};

use crate::problem::{Code, Problem};

/// A body that takes longer is given up, so that slow senders hold no connection.
const DEADLINE: Duration = Duration::from_secs(30);

/// Reads a body of at most `most` bytes, whether it tells its length or comes in chunks.
pub(crate) async fn read(headers: &HeaderMap, body: Body, most: usize) -> Result<Bytes, Problem> {
    let length = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| usize::try_from(length).map_or(true, |length| length > most)) {
        return Err(too_large(most));
    }
    match tokio::time::timeout(DEADLINE, Limited::new(body, most).collect()).await {
        Ok(Ok(whole)) => Ok(whole.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large(most)),
        Ok(Err(_)) => Err(Problem::new(Code::MalformedJson, "the body broke off")),
        Err(_) => Err(Problem::new(Code::RequestTimeout, "the body did not arrive in time")),
    }
}

fn too_large(most: usize) -> Problem {
    Problem::new(Code::PayloadTooLarge, format!("the body may have at most {most} bytes"))
}

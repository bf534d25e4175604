//! What has arrived of an answer so far.

use bytes::Bytes;
use http::HeaderMap;
use http::response::Parts;
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use svc_webhooks::ports::{Answer, AnswerHeaders};
use tokio::time::Instant;

use crate::connection::Opened;

/// An answer while it arrives: what is here when the deadline cuts it off is kept.
#[derive(Default)]
pub(super) struct PartialResponse {
    head: Option<Head>,
    body: Vec<u8>,
    truncated: bool,
}

struct Head {
    at: Instant,
    status: u16,
    headers: AnswerHeaders,
    over: Option<Opened>,
}

impl PartialResponse {
    /// The head has arrived.
    pub(super) fn head(&mut self, parts: &Parts) {
        self.head = Some(Head {
            at: Instant::now(),
            status: parts.status.as_u16(),
            headers: headers(&parts.headers),
            over: parts.extensions.get::<Opened>().cloned(),
        });
    }

    /// Reads the body up to the limit. Dropping the rest closes the connection.
    pub(super) async fn body(&mut self, mut body: Incoming) -> Result<(), hyper::Error> {
        while let Some(frame) = body.frame().await.transpose()? {
            let Ok(data) = frame.into_data() else { continue };
            let wanted = data.len().min(Answer::MOST_BODY_BYTES - self.body.len());
            self.body.extend_from_slice(&data.slice(..wanted));
            // A full measure is not waited for to end: the rest may never come.
            if self.body.len() == Answer::MOST_BODY_BYTES {
                self.truncated = wanted < data.len() || !body.is_end_stream();
                break;
            }
        }
        Ok(())
    }

    /// When the head arrived.
    pub(super) fn head_at(&self) -> Option<Instant> {
        self.head.as_ref().map(|head| head.at)
    }

    /// The connection over which the head arrived.
    pub(super) fn over(&self) -> Option<&Opened> {
        self.head.as_ref().and_then(|head| head.over.as_ref())
    }

    /// The answer as far as it came; `None` before its head.
    pub(super) fn into_answer(self) -> Option<Answer> {
        let Head { status, headers, .. } = self.head?;
        Some(Answer { status, headers, body: Bytes::from(self.body), truncated: self.truncated })
    }
}

fn headers(map: &HeaderMap) -> AnswerHeaders {
    let mut headers = AnswerHeaders::default();
    for (name, value) in map {
        headers.push(name.as_str(), value.as_bytes());
    }
    headers
}

//! A notification whose signature was checked.

use std::borrow::Cow;

use serde::Deserialize;
use svc_core::clock::Timestamp;
use svc_core::event::EventType;
use svc_core::id::{DeliveryId, EventId};

use super::{EventKey, VerifyError};

/// A genuine notification (specification, part 2.3). Only a [`super::Verifier`] makes one.
///
/// All but [`delivery`](Self::delivery) and [`attempted_at`](Self::attempted_at)
/// comes from the signed body. Further members of `data`, such as `merged_id`,
/// are in [`body`](Self::body).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verified<'a> {
    /// Identical on every attempt and resend: what to know a repeat by. Text of any form; see
    /// [`Self::event_id`].
    pub event: EventKey,
    /// The type, as the service wrote it; see [`Self::kind`].
    pub type_name: Cow<'a, str>,
    /// When it happened. Events may arrive in another order.
    pub occurred_at: Timestamp,
    /// The company or other tenant that it belongs to, as its sender calls it; an
    /// [`AccountId`](svc_core::id::AccountId) can be parsed of what this project's service sends.
    pub account: Option<Cow<'a, str>>,
    /// `data.object`: the resource to ask the API for.
    pub object: Cow<'a, str>,
    /// `data.id`: the id of that resource.
    pub object_id: Cow<'a, str>,
    /// This delivery, from its header, which is not signed; for logs.
    pub delivery: Option<DeliveryId>,
    /// When this attempt was made, from its header, which is not signed; for logs.
    pub attempted_at: Option<Timestamp>,
    /// `t` of the signature.
    pub signed_at: Timestamp,
    /// Which of the receiver's secrets matched, from 0: when the one that was
    /// replaced stops matching, it can go.
    pub secret: usize,
    /// The exact bytes that were signed.
    pub body: &'a [u8],
}

impl Verified<'_> {
    /// The type of the event, whether a receiver knows it or not; `None` for what cannot be the name of one.
    ///
    /// Answer 200 to a type that you do not know: it is genuine, and not for you.
    #[must_use]
    pub fn kind(&self) -> Option<EventType> {
        self.type_name.parse().ok()
    }

    /// The id of the event as this project's deliverer makes them; `None` for one of another form.
    #[must_use]
    pub fn event_id(&self) -> Option<EventId> {
        self.event.parse().ok()
    }
}

/// The signed body; members that are not listed are let through, so that the contract can grow.
#[derive(Deserialize)]
pub(super) struct Body<'a> {
    pub(super) id: EventKey,
    #[serde(borrow)]
    pub(super) r#type: Cow<'a, str>,
    pub(super) occurred_at: Timestamp,
    #[serde(borrow)]
    pub(super) account_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) data: Data<'a>,
}

#[derive(Deserialize)]
pub(super) struct Data<'a> {
    #[serde(borrow)]
    pub(super) object: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) id: Cow<'a, str>,
}

impl<'a> Body<'a> {
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Self, VerifyError> {
        // Checked before: the parser does not look into the texts that it passes over.
        let text = std::str::from_utf8(bytes).map_err(|error| beyond(bytes, error.valid_up_to()))?;
        // The parser's own words may quote the body, which is not for logs.
        serde_json::from_str(text)
            .map_err(|error| VerifyError::MalformedBody { line: error.line(), column: error.column() })
    }
}

/// The byte after the first `length` is at fault.
fn beyond(bytes: &[u8], length: usize) -> VerifyError {
    let before = bytes.get(..length).unwrap_or_default();
    let (line, column) = before
        .split(|byte| *byte == b'\n')
        .zip(1..)
        .last()
        .map_or((1, 1), |(line, number)| (number, line.len() + 1));
    VerifyError::MalformedBody { line, column }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_byte_that_is_no_text_is_told() {
        for (body, line, column) in [(&b"\xff"[..], 1, 1), (b"{\"a\xff\"}", 1, 4), (b"{\n\n \xff", 3, 2)] {
            let error = Body::parse(body).err();
            assert_eq!(error, Some(VerifyError::MalformedBody { line, column }), "{body:?}");
        }
    }
}

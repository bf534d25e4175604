//! A reply as bytes: the length of a JSON head, the head, then both bodies as they are.

use serde::{Deserialize, Serialize};
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::idempotency::Reply;

#[derive(Serialize, Deserialize)]
struct Head {
    headers: Vec<(String, String)>,
    companies: Vec<AccountId>,
    /// Length of the masked body; the other one, if there is one, is the rest.
    masked: usize,
    has_full: bool,
}

/// The bytes of a reply, its status aside.
pub(super) fn write(reply: &Reply) -> Vec<u8> {
    let head = Head {
        headers: reply.headers.clone(),
        companies: reply.companies.clone(),
        masked: reply.masked.len(),
        has_full: reply.full.is_some(),
    };
    let head = serde_json::to_vec(&head).expect("texts, ids and numbers have a JSON form");
    let length = u32::try_from(head.len()).expect("the head of a reply is far below 4 GiB");
    [&length.to_be_bytes(), head.as_slice(), &reply.masked, reply.full.as_deref().unwrap_or_default()]
        .concat()
}

/// The reply of these bytes.
pub(super) fn read(status: i16, bytes: &[u8]) -> Result<Reply, StoreError> {
    let (length, rest) = bytes.split_first_chunk().ok_or_else(broken)?;
    let length = usize::try_from(u32::from_be_bytes(*length)).map_err(|_| broken())?;
    let (head, bodies) = rest.split_at_checked(length).ok_or_else(broken)?;
    let head: Head = serde_json::from_slice(head).map_err(|_| broken())?;
    let (masked, full) = bodies.split_at_checked(head.masked).ok_or_else(broken)?;
    Ok(Reply {
        status: u16::try_from(status).map_err(|_| broken())?,
        headers: head.headers,
        masked: masked.to_vec(),
        full: head.has_full.then(|| full.to_vec()),
        companies: head.companies,
    })
}

/// The value itself may be personal data, so the error does not hold it.
pub(super) fn broken() -> StoreError {
    StoreError::backend("idempotency holds a row that cannot be read")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_survives_its_bytes_with_and_without_a_second_body() {
        for full in [None, Some(Vec::new()), Some(vec![0, 255])] {
            let reply = Reply {
                status: 201,
                headers: vec![("Location".into(), "/contacts/con_1".into())],
                masked: b"***".to_vec(),
                full,
                companies: Vec::new(),
            };
            assert!(read(201, &write(&reply)).expect("readable") == reply);
        }
        assert!(read(201, &[0, 0, 0, 9, 1]).is_err());
    }
}

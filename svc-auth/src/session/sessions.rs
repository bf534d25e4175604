//! The sessions of a person: which there are, and how they end one that is not in their hands.

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::SessionId;

use crate::ports::SessionStorage;
use crate::session::{Lifetime, Session, SignedIn};

/// The most that a list names.
const MOST: usize = 100;

/// The live sessions of the signed-in person, the youngest first; of more than a hundred, the youngest hundred.
///
/// # Errors
/// When the store could not be read.
pub async fn list_sessions(
    storage: &dyn SessionStorage,
    lifetime: Lifetime,
    signed_in: &SignedIn,
    now: Timestamp,
) -> Result<Vec<Session>, StoreError> {
    let all = storage.sessions().of(signed_in.person().id, MOST).await?;
    Ok(all.into_iter().filter(|session| session.is_live(lifetime, now)).collect())
}

/// Ends a session of the signed-in person. One of another person is none of theirs, and one that has ended is no
/// error: neither is told from the other.
///
/// # Errors
/// When the store failed: the session goes on.
pub async fn end_session(
    storage: &dyn SessionStorage,
    signed_in: &SignedIn,
    id: SessionId,
) -> Result<(), StoreError> {
    let unit = storage.begin().await?;
    unit.sessions().delete_one_of(signed_in.person().id, id).await?;
    unit.commit().await
}

/// Ends every session of the signed-in person, this one included; answers how many there were.
///
/// # Errors
/// When the store failed: the sessions go on.
pub async fn sign_out_everywhere(
    storage: &dyn SessionStorage,
    signed_in: &SignedIn,
) -> Result<u64, StoreError> {
    let unit = storage.begin().await?;
    let ended = unit.sessions().delete_of(signed_in.person().id, None).await?;
    unit.commit().await?;
    Ok(ended)
}

//! Taking up a session, at each request.

use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;

use crate::ports::SessionStorage;
use crate::session::{Lifetime, Session, SessionValue, SignedIn};
use crate::token::Peppers;

/// Uses within this time of the last written one are not written.
const TOUCH: Duration = Duration::from_mins(1);

/// The session of a presented value with its person and their roles as they
/// are now; `None` when it is unknown or ended, awaits a code, or the
/// person is disabled.
///
/// # Errors
/// When the store could not be read.
pub async fn resume(
    storage: &dyn SessionStorage,
    peppers: &Peppers,
    lifetime: Lifetime,
    value: &str,
    now: Timestamp,
) -> Result<Option<SignedIn>, StoreError> {
    let Some(value) = SessionValue::parse(value) else { return Ok(None) };
    let Some(session) = find(storage, peppers, &value).await? else { return Ok(None) };
    if session.awaits_code || !session.is_live(lifetime, now) {
        return Ok(None);
    }
    let person = storage.people().person(session.user).await?;
    let Some(person) = person.filter(|person| person.active) else { return Ok(None) };
    let companies = storage.people().memberships(person.id).await?;
    if now.since(session.last_used_at) >= TOUCH {
        touch(storage, &session, now).await;
    }
    Ok(Some(SignedIn::new(session, person, companies)))
}

pub(super) async fn find(
    storage: &dyn SessionStorage,
    peppers: &Peppers,
    value: &SessionValue,
) -> Result<Option<Session>, StoreError> {
    let candidates = peppers.candidates(value);
    let found = storage.sessions().find_by_fingerprint(&candidates).await?;
    Ok(found.filter(|session| session.fingerprint.is_among(&candidates)))
}

/// Writes the use. A store that is too busy for it does not end the request: the next one tries again.
async fn touch(storage: &dyn SessionStorage, session: &Session, now: Timestamp) {
    let written = async {
        let unit = storage.begin().await?;
        unit.sessions().touch(session.id, now).await?;
        unit.commit().await
    };
    if let Err(error) = written.await {
        tracing::warn!(session = %session.id, %error, "the last use of a session was not written");
    }
}

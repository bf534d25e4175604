//! What a guest does with a link: proves that the mail is theirs, and is given files.

use std::time::Duration;

use svc_core::id::DataRoomFileId;
use svc_core::refused::Refused;
use svc_core::unit::CallContext;
use thiserror::Error;

use super::letter::{self, GuestMailKind};
use super::show::{Reader, show_to};
use super::{DataRoomGrant, GrantState, NotShown, Showing, Viewer};
use crate::link::code::{CodeRefused, Codes};
use crate::link::key::{CeremonyKey, Salt};
use crate::ports::{BusinessStorage, DynDocumentUnit};
use crate::record::Opened;

/// For how long a browser is let in by a proof.
pub const PASS_LASTS: Duration = Duration::from_hours(4);
/// After how long without codes a guest may have as many again.
const CODES_ANEW: Duration = Duration::from_hours(24);

/// Why a guest is not let in, or not given a file.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum GuestRefused {
    /// The grant lets the guest in no more.
    #[error("the grant has ended")]
    Ended,
    /// The code.
    #[error(transparent)]
    Code(#[from] CodeRefused),
    /// Too many mails wait.
    #[error("too many mails to guests wait: try again later")]
    TooManyMails,
}

/// Sends a guest a code, if the grant was opened alone.
///
/// # Errors
/// [`Refused`] with [`GuestRefused`]; nothing was changed.
pub async fn request_code(
    opened: Opened<'_, DataRoomGrant>,
    key: &CeremonyKey,
) -> Result<DataRoomGrant, Refused<GuestRefused>> {
    let (home, before) = (&opened.home, &opened.before);
    let now = home.call.now;
    live(before, &opened)?;
    let is_old = before.codes.last.is_some_and(|last| last.at.plus(CODES_ANEW) <= now);
    let codes = if is_old { Codes { sent: 0, ..before.codes } } else { before.codes };
    let requested = codes.request((key, before.id, Salt::draw(home.call.random)), now);
    let (codes, _) = requested.map_err(|refused| Refused::Own(refused.into()))?;
    let after = opened.save(DataRoomGrant { codes, ..before.clone() }).await?;
    let put = letter::put(home, &after, GuestMailKind::Code).await;
    put.map_err(|refused| refused.map(|_| GuestRefused::TooManyMails))?;
    Ok(after)
}

/// Judges a code that a guest typed, of a grant that was opened alone. A wrong one counts, so what is answered is to be
/// committed in any case. One who proved to have the last code may be sent as many as at first.
///
/// # Errors
/// [`Refused`] with [`GuestRefused::Ended`]; nothing was changed.
pub async fn prove_code(
    opened: Opened<'_, DataRoomGrant>,
    key: &CeremonyKey,
    typed: &str,
) -> Result<Result<DataRoomGrant, CodeRefused>, Refused<GuestRefused>> {
    let (home, before) = (&opened.home, &opened.before);
    live(before, &opened)?;
    let (codes, judged) = before.codes.prove((key, before.id), typed, home.call.now);
    let codes = if judged.is_ok() { Codes { sent: 0, ..codes } } else { codes };
    let after = opened.save(DataRoomGrant { codes, ..before.clone() }).await?;
    if judged.is_ok() {
        home.unit.data_room_grants().visited(&after, home.call.now, false).await?;
    }
    Ok(judged.map(|()| after))
}

fn live(grant: &DataRoomGrant, opened: &Opened<'_, DataRoomGrant>) -> Result<(), Refused<GuestRefused>> {
    match grant.state(opened.home.call.now) {
        GrantState::Live => Ok(()),
        GrantState::Expired | GrantState::Revoked => Err(Refused::Own(GuestRefused::Ended)),
    }
}

/// Judges whether the content of an entry is given to a guest who was let in: as [`show`](fn@super::show) does. An entry of a
/// section that the guest is not let into is not found.
///
/// # Errors
/// As of [`show`](fn@super::show).
pub async fn show_guest(
    storage: &dyn BusinessStorage,
    call: CallContext<'_>,
    grant: &DataRoomGrant,
    id: DataRoomFileId,
) -> Result<Showing, Refused<NotShown>> {
    let reader = Reader { sections: Some(&grant.sections), personal_data: grant.personal_data };
    show_to(storage, call, reader, id).await
}

/// Writes a view of an entry down that a guest is given. The grant is looked at again: one that has ended meanwhile gives
/// nothing.
///
/// # Errors
/// [`Refused::NotFound`] when the entry was removed or the grant ended meanwhile.
pub async fn viewed_by_guest(
    unit: &DynDocumentUnit,
    call: CallContext<'_>,
    grant: &DataRoomGrant,
    shown: &Showing,
) -> Result<(), Refused> {
    let current = unit.data_room_grants().find(call.scope, grant.id).await?.ok_or(Refused::NotFound)?;
    if current.state(call.now) != GrantState::Live {
        return Err(Refused::NotFound);
    }
    let counted = unit.data_room().view(&shown.entry, call.now, Viewer::Guest(grant.id)).await?;
    if counted.is_none() || !unit.data_room_grants().visited(grant, call.now, true).await? {
        return Err(Refused::NotFound);
    }
    Ok(())
}

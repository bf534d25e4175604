//! The data room of a company: whom it has let in, and until when (specification, domain part 10.2).

pub(crate) mod extend;
pub(crate) mod list;
pub(crate) mod new;
pub(crate) mod revoke;
pub(crate) mod show;

use svc_business::document::room::{DataRoomGrant, GrantRefused, GrantState};
use svc_core::clock::Timestamp;
use svc_core::error::ValidationErrors;
use svc_core::id::DataRoomGrantId;
use svc_core::refused::Refused;
use svc_http::Problem;

use crate::gate::{Administrator, Seen};
use crate::texts::DataRoom;

/// The grant of the path.
async fn found(seen: &Seen<Administrator>) -> Result<DataRoomGrant, Problem> {
    let (id, at) = (seen.id::<DataRoomGrantId>()?, seen.at());
    let found = seen.visit.app().business.data_room_grants().find(&at.scope, id).await?;
    found.ok_or_else(Problem::not_found)
}

/// How a state is told, and in which colour.
fn state(grant: &DataRoomGrant, now: Timestamp, t: &DataRoom) -> (&'static str, &'static str) {
    match grant.state(now) {
        GrantState::Live => (t.live, "good"),
        GrantState::Expired => (t.expired, "warn"),
        GrantState::Revoked => (t.revoked, "bad"),
    }
}

/// A refusal, as what is wrong with the form as a whole.
fn refused(refused: Refused<GrantRefused>) -> Problem {
    match refused.into_own() {
        Ok(reason) => {
            let code = match reason {
                GrantRefused::TooMany => "too_many",
                GrantRefused::Revoked => "revoked",
                GrantRefused::TooManyMails => "too_many_mails",
            };
            ValidationErrors::one("guests", code, reason.to_string()).into()
        }
        Err(other) => other.into(),
    }
}

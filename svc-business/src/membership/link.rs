//! The link by which an invited person answers: what it is, and the mail that brings it.
//!
//! A link is drawn when its mail is written, and its SHA-256 is kept; the job that asks for the mail names the membership
//! and no secret. So each mail of an invitation has a link of its own. All of them lead to the invitation until the last
//! instant at which it could have been accepted when its mail was written, and none does after that, whatever became of it.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{JobId, MembershipId, TypedId as _};
use svc_core::random::{self, RandomSource};
use svc_core::refused::Refused;
use svc_core::role::Role;
use svc_core::unit::CallContext;
use zeroize::Zeroizing;

use crate::job::{Job, JobKind, NewJob};
use crate::membership::opening::OpenedMembership;
use crate::membership::rules::allow;
use crate::membership::{ChangeError, Invitation, Membership};
use crate::ports::DynAccountUnit;
use crate::user::User;

/// Digits of base 62 of 256 bits.
const DIGITS: usize = 43;
/// The microseconds of an hour: an invitation is sent once an hour at most.
const HOUR: i64 = 3_600_000_000;

/// A link's secret: for the mail, and in the path of the page, and nowhere else.
#[derive(Clone, PartialEq, Eq)]
pub struct InvitationLink(Zeroizing<String>);

impl InvitationLink {
    /// A new one.
    pub fn draw(random: &dyn RandomSource) -> Self {
        let bits = Zeroizing::new(random::bytes::<32>(random));
        Self(Zeroizing::new(random::base62(bits.as_slice())))
    }

    /// Reads what a path has; `None` for anything that cannot be one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let sound = text.len() == DIGITS && text.bytes().all(|digit| digit.is_ascii_alphanumeric());
        sound.then(|| Self(Zeroizing::new(text.to_owned())))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is kept of it.
    #[must_use]
    pub fn hash(&self) -> InvitationHash {
        InvitationHash(Sha256::digest(self.0.as_bytes()).into())
    }
}

impl fmt::Debug for InvitationLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InvitationLink(***)")
    }
}

/// The SHA-256 of a link's secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InvitationHash(pub [u8; 32]);

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// The invitation, and what became of it.
    pub invitation: Invitation,
    /// Whom it is for.
    pub person: User,
    /// When the link dies.
    pub expires_at: Timestamp,
}

/// What a job of the kind `invitation_mail` is to send.
#[derive(Serialize, Deserialize)]
struct Letter {
    membership: MembershipId,
}

/// The membership that a claimed job is to send an invitation to.
///
/// # Errors
/// When it was written by another version of the service that knows it otherwise.
pub fn invited_by_mail(job: &Job) -> Result<MembershipId, StoreError> {
    let letter: Letter = serde_json::from_str(&job.body).map_err(StoreError::backend)?;
    Ok(letter.membership)
}

/// Sends the mail of an invitation again, unless one went out within the same hour.
///
/// # Errors
/// [`ChangeError::Illegal`] unless it can be accepted still; [`ChangeError`] when `by` could not have made it;
/// [`Refused::Store`]. No mail goes out.
pub async fn send_again(opened: OpenedMembership<'_>, by: Role) -> Result<(), Refused<ChangeError>> {
    let OpenedMembership { unit, call, member, .. } = opened;
    let membership = member.membership;
    allow(by, Some(&membership), Some(membership.role))?;
    membership.check_open("send again", call.now).map_err(ChangeError::from)?;
    Ok(put(unit, call, &membership).await?)
}

/// Puts the mail of an invitation beside the commit. Its key has the hour, so a person gets one mail an hour from a company
/// however often it invites and withdraws.
pub(super) async fn put(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    membership: &Membership,
) -> Result<(), StoreError> {
    let hour = call.now.unix_micros().div_euclid(HOUR);
    let letter = Letter { membership: membership.id };
    let job = NewJob {
        id: JobId::generate(call.now, call.random),
        kind: JobKind::InvitationMail,
        key: format!("{}/{hour}", membership.id),
        company: Some(membership.account),
        body: serde_json::to_string(&letter).map_err(StoreError::backend)?,
        due: call.now,
    };
    unit.jobs().put(&[job]).await
}

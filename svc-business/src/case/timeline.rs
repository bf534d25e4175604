//! What happened to a case.

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::UserId;

use crate::case::{Case, CaseStatus};
use crate::ports::DynCaseUnit;
use crate::record::Home;

/// One entry of a timeline: never changed once it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its place, from 0 without gaps.
    pub position: u32,
    /// When.
    pub at: Timestamp,
    /// The person who did it; `None` for an integration or the service itself.
    pub by: Option<UserId>,
    /// What happened.
    pub kind: EntryKind,
    /// The status of the case since then.
    pub status: CaseStatus,
    /// The text of a note, or the one that a closing left; at most 10,000 characters.
    pub text: Option<String>,
}

/// What happened to a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// `created`
    Created,
    /// `updated`
    Updated,
    /// `closed`
    Closed,
    /// `reopened`
    Reopened,
    /// `note`
    Note,
}

svc_core::wire_names!(EntryKind {
    Created = "created",
    Updated = "updated",
    Closed = "closed",
    Reopened = "reopened",
    Note = "note",
});

/// Adds the entry that brought the case to where it is: the last of those that it counts.
pub(super) async fn append(
    home: &Home<'_, DynCaseUnit>,
    case: &Case,
    kind: EntryKind,
    text: Option<String>,
) -> Result<(), StoreError> {
    let by = home.call.actor.user();
    let position = case.entries.saturating_sub(1);
    let entry = Entry { position, at: home.call.now, by, kind, status: case.status, text };
    home.unit.cases().append(case, &entry).await
}

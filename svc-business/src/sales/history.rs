//! What happened to a document.

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::UserId;

use super::document::SalesDocument;
use crate::ports::DynSalesUnit;
use crate::record::Home;

/// One entry of a history: never changed once it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryEntry {
    /// The version of the document since then.
    pub version: i64,
    /// When.
    pub at: Timestamp,
    /// The person who did it; `None` for an integration or the service itself.
    pub by: Option<UserId>,
    /// What happened.
    pub kind: HistoryKind,
    /// What goes with it: an amount, a reason, the number of another document.
    pub detail: Option<String>,
}

/// What happened to a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryKind {
    /// `created`
    Created,
    /// `updated`
    Updated,
    /// `issued`
    Issued,
    /// `sent`
    Sent,
    /// `send_failed`
    SendFailed,
    /// `paid`
    Paid,
    /// `payment_removed`
    PaymentRemoved,
    /// `rectified`
    Rectified,
    /// A rectifying document was voided: `rectification_removed`
    RectificationRemoved,
    /// `voided`
    Voided,
    /// `accepted`
    Accepted,
    /// `rejected`
    Rejected,
    /// `expired`
    Expired,
}

svc_core::wire_names!(HistoryKind {
    Created = "created",
    Updated = "updated",
    Issued = "issued",
    Sent = "sent",
    SendFailed = "send_failed",
    Paid = "paid",
    PaymentRemoved = "payment_removed",
    Rectified = "rectified",
    RectificationRemoved = "rectification_removed",
    Voided = "voided",
    Accepted = "accepted",
    Rejected = "rejected",
    Expired = "expired",
});

/// Notes what brought the document to the version that it has.
pub(super) async fn note(
    home: &Home<'_, DynSalesUnit>,
    document: &SalesDocument,
    kind: HistoryKind,
    detail: Option<String>,
) -> Result<(), StoreError> {
    let version = document.version.as_i64();
    let entry = HistoryEntry { version, at: home.call.now, by: home.call.actor.user(), kind, detail };
    home.unit.sales().note(document, &entry).await
}

//! What a notice is.

use svc_core::clock::Timestamp;
use svc_core::event::EventDeclaration;
use svc_core::id::{AccountId, CaseId, NoticeId, UserId};
use svc_core::pii::Pii;
use svc_core::resource::{Resource, ResourceStore, Version};
use time::Date;

use crate::catalogue::event;
use crate::party::TaxId;
use crate::ports::DynNoticeUnit;
use crate::record::Record;

/// What a public body notifies a company of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Its id.
    pub id: NoticeId,
    /// The company.
    pub company: AccountId,
    /// Where it was made available.
    pub source: NoticeSource,
    /// Whether it is served on the company.
    pub kind: NoticeKind,
    /// Who sent it, 1 to 200 characters.
    pub issuer: String,
    /// What it is about, 1 to 500 characters.
    pub subject: String,
    /// What its source calls it, 1 to 100 characters: one notice of a source has it.
    pub reference: String,
    /// Whom it names.
    pub recipient_tax_id: Option<Pii<TaxId>>,
    /// When it was made available.
    pub available_at: Timestamp,
    /// The last day on which a notification is accessed, by the company's calendar.
    pub expires_on: Option<Date>,
    /// What became of it.
    pub status: NoticeStatus,
    /// By when it is to be answered.
    pub response_due_on: Option<Date>,
    /// The case that it belongs to.
    pub case: Option<CaseId>,
    /// The member of the company that sees to it.
    pub assigned: Option<UserId>,
    /// Whether all is done that it asks for.
    pub handled: bool,
    /// Counts its changes.
    pub version: Version,
    /// When it was recorded.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Where a notice was made available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeSource {
    /// The single enabled electronic address of the state: `dehu`
    Dehu,
    /// The tax agency: `aeat`
    Aeat,
    /// The treasury of social security: `tgss`
    Tgss,
    /// The directorate of traffic: `dgt`
    Dgt,
    /// A region: `regional`
    Regional,
    /// A municipality: `local`
    Local,
    /// On paper, or elsewhere: `manual`
    Manual,
}

svc_core::wire_names!(NoticeSource {
    Dehu = "dehu",
    Aeat = "aeat",
    Tgss = "tgss",
    Dgt = "dgt",
    Regional = "regional",
    Local = "local",
    Manual = "manual",
});

/// Whether a notice is served on the company.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// It is served by being accessed, by being rejected, or after ten natural days: `notification`
    Notification,
    /// It informs, and has no term: `communication`
    Communication,
}

svc_core::wire_names!(NoticeKind { Notification = "notification", Communication = "communication" });

/// What became of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeStatus {
    /// It waits.
    Available,
    /// A person accessed it.
    Accessed {
        /// When.
        at: Timestamp,
        /// Who.
        by: UserId,
    },
    /// A person rejected it.
    Rejected {
        /// When.
        at: Timestamp,
        /// Who.
        by: UserId,
    },
    /// Its term passed: it counts as rejected.
    Expired,
}

svc_core::state_names!(NoticeStatus {
    Available = "available",
    Accessed { .. } = "accessed",
    Rejected { .. } = "rejected",
    Expired = "expired",
});

/// The statuses that a list of notices can be narrowed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeStatusFilter {
    /// `available`
    Available,
    /// `accessed`
    Accessed,
    /// `rejected`
    Rejected,
    /// `expired`
    Expired,
}

svc_core::wire_names!(NoticeStatusFilter {
    Available = "available",
    Accessed = "accessed",
    Rejected = "rejected",
    Expired = "expired",
});

/// What a list of notices can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoticeFilter {
    /// `companyId`: a subset of the scope; every company within it when empty.
    pub companies: Vec<AccountId>,
    /// `status`
    pub status: Option<NoticeStatusFilter>,
    /// `source`
    pub source: Option<NoticeSource>,
    /// `kind`
    pub kind: Option<NoticeKind>,
    /// `handled`
    pub handled: Option<bool>,
    /// `caseId`
    pub case: Option<CaseId>,
    /// `q`: in issuer, subject and reference, without regard to case.
    pub text: Option<String>,
    /// `updatedSince`
    pub updated_since: Option<Timestamp>,
    /// `from`: available on this date or later, in UTC.
    pub from: Option<Date>,
    /// `to`: available on this date or earlier, in UTC.
    pub to: Option<Date>,
}

/// What a list of notices can be sorted by; creation when nothing is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeSort {
    /// `availableAt`
    AvailableAt,
    /// `expiresOn`; what does not expire comes last.
    ExpiresOn,
    /// `updatedAt`
    UpdatedAt,
}

impl Resource for Notice {
    const NAME: &'static str = "notice";
    type Id = NoticeId;
    type Filter = NoticeFilter;
    type SortKey = NoticeSort;

    fn id(&self) -> NoticeId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}

impl Record for Notice {
    type Unit = DynNoticeUnit;
    const CREATED: Option<&'static EventDeclaration> = Some(event("notice.create"));

    fn store(unit: &Self::Unit) -> &dyn ResourceStore<Self> {
        unit.notices()
    }

    fn stamped(self, version: Version, at: Timestamp) -> Self {
        Self { version, updated_at: at, ..self }
    }
}

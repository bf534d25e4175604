//! What a case is.

use std::fmt;

use svc_core::clock::Timestamp;
use svc_core::event::EventDeclaration;
use svc_core::id::{AccountId, CaseId, ContactId, UserId};
use svc_core::money::Amount;
use svc_core::resource::{Resource, ResourceStore, Version};
use time::Date;

use crate::case::CaseLink;
use crate::catalogue::event;
use crate::party::Extension;
use crate::ports::DynCaseUnit;
use crate::record::Record;

/// What a company works on for a contact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its id.
    pub id: CaseId,
    /// The company that works on it.
    pub company: AccountId,
    /// What people call it by.
    pub number: CaseNumber,
    /// What it is about, 1 to 200 characters.
    pub title: String,
    /// More about it, at most 10,000 characters.
    pub description: Option<String>,
    /// What kind of work it is.
    pub case_type: CaseType,
    /// Where it is in its life.
    pub status: CaseStatus,
    /// How urgent it is.
    pub priority: Priority,
    /// Whom it is for.
    pub contact: ContactId,
    /// Who else takes part, in the order given; at most 50.
    pub participants: Vec<ContactId>,
    /// The member of the company that is responsible for it.
    pub responsible: Option<UserId>,
    /// When it was opened, by the company's calendar.
    pub opened_on: Date,
    /// When it is due, not before it was opened.
    pub due_on: Option<Date>,
    /// Records that belong to it, in the order given; at most 50.
    pub links: Vec<CaseLink>,
    /// What it is expected to bring.
    pub estimated_fees: Option<Amount>,
    /// Free labels, in the order given.
    pub tags: Vec<String>,
    /// How many entries its timeline has.
    pub entries: u32,
    /// An integrator's own data.
    pub extension: Extension,
    /// Counts its changes.
    pub version: Version,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// `YYYY-NNNN`: counts the cases of a company that were opened in a year. Numbers have gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CaseNumber {
    /// The year in which it was opened.
    pub year: i32,
    /// From 1.
    pub sequence: u32,
}

impl fmt::Display for CaseNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:04}", self.year, self.sequence)
    }
}

/// What kind of work a case is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseType {
    /// `tax`
    Tax,
    /// `legal`
    Legal,
    /// `labour`
    Labour,
    /// `corporate`
    Corporate,
    /// `accounting`
    Accounting,
    /// `commercial`
    Commercial,
    /// `other`
    Other,
}

svc_core::wire_names!(CaseType {
    Tax = "tax",
    Legal = "legal",
    Labour = "labour",
    Corporate = "corporate",
    Accounting = "accounting",
    Commercial = "commercial",
    Other = "other",
});

/// How urgent a case is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// `low`
    Low,
    /// `normal`
    Normal,
    /// `high`
    High,
    /// `urgent`
    Urgent,
}

svc_core::wire_names!(Priority { Low = "low", Normal = "normal", High = "high", Urgent = "urgent" });

/// How a case ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// `won`
    Won,
    /// `lost`
    Lost,
    /// `resolved`
    Resolved,
    /// `withdrawn`
    Withdrawn,
}

svc_core::wire_names!(Outcome { Won = "won", Lost = "lost", Resolved = "resolved", Withdrawn = "withdrawn" });

/// Where a case is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseStatus {
    /// Work has not begun.
    Open,
    /// Work is going on.
    InProgress,
    /// Work waits for something.
    OnHold,
    /// Work has ended.
    Closed {
        /// How it ended.
        outcome: Outcome,
        /// When, by the company's calendar.
        on: Date,
    },
}

svc_core::state_names!(CaseStatus {
    Open = "open",
    InProgress = "in_progress",
    OnHold = "on_hold",
    Closed { .. } = "closed",
});

impl CaseStatus {
    /// Whether work has ended.
    #[must_use]
    pub const fn is_closed(self) -> bool {
        matches!(self, Self::Closed { .. })
    }
}

/// The statuses that a list of cases can be narrowed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusFilter {
    /// `open`
    Open,
    /// `in_progress`
    InProgress,
    /// `on_hold`
    OnHold,
    /// `closed`
    Closed,
}

svc_core::wire_names!(StatusFilter {
    Open = "open",
    InProgress = "in_progress",
    OnHold = "on_hold",
    Closed = "closed",
});

/// What a list of cases can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaseFilter {
    /// `companyId`: a subset of the scope; every company within it when empty.
    pub companies: Vec<AccountId>,
    /// `status`
    pub status: Option<StatusFilter>,
    /// `type`
    pub case_type: Option<CaseType>,
    /// `contactId`: whom it is for.
    pub contact: Option<ContactId>,
    /// `responsibleUserId`
    pub responsible: Option<UserId>,
    /// `tag`
    pub tag: Option<String>,
    /// `q`: in number or title, without regard to case.
    pub text: Option<String>,
    /// `externalId`
    pub external_id: Option<String>,
    /// `updatedSince`
    pub updated_since: Option<Timestamp>,
    /// `from`: opened on this date or later.
    pub from: Option<Date>,
    /// `to`: opened on this date or earlier.
    pub to: Option<Date>,
}

/// What a list of cases can be sorted by; creation when nothing is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseSort {
    /// `number`
    Number,
    /// `dueOn`; cases that are not due at any time come last.
    DueOn,
    /// `updatedAt`
    UpdatedAt,
}

impl Resource for Case {
    const NAME: &'static str = "case";
    type Id = CaseId;
    type Filter = CaseFilter;
    type SortKey = CaseSort;

    fn id(&self) -> CaseId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}

impl Record for Case {
    type Unit = DynCaseUnit;
    const CREATED: Option<&'static EventDeclaration> = Some(event("case.create"));
    const CHANGED: Option<&'static EventDeclaration> = Some(event("case.update"));

    fn store(unit: &Self::Unit) -> &dyn ResourceStore<Self> {
        unit.cases()
    }

    fn stamped(self, version: Version, at: Timestamp) -> Self {
        Self { version, updated_at: at, ..self }
    }
}

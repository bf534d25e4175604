//! What an account of the ledger is.

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, LedgerAccountId, TypedId as _};
use svc_core::money::Amount;
use svc_core::resource::{Resource, ResourceStore, Version};
use svc_core::unit::CallContext;
use time::Date;

use crate::books::account::{AccountCode, AccountType, CodeLength, NormalBalance, TaxRole};
use crate::books::book::Subledger;
use crate::books::entry::KnownAccount;
use crate::party::Extension;
use crate::ports::DynBooksUnit;
use crate::record::Record;

/// An account or a heading of a company's ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerAccount {
    /// Its id.
    pub id: LedgerAccountId,
    /// The company.
    pub company: AccountId,
    /// Its code, unique in the ledger.
    pub code: AccountCode,
    /// What people call it, 1 to 200 characters.
    pub name: String,
    /// What it counts.
    pub account_type: AccountType,
    /// Whether it takes entries: it has full length.
    pub postable: bool,
    /// Whether its lines are matched with each other.
    pub reconcilable: bool,
    /// The tax that it counts.
    pub tax_role: Option<TaxRole>,
    /// Whether new entries may use it.
    pub status: LedgerStatus,
    /// An integrator's own data.
    pub extension: Extension,
    /// Counts its changes.
    pub version: Version,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Whether new entries may use an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LedgerStatus {
    /// They may: `active`
    Active,
    /// They may not; what it holds stays: `archived`
    Archived,
}

svc_core::wire_names!(LedgerStatus { Active = "active", Archived = "archived" });

/// What a list of accounts can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LedgerFilter {
    /// The company, or all within the scope.
    pub companies: Vec<AccountId>,
    /// `prefix`: what their codes begin with.
    pub prefix: Option<AccountCode>,
    /// `type`
    pub account_type: Option<AccountType>,
    /// `postable`
    pub postable: Option<bool>,
    /// `status`
    pub status: Option<LedgerStatus>,
    /// Only these codes: those that `nonZero` leaves.
    pub codes: Option<Vec<AccountCode>>,
    /// `q`: a part of the code or of the name.
    pub text: Option<String>,
    /// `externalId`
    pub external_id: Option<String>,
    /// `updatedSince`
    pub updated_since: Option<Timestamp>,
}

/// What a list of accounts can be sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LedgerSort {
    /// `code`: as a printed chart is.
    Code,
    /// `updatedAt`
    UpdatedAt,
}

/// What the posted lines of a company add up to, account by account, through a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums {
    /// The last day that counts.
    pub through: Date,
    /// Entries that close a year count when they are dated before this day: a closed year still shows its result.
    pub closings_before: Date,
    /// Only accounts whose codes begin with this.
    pub prefix: Option<AccountCode>,
}

/// What the posted lines of an account add up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sum {
    /// The account.
    pub account: AccountCode,
    /// All debits.
    pub debit: Amount,
    /// All credits.
    pub credit: Amount,
}

impl LedgerAccount {
    /// An active account or heading as its code tells it, of a company whose accounts have codes of this length.
    pub(crate) fn blank(
        company: AccountId,
        code: AccountCode,
        length: CodeLength,
        call: CallContext<'_>,
    ) -> Self {
        Self {
            id: LedgerAccountId::generate(call.now, call.random),
            company,
            code,
            name: String::new(),
            account_type: AccountType::of(code),
            postable: code.is_postable(length),
            reconcilable: false,
            tax_role: None,
            status: LedgerStatus::Active,
            extension: Extension::default(),
            version: Version::FIRST,
            created_at: call.now,
            updated_at: call.now,
        }
    }

    /// The side on which it grows.
    #[must_use]
    pub fn normal_balance(&self) -> NormalBalance {
        NormalBalance::of(self.code, self.account_type)
    }

    /// Whether new entries may use it.
    #[must_use]
    pub fn takes_entries(&self) -> bool {
        self.postable && self.status == LedgerStatus::Active
    }

    /// Whether contacts share it: customers, suppliers and creditors, unless each has an account.
    #[must_use]
    pub fn is_shared(&self, subledger: Subledger) -> bool {
        subledger == Subledger::Collective
            && ["40", "41", "43"].iter().any(|digits| self.code.starts_with(digits))
    }

    /// What entries are judged by.
    #[must_use]
    pub fn known(&self, subledger: Subledger) -> KnownAccount {
        KnownAccount {
            postable: self.postable,
            active: self.status == LedgerStatus::Active,
            tax_role: self.tax_role,
            shared: self.is_shared(subledger),
        }
    }
}

impl Resource for LedgerAccount {
    const NAME: &'static str = "ledger_account";
    type Id = LedgerAccountId;
    type Filter = LedgerFilter;
    type SortKey = LedgerSort;

    fn id(&self) -> LedgerAccountId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}

impl Record for LedgerAccount {
    type Unit = DynBooksUnit;

    fn store(unit: &DynBooksUnit) -> &dyn ResourceStore<Self> {
        unit.ledger()
    }

    fn stamped(self, version: Version, updated_at: Timestamp) -> Self {
        Self { version, updated_at, ..self }
    }
}

//! The steps of an asset's life in the books.

use svc_core::error::{ValidationErrors, Validator};
use svc_core::id::JournalEntryId;
use svc_core::money::{Amount, MoneyError};
use thiserror::Error;
use time::Date;

use super::plan::{Instalment, InstalmentStatus, Plan, PlanError, PostedInstalment};
use super::{AssetStatus, Disposal, DisposalReason, FixedAsset};
use crate::books::entry::KnownAccounts;

/// Why an asset cannot be activated.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ActivateRefused {
    /// It is no draft: `asset_not_draft`, a conflict.
    #[error("the asset is {status}")]
    NotDraft {
        /// Where it is in its life.
        status: &'static str,
    },
    /// One of its accounts takes no entries: `unknown_reference`, `account_not_postable` or `account_archived`.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
    /// A sum is out of range.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

/// Why an asset cannot lose value.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum DepreciateRefused {
    /// It is not active: `asset_not_active`, a conflict.
    #[error("the asset is {status}")]
    NotActive {
        /// Where it is in its life.
        status: &'static str,
    },
    /// It has no plan.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A sum is out of range.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

/// Why an asset cannot be disposed of.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum DisposeRefused {
    /// It is not in use: `asset_not_active`, a conflict.
    #[error("the asset is {status}")]
    NotInUse {
        /// Where it is in its life.
        status: &'static str,
    },
    /// Its loss is posted beyond the date: `out_of_range`, on `date`.
    #[error("the asset's loss is posted up to {through}: it cannot leave before")]
    Depreciated {
        /// The last day that is posted.
        through: Date,
    },
    /// The date is before it was acquired: `out_of_range`, on `date`.
    #[error("the asset was acquired on {acquired_on}: it cannot leave before")]
    NotAcquired {
        /// When it was acquired.
        acquired_on: Date,
    },
    /// It has no plan.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A sum is out of range, or the proceeds are in another currency.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

/// An asset after it lost value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Depreciated {
    /// The asset.
    pub asset: FixedAsset,
    /// The instalments that are posted with it, each with the id of its entry; none when none was due.
    pub instalments: Vec<PostedInstalment>,
}

/// How an asset is to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DisposalTerms {
    /// When.
    pub date: Date,
    /// What it brings, not below zero.
    pub proceeds: Amount,
    /// Why.
    pub reason: DisposalReason,
}

/// An asset after it left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disposed {
    /// The asset.
    pub asset: FixedAsset,
    /// What it lost up to the day on which it left, to be posted before the disposal.
    pub instalments: Vec<PostedInstalment>,
    /// How it left.
    pub disposal: Disposal,
}

impl FixedAsset {
    /// The draft in use; `accounts` has what is known of its accounts.
    ///
    /// # Errors
    /// [`ActivateRefused`].
    pub fn activate(self, accounts: &KnownAccounts) -> Result<Self, ActivateRefused> {
        match self.status {
            AssetStatus::Draft => {}
            AssetStatus::Active | AssetStatus::FullyDepreciated | AssetStatus::Disposed { .. } => {
                return Err(ActivateRefused::NotDraft { status: self.status.name() });
            }
        }
        self.judge_accounts(accounts)?;
        Ok(Self { status: AssetStatus::Active, ..self }.settled()?)
    }

    /// The asset after the instalments whose periods end on this day or before, each of them once. `entry_id` makes
    /// the ids of their entries, one for each.
    ///
    /// # Errors
    /// [`DepreciateRefused`].
    pub fn depreciate(
        self,
        through: Date,
        entry_id: impl FnMut() -> JournalEntryId,
    ) -> Result<Depreciated, DepreciateRefused> {
        match self.status {
            AssetStatus::Active => {}
            AssetStatus::Draft | AssetStatus::FullyDepreciated | AssetStatus::Disposed { .. } => {
                return Err(DepreciateRefused::NotActive { status: self.status.name() });
            }
        }
        let plan = self.plan()?;
        let instalments = posted(plan.due(through), entry_id);
        let asset = self.lost(&instalments).settled()?;
        Ok(Depreciated { asset, instalments })
    }

    /// The asset after it left: what it loses up to that day first, then the rest of it. `entry_id` makes the ids of
    /// the entries of the instalments, one for each.
    ///
    /// # Errors
    /// [`DisposeRefused`].
    pub fn dispose(
        self,
        terms: DisposalTerms,
        entry_id: impl FnMut() -> JournalEntryId,
    ) -> Result<Disposed, DisposeRefused> {
        match self.status {
            AssetStatus::Active | AssetStatus::FullyDepreciated => {}
            AssetStatus::Draft | AssetStatus::Disposed { .. } => {
                return Err(DisposeRefused::NotInUse { status: self.status.name() });
            }
        }
        let DisposalTerms { date, proceeds, reason } = terms;
        if let Some(through) = self.depreciated_through().filter(|through| date < *through) {
            return Err(DisposeRefused::Depreciated { through });
        }
        if date < self.acquired_on {
            return Err(DisposeRefused::NotAcquired { acquired_on: self.acquired_on });
        }
        let plan = Plan::until(&self.terms, &self.posted, date)?;
        let instalments = posted(plan.due(date), entry_id);
        let asset = self.lost(&instalments);
        let gain_loss = proceeds.minus(asset.carrying()?)?;
        let disposal = Disposal { date, proceeds, reason, gain_loss };
        let asset = Self { status: AssetStatus::Disposed { disposal }, ..asset };
        Ok(Disposed { asset, instalments, disposal })
    }

    fn lost(mut self, instalments: &[PostedInstalment]) -> Self {
        self.posted.extend_from_slice(instalments);
        self
    }

    /// Judges that its accounts take entries.
    pub(super) fn judge_accounts(&self, accounts: &KnownAccounts) -> Result<(), ValidationErrors> {
        let mut validator = Validator::new();
        let depreciation = self.accounts.depreciation.filter(|_| self.terms.schedule.is_some());
        let named = [
            ("assetAccountCode", Some(self.accounts.asset)),
            ("accumulatedAccountCode", depreciation.map(|accounts| accounts.accumulated)),
            ("expenseAccountCode", depreciation.map(|accounts| accounts.expense)),
        ];
        for (field, code) in named {
            let Some(code) = code else { continue };
            let Some(account) = accounts.get(&code) else {
                validator.fail(field, "unknown_reference", format!("the books have no account {code}"));
                continue;
            };
            let message = format!("{code} is a heading: entries go to the accounts below it");
            if validator.require(account.postable, field, "account_not_postable", message) {
                let message = format!("{code} is archived");
                validator.require(account.active, field, "account_archived", message);
            }
        }
        validator.finish()
    }
}

fn posted<'a>(
    due: impl Iterator<Item = &'a Instalment>,
    mut entry_id: impl FnMut() -> JournalEntryId,
) -> Vec<PostedInstalment> {
    let post = |instalment: &Instalment| {
        let Instalment { period, from, to, amount, .. } = *instalment;
        PostedInstalment { period, from, to, amount, entry: entry_id() }
    };
    due.filter(|instalment| instalment.status == InstalmentStatus::Planned).map(post).collect()
}

//! What a fixed asset is.

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, FixedAssetId};
use svc_core::money::{Amount, MoneyError};
use svc_core::resource::{Resource, Version};
use time::Date;

use super::class::{AssetAccounts, AssetClass, AssetWarning};
use super::plan::{InstalmentStatus, Plan, PlanError, PostedInstalment, Terms};
use super::search::{FixedAssetFilter, FixedAssetSort};
use crate::party::Extension;

/// A thing that a company uses for more than a year.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedAsset {
    /// Its id.
    pub id: FixedAssetId,
    /// The company that has it.
    pub company: AccountId,
    /// What people call it, 1 to 200 characters.
    pub name: String,
    /// The company's own number for it, 1 to 50 characters; unique per company.
    pub code: Option<String>,
    /// What kind of thing it is.
    pub class: AssetClass,
    /// When it was acquired: `acquisitionDate`.
    pub acquired_on: Date,
    /// What it cost and how it loses value, in the base currency of the books.
    pub terms: Terms,
    /// The accounts that count it.
    pub accounts: AssetAccounts,
    /// The instalments that the journal has, in the order of their periods; a draft has none.
    pub posted: Vec<PostedInstalment>,
    /// Where it is in its life.
    pub status: AssetStatus,
    /// An integrator's own data.
    pub extension: Extension,
    /// Counts its changes.
    pub version: Version,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Where an asset is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssetStatus {
    /// It is not in use yet; everything about it can change.
    Draft,
    /// It is in use, and has value to lose or never loses any.
    Active,
    /// It is in use, and has lost all that it was to lose.
    FullyDepreciated,
    /// It has left.
    Disposed {
        /// How it left.
        disposal: Disposal,
    },
}

svc_core::state_names!(AssetStatus {
    Draft = "draft",
    Active = "active",
    FullyDepreciated = "fully_depreciated",
    Disposed { .. } = "disposed",
});

/// How an asset left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disposal {
    /// When.
    pub date: Date,
    /// What it brought, not below zero; taxes aside.
    pub proceeds: Amount,
    /// Why.
    pub reason: DisposalReason,
    /// What it brought beyond what it was still worth; below zero for a loss.
    pub gain_loss: Amount,
}

/// Why an asset left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisposalReason {
    /// `sold`
    Sold,
    /// `scrapped`
    Scrapped,
    /// `lost`
    Lost,
}

svc_core::wire_names!(DisposalReason { Sold = "sold", Scrapped = "scrapped", Lost = "lost" });

impl FixedAsset {
    /// What it has lost so far, what it had lost before the books began among it: `accumulatedDepreciation`.
    ///
    /// # Errors
    /// [`MoneyError`], which instalments of its own plan do not meet.
    pub fn accumulated(&self) -> Result<Amount, MoneyError> {
        let posted = self.posted.iter().map(|instalment| instalment.amount);
        let opening = self.terms.opening_accumulated;
        Amount::sum(posted.chain([opening]), opening.currency())
    }

    /// What it is still worth in the books, or was when it left: `carryingAmount`.
    ///
    /// # Errors
    /// [`MoneyError`], which instalments of its own plan do not meet.
    pub fn carrying(&self) -> Result<Amount, MoneyError> {
        self.terms.cost.minus(self.accumulated()?)
    }

    /// The last day of the last posted instalment: `depreciatedThrough`.
    #[must_use]
    pub fn depreciated_through(&self) -> Option<Date> {
        self.posted.last().map(|instalment| instalment.to)
    }

    /// The day on which its next instalment is due; `None` unless it is in use and has value to lose.
    #[must_use]
    pub fn next_due(&self) -> Option<Date> {
        match self.status {
            AssetStatus::Draft | AssetStatus::FullyDepreciated | AssetStatus::Disposed { .. } => return None,
            AssetStatus::Active => {}
        }
        let plan = self.plan().ok()?;
        let next = plan.instalments.iter().find(|instalment| instalment.status == InstalmentStatus::Planned);
        next.map(|instalment| instalment.to)
    }

    /// Its plan, with what the journal has of it; of an asset that has left, that alone.
    ///
    /// # Errors
    /// [`PlanError`], which terms that were judged do not meet.
    pub fn plan(&self) -> Result<Plan, PlanError> {
        match self.status {
            AssetStatus::Draft | AssetStatus::Active | AssetStatus::FullyDepreciated => {
                Plan::of(&self.terms, &self.posted)
            }
            AssetStatus::Disposed { disposal } => {
                let mut plan = Plan::until(&self.terms, &self.posted, disposal.date)?;
                plan.instalments.truncate(self.posted.len());
                Ok(plan)
            }
        }
    }

    /// What is allowed about it and worth saying.
    #[must_use]
    pub fn warning(&self) -> Option<AssetWarning> {
        self.class.warning(self.terms.schedule?.life)
    }

    /// The same with the status that an asset in use has by what it has lost.
    pub(super) fn settled(self) -> Result<Self, MoneyError> {
        let status = match self.status {
            AssetStatus::Active | AssetStatus::FullyDepreciated => {
                let all_lost = self.accumulated()? == self.terms.depreciable()?;
                let loses = self.terms.schedule.is_some();
                if loses && all_lost { AssetStatus::FullyDepreciated } else { AssetStatus::Active }
            }
            AssetStatus::Draft | AssetStatus::Disposed { .. } => self.status,
        };
        Ok(Self { status, ..self })
    }
}

impl Resource for FixedAsset {
    const NAME: &'static str = "fixed_asset";
    type Id = FixedAssetId;
    type Filter = FixedAssetFilter;
    type SortKey = FixedAssetSort;

    fn id(&self) -> FixedAssetId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}

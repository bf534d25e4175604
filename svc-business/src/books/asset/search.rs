//! What a list of fixed assets can be narrowed and sorted by.

use svc_core::clock::Timestamp;
use svc_core::id::AccountId;
use time::Date;

use super::class::AssetClass;

/// The statuses that a list can be narrowed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssetStatusFilter {
    /// `draft`
    Draft,
    /// `active`
    Active,
    /// `fully_depreciated`
    FullyDepreciated,
    /// `disposed`
    Disposed,
}

svc_core::wire_names!(AssetStatusFilter {
    Draft = "draft",
    Active = "active",
    FullyDepreciated = "fully_depreciated",
    Disposed = "disposed",
});

/// What a list of fixed assets can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FixedAssetFilter {
    /// The companies; every one within the scope when empty.
    pub companies: Vec<AccountId>,
    /// `status`
    pub status: Option<AssetStatusFilter>,
    /// `assetClass`
    pub class: Option<AssetClass>,
    /// `q`: in name or code, without regard to case.
    pub text: Option<String>,
    /// `externalId`
    pub external_id: Option<String>,
    /// `updatedSince`
    pub updated_since: Option<Timestamp>,
    /// `from`: acquired on this date or later.
    pub from: Option<Date>,
    /// `to`: acquired on this date or earlier.
    pub to: Option<Date>,
}

/// What a list of fixed assets can be sorted by; creation when nothing is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixedAssetSort {
    /// `name`
    Name,
    /// `acquisitionDate`
    AcquisitionDate,
    /// `updatedAt`
    UpdatedAt,
}

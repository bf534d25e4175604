//! Fixed assets: their classes, the plan by which they lose value, and what becomes of one in the books.
//!
//! An asset is a draft until it is activated; from then on its instalments are posted one after the other, each once,
//! until it has lost all that it is to lose or is disposed of. A change of its residual value or its life looks
//! forward: what is posted stays, and what is left is planned anew. Every step is a judgement of facts that were read;
//! the entries that belong to it are described by [`AssetEntry`] and posted as any other is, in the unit of work that
//! keeps the asset.

pub mod class;
mod input;
mod journal;
mod leave;
pub mod plan;
mod record;
mod rules;
mod run;
mod search;
mod state;
#[cfg(test)]
mod tests;
mod transition;
mod verbs;

pub use self::input::{DepreciationRunRequest, DisposeRequest, FixedAssetInput};
pub use self::journal::{AssetEntry, AssetLine, DisposalAccounts};
pub use self::leave::dispose;
pub use self::rules::{AssetBooks, NewAsset};
pub use self::run::{AskedRun, DepreciationRun, LeftOut, depreciate};
pub use self::search::{AssetStatusFilter, FixedAssetFilter, FixedAssetSort};
pub use self::state::{AssetStatus, Disposal, DisposalReason, FixedAsset};
pub use self::transition::{
    ActivateRefused, DepreciateRefused, Depreciated, DisposalTerms, DisposeRefused, Disposed,
};
pub use self::verbs::{AssetRefused, activate, create, delete, update};

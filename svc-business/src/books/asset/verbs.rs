//! Creating, changing, activating and deleting an asset.

use svc_core::error::{ValidationErrors, Validator};
use svc_core::id::{FixedAssetId, TypedId as _};
use svc_core::refused::Refused;
use svc_core::resource::Lock;
use thiserror::Error;

use super::record::known_accounts;
use super::{ActivateRefused, AssetBooks, AssetStatus, FixedAsset, FixedAssetInput, NewAsset};
use crate::books::book;
use crate::books::default_accounts::MissingAccount;
use crate::books::entry::PostRefused;
use crate::books::fiscal_year::YearRefused;
use crate::books::lock::PeriodLocked;
use crate::ports::DynBooksUnit;
use crate::record::{Home, Opened};

/// Why a step of an asset's life is refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum AssetRefused {
    /// It is no draft: `asset_not_draft`, a conflict.
    #[error("the asset is {status}")]
    NotDraft {
        /// Where it is in its life.
        status: &'static str,
    },
    /// It is not in use: `asset_not_active`, a conflict.
    #[error("the asset is {status}")]
    NotInUse {
        /// Where it is in its life.
        status: &'static str,
    },
    /// The books name no account that an entry needs: `default_account_missing`, a conflict.
    #[error(transparent)]
    NoAccount(#[from] MissingAccount),
    /// Its entries cannot be posted.
    #[error(transparent)]
    Post(#[from] PostRefused),
}

impl From<YearRefused> for AssetRefused {
    fn from(refused: YearRefused) -> Self {
        PostRefused::Year(refused).into()
    }
}

impl From<PeriodLocked> for AssetRefused {
    fn from(locked: PeriodLocked) -> Self {
        PostRefused::Locked(locked).into()
    }
}

/// Adds an asset: a draft, or one in use where the input asks for that. Emits `fixed_asset.create`.
///
/// # Errors
/// [`Refused`]; nothing was added.
pub async fn create(
    home: &Home<'_, DynBooksUnit>,
    input: FixedAssetInput,
) -> Result<FixedAsset, Refused<AssetRefused>> {
    // Its accounts are as long as the codes of the books, which stay so once it is there.
    let book = book::locked(home, Lock::Shared, &[]).await?;
    let id = FixedAssetId::generate(home.call.now, home.call.random);
    let new = NewAsset { id, company: home.company.id, now: home.call.now };
    let mut asset = FixedAsset::create(new, &input, AssetBooks::of(home, &book))?;
    if input.activate {
        let known = known_accounts(home, &book, asset.codes()).await?;
        asset = asset.activate(&known).map_err(refused)?;
    }
    home.add(asset).await
}

/// Applies a merge patch. Once the asset is active, only its name, its code, its residual value and its life change,
/// and what is not posted is planned anew. A patch that changes nothing keeps the version and emits nothing; any other
/// emits `fixed_asset.update`.
///
/// # Errors
/// [`Refused`]; nothing was changed.
pub async fn update(
    opened: Opened<'_, FixedAsset>,
    input: FixedAssetInput,
) -> Result<FixedAsset, Refused<AssetRefused>> {
    let (home, before) = (&opened.home, &opened.before);
    if input.activate {
        let message = "an asset is activated with POST …/activate";
        return Err(ValidationErrors::one("activate", "read_only_field", message).into());
    }
    let books = AssetBooks::of(home, &book::find(home).await?);
    before.judge_currency(books)?;
    let after = before.patch(&input, books)?;
    opened.save(after).await
}

/// Puts a draft to use. Emits `fixed_asset.update`.
///
/// # Errors
/// [`Refused`] with [`AssetRefused::NotDraft`]; nothing was changed.
pub async fn activate(opened: Opened<'_, FixedAsset>) -> Result<FixedAsset, Refused<AssetRefused>> {
    let (home, draft) = (&opened.home, &opened.before);
    let book = book::find(home).await?;
    draft.judge_currency(AssetBooks::of(home, &book))?;
    let known = known_accounts(home, &book, draft.codes()).await?;
    let active = draft.clone().activate(&known).map_err(refused)?;
    opened.save(active).await
}

/// Erases a draft. Emits nothing: the catalogue has no such event.
///
/// # Errors
/// [`Refused`] with [`AssetRefused::NotDraft`]; nothing was changed.
pub async fn delete(opened: Opened<'_, FixedAsset>) -> Result<(), Refused<AssetRefused>> {
    let (home, asset) = (&opened.home, &opened.before);
    if asset.status != AssetStatus::Draft {
        return Err(Refused::Own(AssetRefused::NotDraft { status: asset.status.name() }));
    }
    Ok(home.unit.fixed_assets().erase(home.call.scope, asset).await?)
}

fn refused(refused: ActivateRefused) -> Refused<AssetRefused> {
    match refused {
        ActivateRefused::NotDraft { status } => Refused::Own(AssetRefused::NotDraft { status }),
        ActivateRefused::Invalid(invalid) => invalid.into(),
        ActivateRefused::Money(error) => out_of_range("cost", &error),
    }
}

/// A plan or a sum that an input brings beyond what there can be.
pub(super) fn out_of_range(field: &str, error: &impl std::fmt::Display) -> Refused<AssetRefused> {
    let mut validator = Validator::new();
    validator.fail(field, "out_of_range", error.to_string());
    validator.finish().err().unwrap_or(ValidationErrors(Vec::new())).into()
}

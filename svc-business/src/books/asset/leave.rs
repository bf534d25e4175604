//! The asset leaves: sold, scrapped or lost.

use svc_core::error::Validator;
use svc_core::id::{JournalEntryId, TypedId as _};
use svc_core::refused::Refused;
use svc_core::resource::ResourceReader;

use super::record::known_accounts;
use super::run::draft;
use super::verbs::out_of_range;
use super::{
    AssetBooks, AssetRefused, DisposalAccounts, DisposeRefused, DisposeRequest, Disposed, FixedAsset,
};
use crate::books::account::AccountCode;
use crate::books::book;
use crate::books::entry::{Entry, EntryStatus, KnownAccounts};
use crate::books::journal::Posting;
use crate::ports::DynBooksUnit;
use crate::record::{Home, Opened};

/// Takes an asset out of the books that was opened [alone](crate::record::alone): posts what it lost up to the day on
/// which it leaves, what runs have only drafted with it, and the rest as a gain or a loss. Emits `fixed_asset.update`,
/// and `journal_entry.create` and `journal_entry.post` for each entry.
///
/// # Errors
/// [`Refused`] with [`AssetRefused`]; nothing was changed.
pub async fn dispose(
    opened: Opened<'_, FixedAsset>,
    request: DisposeRequest,
) -> Result<FixedAsset, Refused<AssetRefused>> {
    let (home, before) = (&opened.home, &opened.before);
    let book = book::find(home).await?;
    let books = AssetBooks::of(home, &book);
    let terms = request.read(books)?;
    before.judge_currency(books)?;
    let entry_id = || JournalEntryId::generate(home.call.now, home.call.random);
    let Disposed { asset, instalments, disposal } =
        before.clone().dispose(terms, entry_id).map_err(refused)?;
    let named = request.account_code;
    let accounts = DisposalAccounts::of(asset.class, &book.default_accounts, named);
    let accounts = accounts.map_err(|missing| Refused::Own(missing.into()))?;
    let known = known_accounts(home, &book, asset.codes().chain(named)).await?;
    asset.judge_accounts(&known)?;
    judge_proceeds(named, &known)?;
    let years = home.unit.fiscal_years().of_company(home.company.id).await?;
    let drafted = drafted(home, before).await?;
    let instalments = instalments.iter().filter_map(|instalment| draft(home, &asset, instalment, &years));
    let mut drafts: Vec<Entry> = instalments.collect();
    let last = asset.disposal_entry(&disposal, accounts).map_err(|error| out_of_range("proceeds", &error))?;
    drafts.push(last.draft(home));
    let dates: Vec<_> = drafted.iter().chain(&drafts).map(|entry| entry.date).collect();
    let mut posting = Posting::open(home, &dates).await.map_err(|refused| refused.map(AssetRefused::Post))?;
    let asset = opened.save(asset).await?;
    for draft in drafted {
        posting.post(draft).await.map_err(|refused| refused.map(AssetRefused::Post))?;
    }
    for draft in drafts {
        posting.add(draft).await.map_err(|refused| refused.map(AssetRefused::Post))?;
    }
    posting.finish().await?;
    Ok(asset)
}

/// The entries of its instalments that are drafts still, in the order of their dates.
async fn drafted(
    home: &Home<'_, DynBooksUnit>,
    asset: &FixedAsset,
) -> Result<Vec<Entry>, Refused<AssetRefused>> {
    let written: Vec<_> = asset.posted.iter().map(|instalment| instalment.entry).collect();
    let found = ResourceReader::<Entry>::find_all(home.unit.journal(), home.call.scope, &written).await?;
    let mut drafted: Vec<_> = found.into_iter().filter(|entry| entry.status == EntryStatus::Draft).collect();
    drafted.sort_by_key(|entry| (entry.date, entry.id));
    Ok(drafted)
}

/// Judges the account that takes the proceeds, where the client names one.
fn judge_proceeds(named: Option<AccountCode>, known: &KnownAccounts) -> Result<(), Refused<AssetRefused>> {
    let Some(code) = named else { return Ok(()) };
    let mut validator = Validator::new();
    match known.get(&code) {
        None => {
            let message = format!("the books have no account {code}");
            validator.fail("accountCode", "unknown_reference", message);
        }
        Some(account) => {
            let message = format!("{code} is archived");
            validator.require(account.active, "accountCode", "account_archived", message);
            let message = format!("contacts share {code}: use an account of what buyers of fixed assets owe");
            validator.require(!account.shared, "accountCode", "not_allowed", message);
            let message = format!("{code} counts a tax, and proceeds are taxes aside");
            validator.require(account.tax_role.is_none(), "accountCode", "not_allowed", message);
        }
    }
    Ok(validator.finish()?)
}

fn refused(refused: DisposeRefused) -> Refused<AssetRefused> {
    match refused {
        DisposeRefused::NotInUse { status } => Refused::Own(AssetRefused::NotInUse { status }),
        DisposeRefused::Depreciated { .. } | DisposeRefused::NotAcquired { .. } => {
            out_of_range("date", &refused)
        }
        DisposeRefused::Plan(error) => out_of_range("date", &error),
        DisposeRefused::Money(error) => out_of_range("proceeds", &error),
    }
}

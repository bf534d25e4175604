//! A depreciation run: what fixed assets lost up to a day is written into the journal, each instalment once.
//!
//! A run takes the assets whose next instalment is due, those first that are due first, and locks them: two runs do not
//! write the same instalment, and the source of each entry, its asset and period, is taken once in a company. A run
//! writes 500 entries at most and says whether more are due; the next one goes on from there.

use svc_core::error::Validator;
use svc_core::id::{FixedAssetId, JournalEntryId, TypedId as _};
use svc_core::refused::Refused;
use svc_core::resource::Lock;
use time::Date;

use super::plan::PostedInstalment;
use super::record::known_accounts;
use super::{AssetBooks, AssetRefused, Depreciated, DepreciationRunRequest, FixedAsset};
use crate::books::book::{self, Book, Mode};
use crate::books::entry::Entry;
use crate::books::fiscal_year::{FiscalYear, open_year};
use crate::books::journal::Posting;
use crate::catalogue::event;
use crate::party::calendar_date;
use crate::ports::DynBooksUnit;
use crate::record::{Home, replace};

/// Most entries of a run.
const MOST: usize = 500;
/// Most assets of a run.
const MOST_ASSETS: u32 = 200;

/// What a run did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DepreciationRun {
    /// The last day of it.
    pub through: Date,
    /// Whether its entries are posted, not only drafted.
    pub posted: bool,
    /// The assets that lost something, each with the instalments that were written.
    pub assets: Vec<Depreciated>,
    /// The assets of which nothing was written, since an entry of theirs cannot be dated where it belongs.
    pub left_out: Vec<LeftOut>,
    /// Whether more instalments are due up to that day: another run writes them.
    pub has_more: bool,
}

/// An asset of which a run wrote nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The asset.
    pub asset: FixedAssetId,
    /// Why: a lock date, or a fiscal year.
    pub refused: AssetRefused,
}

/// A run as it is asked for, judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AskedRun {
    through: Date,
    /// Whether entries are posted, not only drafted.
    pub posts: bool,
}

impl AskedRun {
    /// What the request asks for, and what the books say where it says nothing.
    ///
    /// # Errors
    /// [`Refused`]: `through` is no date.
    pub async fn of(
        home: &Home<'_, DynBooksUnit>,
        request: &DepreciationRunRequest,
    ) -> Result<Self, Refused<AssetRefused>> {
        let mut validator = Validator::new();
        let through = calendar_date(&mut validator, "through", &request.through);
        validator.finish()?;
        let usual = book::find(home).await?.automation.depreciation == Mode::Post;
        // It is there when nothing was found.
        let through = through.unwrap_or(home.call.now.date());
        Ok(Self { through, posts: request.post.unwrap_or(usual) })
    }
}

/// Writes what is due, and leaves out the assets whose entries fall into locked days or closed years, unless these are
/// all. What was lost before the books begin is written on their first day. Emits `fixed_asset.update` once for each
/// asset, and `journal_entry.create`, and `journal_entry.post`, for each entry.
///
/// # Errors
/// [`Refused`] with [`AssetRefused`], findings named by the asset: `fas_….expenseAccountCode`; nothing was changed.
pub async fn depreciate(
    home: &Home<'_, DynBooksUnit>,
    asked: AskedRun,
) -> Result<DepreciationRun, Refused<AssetRefused>> {
    let book = book::find(home).await?;
    let assets = held(home, asked.through, AssetBooks::of(home, &book)).await?;
    let years = home.unit.fiscal_years().of_company(home.company.id).await?;
    let (mut written, mut drafts, mut has_more) = (Vec::new(), Vec::new(), assets.len() > ALL);
    let mut left_out = Vec::new();
    for before in assets.into_iter().take(ALL) {
        let left = MOST.saturating_sub(drafts.len());
        let Some((through, all)) = reach(&before, asked.through, left) else {
            has_more = true;
            break;
        };
        has_more |= !all;
        let entry_id = || JournalEntryId::generate(home.call.now, home.call.random);
        // Those that are due are active and have a plan.
        let Ok(after) = before.clone().depreciate(through, entry_id) else { continue };
        if after.instalments.is_empty() {
            continue;
        }
        let entries =
            after.instalments.iter().filter_map(|instalment| draft(home, &before, instalment, &years));
        let entries: Vec<_> = entries.collect();
        if let Err(refused) = judge_dates(&book, &years, &entries) {
            left_out.push(LeftOut { asset: before.id, refused });
            continue;
        }
        drafts.extend(entries);
        written.push((before, after));
    }
    if let (true, Some(first)) = (written.is_empty(), left_out.first()) {
        return Err(Refused::Own(first.refused.clone()));
    }
    judge_accounts(home, &book, &written).await?;
    // Numbers follow the dates.
    drafts.sort_by_key(|draft: &Entry| draft.date);
    let mut assets = Vec::with_capacity(written.len());
    let dates: Vec<_> = drafts.iter().map(|draft| draft.date).collect();
    let posting = Posting::open(home, &dates).await;
    let mut posting = posting.map_err(|refused| refused.map(AssetRefused::Post))?;
    for (before, after) in written {
        let asset = replace(home.unit, home.call, &before, after.asset).await?;
        home.publish(const { event("fixed_asset.update") }, &asset, None).await?;
        assets.push(Depreciated { asset, ..after });
    }
    for draft in drafts {
        if asked.posts {
            posting.add(draft).await.map_err(|refused| refused.map(AssetRefused::Post))?;
        } else {
            // A draft that could not be posted would stay one for ever.
            posting.book.locks.judge(draft.date).map_err(|locked| Refused::Own(locked.into()))?;
            home.add::<Entry, AssetRefused>(draft).await?;
        }
    }
    posting.finish().await?;
    Ok(DepreciationRun { through: asked.through, posted: asked.posts, assets, left_out, has_more })
}

/// Judges whether the entries of an asset can have their dates.
fn judge_dates(book: &Book, years: &[FiscalYear], entries: &[Entry]) -> Result<(), AssetRefused> {
    entries.iter().try_for_each(|entry| open_year(years, entry.date).map(drop))?;
    Ok(entries.iter().try_for_each(|entry| book.locks.judge(entry.date))?)
}

/// As many assets as a run takes.
const ALL: usize = MOST_ASSETS as usize;

/// The assets with something due, one more than a run takes, which no other unit changes meanwhile.
async fn held(
    home: &Home<'_, DynBooksUnit>,
    through: Date,
    books: AssetBooks,
) -> Result<Vec<FixedAsset>, Refused<AssetRefused>> {
    let (unit, scope, company) = (home.unit, home.call.scope, home.company.id);
    let due =
        unit.fixed_assets().due(company, books.currency, through, MOST_ASSETS.saturating_add(1)).await?;
    let order: Vec<_> = due.iter().map(|asset| asset.id).collect();
    let locks: Vec<_> = order.iter().map(|id| (id.uuid(), Lock::Exclusive)).collect();
    unit.accounts().find_locked(scope, company, Lock::Shared, &locks).await?;
    // As they are once they are locked.
    let mut held = unit.fixed_assets().find_all(scope, &order).await?;
    held.sort_by_key(|asset| order.iter().position(|id| *id == asset.id));
    Ok(held)
}

/// Up to which day an asset is depreciated so that at most `left` entries are written, and whether that is all that is
/// due; `None` when nothing fits.
fn reach(asset: &FixedAsset, through: Date, left: usize) -> Option<(Date, bool)> {
    let plan = asset.plan().ok()?;
    let due: Vec<Date> = plan.due(through).map(|instalment| instalment.to).collect();
    if due.len() <= left {
        return Some((through, true));
    }
    let last = left.checked_sub(1)?;
    due.get(last).map(|last| (*last, false))
}

/// The entry of an instalment: on the last day of its period, but no sooner than the books begin.
pub(super) fn draft(
    home: &Home<'_, DynBooksUnit>,
    asset: &FixedAsset,
    instalment: &PostedInstalment,
    years: &[FiscalYear],
) -> Option<Entry> {
    let entry = asset.depreciation_entry(instalment)?.draft(home);
    let begin = years.iter().map(|year| year.span.start()).min();
    let date = begin.map_or(entry.date, |begin| entry.date.max(begin));
    Some(Entry { id: instalment.entry, date, ..entry })
}

/// Judges the accounts of all, so that a finding names its asset.
async fn judge_accounts(
    home: &Home<'_, DynBooksUnit>,
    book: &Book,
    written: &[(FixedAsset, Depreciated)],
) -> Result<(), Refused<AssetRefused>> {
    let mut validator = Validator::new();
    let known = known_accounts(home, book, written.iter().flat_map(|(asset, _)| asset.codes())).await?;
    for (asset, _) in written {
        if let Err(invalid) = asset.judge_accounts(&known) {
            validator.nest(&asset.id.to_string(), invalid);
        }
    }
    Ok(validator.finish()?)
}

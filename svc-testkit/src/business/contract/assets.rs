//! Fixed assets kept whole, found by every filter, and those that have something due.

use svc_business::books::account::CodeLength;
use svc_business::books::asset::class::AssetClass;
use svc_business::books::asset::plan::{Pattern, PostedInstalment, YearWeights};
use svc_business::books::asset::{
    AssetStatus, AssetStatusFilter, Disposal, DisposalReason, FixedAsset, FixedAssetFilter, FixedAssetSort,
};
use svc_core::money::Currency;
use svc_core::page::{Direction, Sort};
use time::Month;
use time::macros::date;

use super::books::{code, with_books};
use super::{Storage, assert_conflict, assert_taken, attempt, whole};
use crate::business::sample::{asset, at, euros, everything, extension, id, scope};

async fn put(storage: &Storage, assets: &[FixedAsset]) {
    let unit = storage.begin().await.expect("begin");
    for asset in assets {
        unit.fixed_assets().insert(&everything(), asset).await.expect("insert an asset");
    }
    unit.commit().await.expect("commit");
}

/// Every member of an asset comes back, in each status and of each kind of plan; a code is had once.
pub async fn an_asset_comes_back_whole(storage: Storage) {
    let (company, _, _) = with_books(&storage).await;
    let mut first = asset(company.id, 30, date!(2025 - 01 - 15));
    first.code = Some("IT-1".to_owned());
    first.extension = extension("asset");
    if let Some(schedule) = &mut first.terms.schedule {
        schedule.pattern = Pattern::SumOfYears(YearWeights::Ascending);
        schedule.year_start = Month::April;
    }
    let mut land = asset(company.id, 31, date!(2025 - 01 - 15));
    land.class = AssetClass::Land;
    land.terms.schedule = None;
    land.accounts = AssetClass::Land.accounts(CodeLength::default());
    land.status = AssetStatus::Draft;
    put(&storage, &[first.clone(), land.clone()]).await;
    let find =
        async |asset: &FixedAsset| storage.fixed_assets().find(&everything(), asset.id).await.expect("find");
    assert_eq!((find(&first).await, find(&land).await), (Some(first.clone()), Some(land.clone())));
    assert_eq!(storage.fixed_assets().find(&scope(&[id(2)]), first.id).await.expect("find"), None);
    let posted = |period, from, to, number| PostedInstalment {
        period,
        from,
        to,
        amount: euros(2_500),
        entry: id(number),
    };
    let instalments = vec![
        posted(1, date!(2025 - 01 - 15), date!(2025 - 01 - 31), 40),
        posted(2, date!(2025 - 02 - 01), date!(2025 - 02 - 28), 41),
    ];
    let lost = FixedAsset { posted: instalments, version: first.version.next(), ..first.clone() };
    attempt!(storage, |unit| unit.fixed_assets().replace(&everything(), &first, &lost)).expect("replace");
    assert_eq!(find(&first).await, Some(lost.clone()));
    assert_conflict(&attempt!(storage, |unit| unit.fixed_assets().replace(&everything(), &first, &lost)));
    let disposal = Disposal {
        date: date!(2025 - 03 - 01),
        proceeds: euros(100),
        reason: DisposalReason::Sold,
        gain_loss: euros(-114_900),
    };
    let gone = FixedAsset {
        status: AssetStatus::Disposed { disposal },
        version: lost.version.next(),
        ..lost.clone()
    };
    attempt!(storage, |unit| unit.fixed_assets().replace(&everything(), &lost, &gone)).expect("replace");
    assert_eq!(find(&first).await, Some(gone.clone()));
    let twice = FixedAsset { code: gone.code.clone(), ..asset(company.id, 32, date!(2025 - 01 - 15)) };
    assert_taken(&attempt!(storage, |unit| unit.fixed_assets().insert(&everything(), &twice)), "assetCode");
    let same =
        FixedAsset { extension: gone.extension.clone(), ..asset(company.id, 33, date!(2025 - 01 - 15)) };
    assert_taken(&attempt!(storage, |unit| unit.fixed_assets().insert(&everything(), &same)), "externalId");
    attempt!(storage, |unit| unit.fixed_assets().erase(&everything(), &land)).expect("erase");
    assert_eq!(find(&land).await, None);
    assert!(storage.accounts().has_entries(company.id).await.expect("read"), "assets are in its books");
    assert!(!storage.accounts().has_entries(id(2)).await.expect("read"));
}

/// Assets are found by every filter, in every order.
pub async fn every_filter_and_order_of_assets_holds(storage: Storage) {
    let (company, _, _) = with_books(&storage).await;
    let early = FixedAsset { name: "Silla".to_owned(), ..asset(company.id, 30, date!(2024 - 05 - 01)) };
    let mut late = asset(company.id, 31, date!(2025 - 02 - 01));
    "Ñandú".clone_into(&mut late.name);
    late.code = Some("Z-31".to_owned());
    late.class = AssetClass::Vehicles;
    late.status = AssetStatus::Draft;
    late.extension = extension("late");
    late.updated_at = at(90);
    put(&storage, &[early.clone(), late.clone()]).await;
    let of = FixedAssetFilter { companies: vec![company.id], ..FixedAssetFilter::default() };
    let list = async |filter: FixedAssetFilter, sort| {
        let page =
            storage.fixed_assets().page(&everything(), &filter, &Sort(sort), whole()).await.expect("page");
        assert_eq!(page.total, u64::try_from(page.items.len()).expect("few"));
        page.items.iter().map(|asset| asset.id).collect::<Vec<_>>()
    };
    for filter in [
        FixedAssetFilter { status: Some(AssetStatusFilter::Draft), ..of.clone() },
        FixedAssetFilter { class: Some(AssetClass::Vehicles), ..of.clone() },
        FixedAssetFilter { text: Some("ñandu".to_owned()), ..of.clone() },
        FixedAssetFilter { text: Some("z-31".to_owned()), ..of.clone() },
        FixedAssetFilter { external_id: late.extension.external_id.clone(), ..of.clone() },
        FixedAssetFilter { updated_since: Some(at(90)), ..of.clone() },
        FixedAssetFilter { from: Some(date!(2025 - 01 - 01)), ..of.clone() },
        FixedAssetFilter { from: Some(date!(2025 - 02 - 01)), to: Some(date!(2025 - 02 - 01)), ..of.clone() },
    ] {
        assert_eq!(list(filter.clone(), None).await, [late.id], "{filter:?}");
    }
    let to = FixedAssetFilter { to: Some(date!(2025 - 01 - 31)), ..of.clone() };
    assert_eq!(list(to, None).await, [early.id]);
    let (up, down) = (Direction::Ascending, Direction::Descending);
    for (sort, wanted) in [
        (Some((FixedAssetSort::Name, up)), [early.id, late.id]),
        (Some((FixedAssetSort::AcquisitionDate, up)), [early.id, late.id]),
        (Some((FixedAssetSort::AcquisitionDate, down)), [late.id, early.id]),
        (Some((FixedAssetSort::UpdatedAt, down)), [late.id, early.id]),
        (None, [early.id, late.id]),
    ] {
        assert_eq!(list(of.clone(), sort).await, wanted, "{sort:?}");
    }
    let other = FixedAssetFilter { companies: vec![id(2)], ..of };
    assert!(list(other, None).await.is_empty());
}

/// Active assets with an instalment that is due come first that are due first.
pub async fn what_is_due_comes_in_its_order(storage: Storage) {
    let (company, _, _) = with_books(&storage).await;
    let march = asset(company.id, 30, date!(2025 - 03 - 10));
    let january = asset(company.id, 31, date!(2025 - 01 - 10));
    let draft = FixedAsset { status: AssetStatus::Draft, ..asset(company.id, 32, date!(2025 - 01 - 10)) };
    put(&storage, &[march.clone(), january.clone(), draft]).await;
    let due = async |through, limit| {
        let due = storage.fixed_assets().due(company.id, Currency::EUR, through, limit).await.expect("due");
        due.iter().map(|asset| asset.id).collect::<Vec<_>>()
    };
    assert!(due(date!(2025 - 01 - 30), 10).await.is_empty());
    assert_eq!(due(date!(2025 - 01 - 31), 10).await, [january.id]);
    assert_eq!(due(date!(2025 - 03 - 31), 10).await, [january.id, march.id]);
    assert_eq!(due(date!(2025 - 03 - 31), 1).await, [january.id]);
    let usd = "USD".parse::<Currency>().expect("a currency");
    let usd = storage.fixed_assets().due(company.id, usd, date!(2025 - 03 - 31), 10).await.expect("due");
    assert!(usd.is_empty());
    let first = PostedInstalment {
        period: 1,
        from: date!(2025 - 01 - 10),
        to: date!(2025 - 01 - 31),
        amount: euros(1_774),
        entry: id(40),
    };
    let lost = FixedAsset { posted: vec![first], version: january.version.next(), ..january.clone() };
    attempt!(storage, |unit| unit.fixed_assets().replace(&everything(), &january, &lost)).expect("replace");
    assert!(due(date!(2025 - 01 - 31), 10).await.is_empty());
    assert_eq!(due(date!(2025 - 02 - 28), 10).await, [january.id]);
    assert_eq!(code("2170000"), january.accounts.asset);
}

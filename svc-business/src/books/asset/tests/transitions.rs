use super::*;

#[test]
fn a_draft_is_activated_once() {
    let asset = active();
    assert_eq!((asset.status, asset.posted.len()), (AssetStatus::Active, 0));
    assert_eq!(asset.activate(&known()), Err(ActivateRefused::NotDraft { status: "active" }));
}

#[test]
fn an_asset_is_activated_when_its_accounts_take_entries() {
    let refused = |change: fn(&mut KnownAccounts)| {
        let mut accounts = known();
        change(&mut accounts);
        match draft().activate(&accounts) {
            Err(ActivateRefused::Invalid(errors)) => findings::<()>(Err(errors)),
            other => panic!("expected findings, not {other:?}"),
        }
    };
    let missing = refused(|accounts| {
        accounts.remove(&code("2170000"));
    });
    assert_eq!(missing, ["assetAccountCode unknown_reference"]);
    let archived = refused(|accounts| accounts.get_mut(&code("2817000")).expect("known").active = false);
    assert_eq!(archived, ["accumulatedAccountCode account_archived"]);
    let heading = refused(|accounts| accounts.get_mut(&code("6810000")).expect("known").postable = false);
    assert_eq!(heading, ["expenseAccountCode account_not_postable"]);
}

#[test]
fn what_was_lost_before_the_books_began_can_be_all() {
    let migrated = FixedAssetInput { opening_accumulated: Patch::Value("1200.00".to_owned()), ..laptop() };
    let asset = create(&migrated).expect("a draft").activate(&known()).expect("in use");
    assert_eq!(asset.status, AssetStatus::FullyDepreciated);
    assert_eq!((asset.carrying(), asset.depreciated_through()), (Ok(euros("0.00")), None));
}

#[test]
fn a_run_posts_each_instalment_once() {
    let Depreciated { asset, instalments } =
        active().depreciate(date!(2025 - 03 - 30), ids()).expect("active");
    let periods: Vec<u32> = instalments.iter().map(|instalment| instalment.period).collect();
    assert_eq!(periods, [1, 2]);
    assert_eq!(asset.depreciated_through(), Some(date!(2025 - 02 - 28)));
    assert_eq!((asset.accumulated(), asset.carrying()), (Ok(euros("50.00")), Ok(euros("1150.00"))));
    let again = asset.clone().depreciate(date!(2025 - 03 - 30), ids()).expect("active");
    assert_eq!(again, Depreciated { asset, instalments: Vec::new() });
}

#[test]
fn an_asset_that_has_lost_all_is_fully_depreciated() {
    let asset = depreciated(active(), date!(2028 - 12 - 31));
    assert_eq!((asset.status, asset.posted.len()), (AssetStatus::FullyDepreciated, 48));
    let refused = DepreciateRefused::NotActive { status: "fully_depreciated" };
    assert_eq!(asset.depreciate(date!(2030 - 12 - 31), ids()), Err(refused));
}

#[test]
fn a_draft_loses_no_value_and_does_not_leave() {
    let refused = DepreciateRefused::NotActive { status: "draft" };
    assert_eq!(draft().depreciate(date!(2025 - 12 - 31), ids()), Err(refused));
    let refused = DisposeRefused::NotInUse { status: "draft" };
    assert_eq!(draft().dispose(sold(date!(2025 - 12 - 31), "1.00"), ids()), Err(refused));
}

#[test]
fn an_asset_that_leaves_has_lost_value_up_to_that_day() {
    let asset = depreciated(active(), date!(2025 - 02 - 28));
    let Disposed { asset, instalments, disposal } =
        asset.dispose(sold(date!(2025 - 04 - 15), "1000.00"), ids()).expect("disposed");
    let lost: Vec<(Date, Amount)> = instalments.iter().map(|one| (one.to, one.amount)).collect();
    assert_eq!(lost, [(date!(2025 - 03 - 31), euros("25.00")), (date!(2025 - 04 - 15), euros("12.50"))]);
    // 1,200.00 without 87.50 are 1,112.50.
    assert_eq!(disposal.gain_loss, euros("-112.50"));
    assert_eq!(asset.status, AssetStatus::Disposed { disposal });
    assert_eq!(asset.plan().expect("a plan").instalments.len(), 4);
    let refused = DisposeRefused::NotInUse { status: "disposed" };
    assert_eq!(asset.dispose(sold(date!(2025 - 05 - 01), "1.00"), ids()), Err(refused));
}

#[test]
fn an_asset_leaves_neither_before_it_came_nor_before_what_is_posted() {
    let asset = depreciated(active(), date!(2025 - 03 - 31));
    let refused = DisposeRefused::Depreciated { through: date!(2025 - 03 - 31) };
    assert_eq!(asset.clone().dispose(sold(date!(2025 - 03 - 30), "1.00"), ids()), Err(refused));
    assert!(
        asset.dispose(sold(date!(2025 - 03 - 31), "1.00"), ids()).expect("disposed").instalments.is_empty()
    );
    let refused = DisposeRefused::NotAcquired { acquired_on: date!(2025 - 01 - 01) };
    assert_eq!(active().dispose(sold(date!(2024 - 12 - 31), "1.00"), ids()), Err(refused));
}

#[test]
fn land_is_in_use_without_losing_value() {
    let land = FixedAssetInput { asset_class: Patch::Value(class::AssetClass::Land), ..laptop() };
    let land = create(&land).expect("a draft").activate(&known()).expect("active");
    let run = land.depreciate(date!(2099 - 12 - 31), ids()).expect("active");
    assert_eq!((run.asset.status, run.instalments.len()), (AssetStatus::Active, 0));
    let disposed = run.asset.dispose(sold(date!(2030 - 01 - 01), "1500.00"), ids()).expect("disposed");
    assert_eq!(disposed.disposal.gain_loss, euros("300.00"));
}

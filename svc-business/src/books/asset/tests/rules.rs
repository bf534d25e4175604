use serde_json::json;
use svc_core::wire::{MergePatch as _, Verb};

use super::super::class::{AssetClass, AssetWarning};
use super::super::plan::{Frequency, Method};
use super::*;

fn with(changes: &serde_json::Value) -> FixedAssetInput {
    let mut laptop = json!({
        "name": "Laptop", "assetClass": "it_equipment", "acquisitionDate": "2025-01-01", "cost": "1200.00",
    });
    let members = laptop.as_object_mut().expect("an object");
    members.extend(changes.as_object().expect("an object").clone());
    input(laptop)
}

fn patched(asset: &FixedAsset, changes: serde_json::Value) -> Result<FixedAsset, ValidationErrors> {
    asset.patch(&input(changes), books())
}

#[test]
fn a_class_says_what_is_usual() {
    let laptop = create(&with(&json!({}))).expect("a draft");
    let schedule = laptop.terms.schedule.expect("it loses value");
    assert_eq!((schedule.life.months(), schedule.frequency), (48, Frequency::Yearly));
    assert_eq!(schedule.pattern.method(), Method::StraightLine);
    assert_eq!(laptop.accounts, AssetClass::ItEquipment.accounts(CodeLength::default()));
    assert_eq!((laptop.terms.in_service, laptop.terms.residual), (date!(2025 - 01 - 01), euros("0.00")));
    assert_eq!((laptop.status, laptop.warning()), (AssetStatus::Draft, None));
    let land = create(&with(&json!({ "assetClass": "land" }))).expect("a draft");
    assert_eq!((land.terms.schedule, land.accounts.depreciation), (None, None));
}

#[test]
fn a_life_that_is_too_short_is_worth_a_warning_and_no_refusal() {
    let short = create(&with(&json!({ "usefulLifeMonths": 24 }))).expect("a draft");
    assert_eq!(short.warning(), Some(AssetWarning::ExceedsTaxTable));
}

#[test]
fn what_is_missing_is_named() {
    let missing = findings(create(&FixedAssetInput::default()));
    assert_eq!(
        missing,
        ["name required", "assetClass required", "acquisitionDate required", "cost required"]
    );
}

#[test]
fn each_broken_rule_is_named_by_its_field() {
    for (changes, wanted) in [
        (json!({ "name": " " }), "name required"),
        (json!({ "code": "x".repeat(51) }), "code too_long"),
        (json!({ "acquisitionDate": "2025-02-30" }), "acquisitionDate invalid_date"),
        (json!({ "inServiceDate": "2024-12-31" }), "inServiceDate out_of_range"),
        (json!({ "cost": "12" }), "cost invalid_amount"),
        (json!({ "cost": "0.00" }), "cost out_of_range"),
        (json!({ "cost": "-1.00" }), "cost out_of_range"),
        (json!({ "residualValue": "1200.01" }), "residualValue out_of_range"),
        (json!({ "openingAccumulated": "1200.01" }), "openingAccumulated out_of_range"),
        (json!({ "usefulLifeMonths": 0 }), "usefulLifeMonths out_of_range"),
        (json!({ "usefulLifeMonths": 70_000 }), "usefulLifeMonths out_of_range"),
        (json!({ "acquisitionDate": "9999-01-01" }), "usefulLifeMonths out_of_range"),
        (json!({ "assetClass": "furniture", "method": "declining_balance" }), "method not_allowed"),
        (json!({ "assetClass": "land", "method": "straight_line" }), "method not_allowed"),
        (json!({ "assetClass": "land", "openingAccumulated": "1.00" }), "openingAccumulated not_allowed"),
        (json!({ "assetClass": "land", "expenseAccountCode": "6810000" }), "expenseAccountCode not_allowed"),
        (json!({ "method": "none", "usefulLifeMonths": 12 }), "usefulLifeMonths not_allowed"),
        (json!({ "assetAccountCode": "217" }), "assetAccountCode account_not_postable"),
        (json!({ "externalId": "" }), "externalId required"),
    ] {
        assert_eq!(findings(create(&with(&changes))), [wanted], "{changes}");
    }
}

#[test]
fn a_draft_changes_as_a_whole() {
    let changes = json!({
        "assetClass": "vehicles", "cost": "9000.00", "residualValue": "900.00", "method": "sum_of_years",
        "yearWeights": "ascending", "frequency": "quarterly", "proration": "full_month",
        "accumulatedAccountCode": "2818001", "inServiceDate": "2025-02-15",
    });
    let vehicle = patched(&draft(), changes).expect("a draft");
    let accounts = AssetClass::Vehicles.accounts(CodeLength::default());
    assert_eq!(vehicle.accounts.asset, accounts.asset);
    let depreciation = vehicle.accounts.depreciation.expect("it loses value");
    assert_eq!(depreciation.accumulated, code("2818001"));
    // What is not named stays; null brings the usual back.
    assert_eq!(vehicle.terms.schedule.map(|schedule| schedule.life.months()), Some(48));
    let usual = json!({ "usefulLifeMonths": null, "accumulatedAccountCode": null, "residualValue": null });
    let usual = patched(&vehicle, usual).expect("a draft");
    assert_eq!(usual.terms.schedule.map(|schedule| schedule.life.months()), Some(75));
    assert_eq!((usual.accounts, usual.terms.residual), (accounts, euros("0.00")));
}

#[test]
fn only_estimates_change_once_an_asset_is_active() {
    let asset = active();
    for (changes, field) in [
        (
            json!({ "assetClass": "tools", "assetAccountCode": "2170000", "accumulatedAccountCode": "2817000" }),
            "assetClass",
        ),
        (json!({ "acquisitionDate": "2024-12-31" }), "acquisitionDate"),
        (json!({ "inServiceDate": "2025-01-02" }), "inServiceDate"),
        (json!({ "cost": "1300.00" }), "cost"),
        (json!({ "openingAccumulated": "1.00" }), "openingAccumulated"),
        (json!({ "method": "declining_balance" }), "method"),
        (json!({ "frequency": "yearly" }), "frequency"),
        (json!({ "proration": "full_month" }), "proration"),
        (json!({ "assetAccountCode": "2160000" }), "assetAccountCode"),
        (json!({ "accumulatedAccountCode": "2816000" }), "accumulatedAccountCode"),
        (json!({ "expenseAccountCode": "6820000" }), "expenseAccountCode"),
    ] {
        assert_eq!(findings(patched(&asset, changes)), [format!("{field} not_allowed")]);
    }
    // What is as it was changes nothing.
    assert_eq!(patched(&asset, json!({ "cost": "1200.00", "frequency": "monthly" })), Ok(asset.clone()));
    let changes =
        json!({ "name": "Old laptop", "code": "IT-1", "residualValue": "100.00", "usefulLifeMonths": 60 });
    let renamed = patched(&asset, changes).expect("active");
    assert_eq!((renamed.name.as_str(), renamed.code.as_deref()), ("Old laptop", Some("IT-1")));
    assert_eq!(renamed.terms.residual, euros("100.00"));
}

#[test]
fn a_change_of_an_estimate_looks_forward() {
    let asset = depreciated(active(), date!(2025 - 12 - 31));
    let changed = patched(&asset, json!({ "usefulLifeMonths": 72 })).expect("active");
    assert_eq!(changed.posted, asset.posted);
    let plan = changed.plan().expect("a plan");
    // 300.00 are posted; 900.00 are left for 60 months.
    assert!(plan.instalments[12..].iter().all(|instalment| instalment.amount == euros("15.00")));
    let beyond = patched(&asset, json!({ "residualValue": "900.01" }));
    assert_eq!(findings(beyond), ["residualValue out_of_range"]);
    let spent = patched(&asset, json!({ "residualValue": "900.00" })).expect("in use");
    assert_eq!(spent.status, AssetStatus::FullyDepreciated);
    let revived = patched(&spent, json!({ "residualValue": "0.00" })).expect("in use");
    assert_eq!(revived, asset);
}

#[test]
fn of_an_asset_that_has_left_only_its_name_and_code_change() {
    let left = active().dispose(sold(date!(2025 - 06 - 30), "500.00"), ids()).expect("disposed").asset;
    for (changes, field) in [
        (json!({ "residualValue": "1.00" }), "residualValue"),
        (json!({ "usefulLifeMonths": 60 }), "usefulLifeMonths"),
    ] {
        assert_eq!(findings(patched(&left, changes)), [format!("{field} not_allowed")]);
    }
    let renamed = patched(&left, json!({ "name": "Sold laptop" })).expect("disposed");
    assert_eq!(renamed.status, left.status);
}

#[test]
fn the_input_declares_what_the_service_computes() {
    let read_only = Verb::Update.read_only::<FixedAssetInput>();
    for name in
        ["companyId", "status", "accumulatedDepreciation", "carryingAmount", "depreciatedThrough", "disposal"]
    {
        assert!(read_only.contains(&name.to_owned()), "{name}");
    }
    assert_eq!(FixedAssetInput::NAME, "FixedAsset");
    let cleared = input(json!({ "code": null }));
    assert_eq!(cleared.code, Patch::Null);
}

#[test]
fn a_disposal_is_read_from_its_request() {
    let read = |json| serde_json::from_value::<DisposeRequest>(json).expect("a request").read(books());
    let terms = read(json!({ "date": "2025-06-30", "reason": "scrapped" })).expect("terms");
    let wanted = DisposalTerms {
        date: date!(2025 - 06 - 30),
        proceeds: euros("0.00"),
        reason: DisposalReason::Scrapped,
    };
    assert_eq!(terms, wanted);
    let broken = json!({ "date": "soon", "reason": "sold", "proceeds": "-1.00", "accountCode": "572" });
    let wanted = ["date invalid_date", "proceeds out_of_range", "accountCode account_not_postable"];
    assert_eq!(findings(read(broken)), wanted);
}

//! A model of an asset's life: what steps are refused, and what the others leave in the books.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::json;
use time::Duration;

use super::*;

#[derive(Clone, Debug)]
enum Step {
    Activate,
    Cost(i64),
    Residual(i64),
    Life(u16),
    Depreciate(i64),
    Dispose(i64, i64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let days = 0_i64..2_500;
    let step = prop_oneof![
        2 => Just(Step::Activate),
        1 => (1_i64..300_000).prop_map(Step::Cost),
        2 => (0_i64..300_000).prop_map(Step::Residual),
        2 => (1_u16..=120).prop_map(Step::Life),
        5 => days.clone().prop_map(Step::Depreciate),
        1 => (days, 0_i64..300_000).prop_map(|(days, proceeds)| Step::Dispose(days, proceeds)),
    ];
    prop::collection::vec(step, 1..24)
}

/// Drafts of several methods and frequencies, some of which had lost value before.
fn drafts() -> impl Strategy<Value = FixedAsset> {
    let method = prop::sample::select(vec!["straight_line", "declining_balance", "sum_of_years", "none"]);
    let frequency = prop::sample::select(vec!["monthly", "quarterly", "yearly"]);
    let proration = prop::sample::select(vec!["daily", "full_month"]);
    (method, frequency, proration, 0_i64..300, 0_i64..100_000).prop_map(
        |(method, frequency, proration, day, opening)| {
            let date = date!(2025 - 01 - 01) + Duration::days(day);
            let asset = json!({
                "name": "Press", "assetClass": "machinery", "acquisitionDate": date.to_string(),
                "cost": "2500.00", "method": method, "frequency": frequency, "proration": proration,
                "openingAccumulated": written(opening),
            });
            create(&input(asset)).expect("a draft")
        },
    )
}

fn written(minor: i64) -> String {
    cents(minor).to_string()
}

fn cents(minor: i64) -> Amount {
    Amount::from_minor(minor, Currency::EUR).expect("in range")
}

fn day(days: i64) -> Date {
    date!(2025 - 01 - 01) + Duration::days(days)
}

/// What the entries of an asset left on each account, in minor units.
#[derive(Default)]
struct Ledger {
    balances: BTreeMap<AccountCode, i64>,
    sources: Vec<String>,
}

impl Ledger {
    fn post(&mut self, entry: &AssetEntry) -> Result<(), TestCaseError> {
        prop_assert!(entry.lines.len() >= 2);
        prop_assert_eq!(entry.lines.iter().map(|line| line.movement.signed().minor()).sum::<i64>(), 0);
        let source = entry.source.to_string();
        prop_assert!(!self.sources.contains(&source), "{} is posted twice", source);
        self.sources.push(source);
        for line in &entry.lines {
            *self.balances.entry(line.account).or_default() += line.movement.signed().minor();
        }
        Ok(())
    }

    fn balance(&self, account: AccountCode) -> i64 {
        self.balances.get(&account).copied().unwrap_or_default()
    }
}

/// The asset after a step, its entries posted; `None` when the step was refused.
fn take(
    asset: &FixedAsset,
    step: &Step,
    ledger: &mut Ledger,
    next: &mut u128,
) -> Result<Option<FixedAsset>, TestCaseError> {
    let entry_id = || {
        *next += 1;
        id(*next)
    };
    let patch = |changes| Ok(asset.patch(&input(changes), books()).ok());
    match step {
        Step::Activate => Ok(asset.clone().activate(&known()).ok()),
        Step::Cost(minor) => patch(json!({ "cost": written(*minor) })),
        Step::Residual(minor) => patch(json!({ "residualValue": written(*minor) })),
        Step::Life(months) => patch(json!({ "usefulLifeMonths": months })),
        Step::Depreciate(days) => {
            let Ok(Depreciated { asset, instalments }) = asset.clone().depreciate(day(*days), entry_id)
            else {
                return Ok(None);
            };
            prop_assert!(instalments.iter().all(|instalment| instalment.to <= day(*days)));
            for instalment in &instalments {
                ledger.post(&asset.depreciation_entry(instalment).expect("it loses value"))?;
            }
            Ok(Some(asset))
        }
        Step::Dispose(days, minor) => {
            let terms = sold(day(*days), &written(*minor));
            let Ok(Disposed { asset, instalments, disposal }) = asset.clone().dispose(terms, entry_id) else {
                return Ok(None);
            };
            for instalment in &instalments {
                ledger.post(&asset.depreciation_entry(instalment).expect("it loses value"))?;
            }
            let entry = asset.disposal_entry(&disposal, disposal_accounts(&asset)).expect("in range");
            ledger.post(&entry)?;
            Ok(Some(asset))
        }
    }
}

/// Whether the rules say that a step is taken.
fn is_taken(asset: &FixedAsset, step: &Step) -> bool {
    let (terms, gone) = (&asset.terms, asset.accumulated().expect("in range").minor());
    let status = asset.status.name();
    let in_use = matches!(status, "active" | "fully_depreciated");
    match step {
        Step::Activate => status == "draft",
        Step::Cost(minor) => match status {
            "draft" => *minor >= terms.residual.minor() + terms.opening_accumulated.minor(),
            _ => *minor == terms.cost.minor(),
        },
        Step::Residual(minor) => match status {
            "disposed" => *minor == terms.residual.minor(),
            _ => *minor <= terms.cost.minor() - gone,
        },
        Step::Life(months) => match terms.schedule {
            None => false,
            Some(schedule) => status != "disposed" || schedule.life.months() == *months,
        },
        Step::Depreciate(_) => status == "active",
        Step::Dispose(days, _) => {
            let after = asset.depreciated_through().is_none_or(|through| day(*days) >= through);
            in_use && after && day(*days) >= asset.acquired_on
        }
    }
}

fn check(asset: &FixedAsset, ledger: &Ledger) -> Result<(), TestCaseError> {
    let terms = &asset.terms;
    let gone = asset.accumulated().expect("in range").minor();
    let whole = terms.depreciable().expect("in range").minor();
    let posted: i64 = asset.posted.iter().map(|instalment| instalment.amount.minor()).sum();
    prop_assert_eq!(asset.carrying().expect("in range").minor(), terms.cost.minor() - gone);
    prop_assert!(gone <= whole);
    prop_assert!(asset.posted.is_sorted_by(|left, right| left.to < right.from && left.period < right.period));
    let accounts = asset.accounts.depreciation.expect("machinery loses value");
    prop_assert_eq!(ledger.balance(accounts.expense), posted);
    let plan: i64 = asset.plan().expect("a plan").instalments.iter().map(|one| one.amount.minor()).sum();
    match asset.status {
        AssetStatus::Draft => prop_assert_eq!(posted, 0),
        AssetStatus::Active => prop_assert!(gone < whole || terms.schedule.is_none()),
        AssetStatus::FullyDepreciated => prop_assert_eq!(gone, whole),
        AssetStatus::Disposed { disposal } => {
            prop_assert_eq!(plan, posted);
            // The cost and what was lost before came into the books on other ways, and all of it went out again.
            prop_assert_eq!(ledger.balance(asset.accounts.asset), -terms.cost.minor());
            prop_assert_eq!(ledger.balance(accounts.accumulated), terms.opening_accumulated.minor());
            let result = ledger.balance(code("7710000")) + ledger.balance(code("6710000"));
            prop_assert_eq!(result, -disposal.gain_loss.minor());
            return Ok(());
        }
    }
    prop_assert_eq!(ledger.balance(accounts.accumulated), -posted);
    prop_assert_eq!(
        plan,
        if terms.schedule.is_some() { whole - terms.opening_accumulated.minor() } else { 0 }
    );
    Ok(())
}

proptest! {
    #[test]
    fn an_asset_lives_as_its_rules_say(draft in drafts(), steps in steps()) {
        let (mut asset, mut ledger, mut next) = (draft, Ledger::default(), 1_000);
        for step in &steps {
            let before = asset.posted.clone();
            let taken = take(&asset, step, &mut ledger, &mut next)?;
            prop_assert_eq!(taken.is_some(), is_taken(&asset, step), "{:?} in {}", step, asset.status.name());
            asset = taken.unwrap_or(asset);
            // What is posted stays as it is.
            prop_assert_eq!(&asset.posted[..before.len()], &before[..]);
            check(&asset, &ledger)?;
        }
    }
}

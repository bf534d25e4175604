use super::class::AssetClass;
use super::*;
use crate::books::default_accounts::{MissingAccount, Purpose};
use crate::books::entry::EntryKind;

fn written(entry: &AssetEntry) -> Vec<String> {
    entry.lines.iter().map(|line| format!("{} {}", line.account, line.movement.signed())).collect()
}

#[test]
fn an_instalment_is_an_expense_against_what_is_lost_in_all() {
    let Depreciated { asset, instalments } =
        active().depreciate(date!(2025 - 01 - 31), ids()).expect("active");
    let entry = asset.depreciation_entry(&instalments[0]).expect("it loses value");
    assert_eq!(written(&entry), ["6810000 25.00", "2817000 -25.00"]);
    assert_eq!((entry.kind, entry.date), (EntryKind::Depreciation, date!(2025 - 01 - 31)));
    assert_eq!(entry.description, "Amortización de Laptop: 2025-01-01 a 2025-01-31");
    assert_eq!(entry.source.to_string(), format!("fixed_asset/{}/depreciation-1", asset.id));
}

/// The lines of the disposal of the laptop in the middle of its life, when it is worth 600.00.
fn disposed(proceeds: &str) -> Vec<String> {
    let asset = depreciated(active(), date!(2026 - 12 - 31));
    let Disposed { asset, disposal, .. } =
        asset.dispose(sold(date!(2026 - 12 - 31), proceeds), ids()).expect("disposed");
    let entry = asset.disposal_entry(&disposal, disposal_accounts(&asset)).expect("in range");
    assert_eq!((entry.kind, entry.date), (EntryKind::Disposal, date!(2026 - 12 - 31)));
    assert_eq!(entry.source.role(), "disposal");
    written(&entry)
}

#[test]
fn a_disposal_takes_the_asset_out_and_shows_what_was_won_or_lost() {
    let won = disposed("700.00");
    assert_eq!(won, ["2817000 600.00", "5430000 700.00", "2170000 -1200.00", "7710000 -100.00"]);
    let lost = disposed("450.00");
    assert_eq!(lost, ["2817000 600.00", "5430000 450.00", "2170000 -1200.00", "6710000 150.00"]);
    // Nothing is written down of what is zero.
    assert_eq!(disposed("600.00"), ["2817000 600.00", "5430000 600.00", "2170000 -1200.00"]);
    assert_eq!(disposed("0.00"), ["2817000 600.00", "2170000 -1200.00", "6710000 600.00"]);
}

#[test]
fn each_kind_of_asset_has_its_accounts_of_gains_and_losses() {
    let defaults = DefaultAccounts::of(Chart::EsPgcPymes, CodeLength::default());
    let of =
        |class| DisposalAccounts::of(class, &defaults, Some(code("5720000"))).expect("the chart has all");
    for (class, gain, loss) in [
        (AssetClass::Software, "7700000", "6700000"),
        (AssetClass::Vehicles, "7710000", "6710000"),
        (AssetClass::Land, "7710000", "6710000"),
        (AssetClass::InvestmentProperty, "7720000", "6720000"),
    ] {
        let wanted = DisposalAccounts { proceeds: code("5720000"), gain: code(gain), loss: code(loss) };
        assert_eq!(of(class), wanted, "{class}");
    }
    let without = defaults.with(Purpose::TangibleDisposalLoss, None);
    let missing = MissingAccount { purpose: Purpose::TangibleDisposalLoss };
    assert_eq!(DisposalAccounts::of(AssetClass::Tools, &without, None), Err(missing));
}

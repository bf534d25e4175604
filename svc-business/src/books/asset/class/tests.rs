use super::*;
use crate::books::account::NormalBalance;
use crate::books::chart::Chart;

fn life(months: u16) -> Life {
    Life::new(months).expect("in range")
}

#[test]
fn every_class_is_in_the_table_once() {
    let classes: Vec<AssetClass> = TABLE.iter().map(|row| row.class).collect();
    assert_eq!(classes, AssetClass::ALL);
}

#[test]
fn each_account_of_a_class_is_in_the_chart_and_takes_entries() {
    for digits in 6..=12 {
        let length = CodeLength::new(digits).expect("in range");
        let find = |code| Chart::EsPgcPymes.find(code, length).filter(|account| account.postable);
        for class in AssetClass::ALL {
            let AssetAccounts { asset, depreciation } = class.accounts(length);
            assert!(find(asset).is_some(), "{class} {asset}");
            if let Some(DepreciationAccounts { accumulated, expense }) = depreciation {
                let accumulated = find(accumulated).unwrap_or_else(|| panic!("{class} {accumulated}"));
                assert_eq!(accumulated.normal_balance, NormalBalance::Credit);
                assert!(find(expense).is_some(), "{class} {expense}");
            }
        }
    }
}

#[test]
fn software_is_written_off_to_680() {
    let accounts = AssetClass::Software.accounts(CodeLength::default());
    let depreciation = accounts.depreciation.expect("software loses value");
    assert_eq!(accounts.asset.as_str(), "2060000");
    assert_eq!(depreciation.accumulated.as_str(), "2806000");
    assert_eq!(depreciation.expense.as_str(), "6800000");
}

#[test]
fn a_life_that_is_too_short_for_the_tax_table_is_worth_a_warning() {
    // 25 % a year are 48 months.
    let equipment = AssetClass::ItEquipment;
    assert_eq!(equipment.warning(life(48)), None);
    assert_eq!(equipment.warning(life(47)), Some(AssetWarning::ExceedsTaxTable));
    assert_eq!(AssetClass::Land.warning(life(1)), None);
    assert_eq!(AssetWarning::ExceedsTaxTable.name(), "exceeds_tax_table");
}

#[test]
fn an_asset_that_names_no_life_has_the_shortest_that_is_worth_no_warning() {
    for class in AssetClass::ALL {
        let Some(default) = class.default_life() else {
            assert_eq!(class, AssetClass::Land);
            continue;
        };
        assert_eq!(class.warning(default), None, "{class}");
        assert!(class.warning(life(default.months() - 1)).is_some(), "{class}");
        let longest = class.tax_limit().map(|limit| limit.years * 12);
        assert!(longest >= Some(default.months()), "{class}");
    }
}

#[test]
fn buildings_and_furniture_do_not_decline_and_land_loses_nothing() {
    assert!(AssetClass::Vehicles.allows(Method::DecliningBalance));
    for class in [AssetClass::CommercialBuilding, AssetClass::IndustrialBuilding, AssetClass::Furniture] {
        assert!(!class.allows(Method::DecliningBalance) && class.allows(Method::StraightLine), "{class}");
    }
    for method in Method::ALL {
        assert_eq!(AssetClass::Land.allows(method), method == Method::None, "{method}");
    }
}

#[test]
fn a_line_of_another_form_is_not_read() {
    for line in ["land;210;;;", "land;210;281;;;;", "sea;210;;;;;", "land;210;;;5;;"] {
        assert_eq!(row::read(&format!("heading\n{line}\n")), None, "{line}");
    }
}

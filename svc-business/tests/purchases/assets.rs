//! The fixed assets that lines become.

use svc_business::books::account::CodeLength;
use svc_business::books::asset::class::AssetClass;
use svc_business::books::asset::{AssetBooks, FixedAsset, NewAsset};
use svc_business::purchases::assets::drafts;
use svc_business::purchases::document::{DocType, Line, SupplierDocument};
use svc_core::money::Currency;
use svc_testkit::business::sample;
use time::Month;

use super::documents::{DAY, Facts, ONE, approve, content, euros, ids, lines, percent, received};
use super::journal::{entry, moved};

fn with_asset(class: AssetClass) -> Vec<Line> {
    let mut lines = lines(&[("2", "600.00", "0", "es_in_21_inv", "0"), ONE]);
    for line in lines.iter_mut().take(1) {
        "Laptop\n14 inches".clone_into(&mut line.description);
        line.asset_class = Some(class);
    }
    lines
}

#[test]
fn a_line_with_a_class_becomes_a_fixed_asset() {
    let lines = with_asset(AssetClass::ItEquipment);
    let document = SupplierDocument { content: content("EUR", lines), ..received(DocType::Invoice, &[]) };
    let facts = Facts { pro_rata: percent("50"), ..Facts::default() };
    let document = facts.approve(document);
    let entry = entry(&document);
    let expected = ["2170000 1326.00", "6290000 110.50", "4720000 136.50", "4000000 -1573.00"];
    assert_eq!(moved(&entry), expected);
    let drafts = drafts(&document).expect("approved");
    let [(line, input)] = &drafts[..] else { panic!("{drafts:?}") };
    assert_eq!(*line, document.content.lines()[0].id);
    let new = NewAsset { id: ids().make(), company: document.company, now: sample::at(0) };
    let books =
        AssetBooks { currency: Currency::EUR, length: CodeLength::default(), year_start: Month::January };
    let asset = FixedAsset::create(new, input, books).expect("nothing is wrong with it");
    assert_eq!((asset.name.as_str(), asset.terms.cost), ("Laptop 14 inches", euros("1326.00")));
    assert_eq!((asset.acquired_on, asset.accounts.asset.as_str()), (DAY, "2170000"));
}

#[test]
fn what_takes_back_becomes_no_asset() {
    let mut lines = with_asset(AssetClass::Furniture);
    for line in &mut lines {
        line.quantity = line.quantity.negated();
    }
    let document = received(DocType::CreditNote, &[]);
    let document = approve(SupplierDocument { content: content("EUR", lines), ..document });
    assert_eq!(drafts(&document), Ok(Vec::new()));
    assert!(drafts(&received(DocType::Invoice, &[ONE])).is_err());
}

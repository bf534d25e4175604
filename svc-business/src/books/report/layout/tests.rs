use svc_core::money::Currency;

use super::*;
use crate::books::account::{AccountCode, CodeLength};
use crate::books::chart::Chart;

fn account(text: &str) -> ReportAccount {
    let code: AccountCode = text.parse().expect("a code");
    let account_type = AccountType::of(code);
    ReportAccount { code, name: String::new(), account_type, normal_balance: NormalBalance::Debit }
}

fn cents(minor: i64) -> Amount {
    Amount::from_minor(minor, Currency::EUR).expect("in range")
}

fn in_balance_sheet(code: &str, minor: i64) -> Option<&'static str> {
    Layout::es_pymes_balance_sheet().line_of(&account(code), cents(minor))
}

fn in_profit_and_loss(code: &str) -> Option<&'static str> {
    Layout::es_pymes_profit_and_loss().line_of(&account(code), cents(1))
}

/// The lines of a layout that count what no other line names.
fn rest(layout: &Layout) -> Vec<&'static str> {
    let rests = |place: &&Place| AccountType::ALL.into_iter().any(|of| place.rests(of));
    layout.places.iter().filter(rests).map(Place::line).collect()
}

#[test]
fn every_account_of_the_chart_has_a_line_that_names_it() {
    for length in [6, 7, 12].map(|digits| CodeLength::new(digits).expect("in range")) {
        for account in Chart::EsPgcPymes.accounts(length).iter().filter(|account| account.postable) {
            let of_result = matches!(account.code.group(), 6 | 7);
            for (layout, wanted) in
                [(Layout::es_pymes_balance_sheet(), true), (Layout::es_pymes_profit_and_loss(), of_result)]
            {
                for minor in [-1, 0, 1] {
                    let line = layout.line_of(&self::account(account.code.as_str()), cents(minor));
                    assert_eq!(line.is_some(), wanted, "{}", account.code);
                    assert!(line.is_none_or(|line| !rest(layout).contains(&line)), "{}", account.code);
                }
            }
        }
    }
}

#[test]
fn an_account_has_one_line_for_each_sign_of_its_balance() {
    // `read` refuses the same digits twice on one side; what is longer decides before what is shorter.
    for layout in [Layout::es_pymes_balance_sheet(), Layout::es_pymes_profit_and_loss()] {
        for (at, place) in layout.places.iter().enumerate() {
            assert!(layout.places.iter().skip(at + 1).all(|other| place.excludes(other)));
            assert!(layout.lines.iter().any(|line| line.key == place.line()));
        }
        let leaves = layout.lines.iter().filter(|line| layout.below(Some(line.key)).next().is_none());
        assert!(leaves.clone().all(|line| layout.places.iter().any(|place| place.line() == line.key)));
    }
}

#[test]
fn accounts_are_where_the_models_have_them() {
    for (code, line) in [
        ("2160000", "property_plant_equipment"),
        ("2816000", "property_plant_equipment"),
        ("2403000", "non_current_group_investments"),
        ("2405000", "non_current_financial_investments"),
        ("4070000", "inventories"),
        ("4300000", "trade_receivables"),
        ("4900000", "trade_receivables"),
        ("4720000", "other_receivables"),
        ("1030000", "uncalled_capital"),
        ("1034000", "other_current_debts"),
        ("1290000", "result_of_the_year"),
        ("7000000", "result_of_the_year"),
        ("4770000", "other_payables"),
        ("5720000", "cash"),
    ] {
        assert_eq!(in_balance_sheet(code, 1), Some(line), "{code}");
    }
    for (code, line) in [
        ("7000000", "turnover"),
        ("6930000", "change_in_products"),
        ("6931000", "supplies"),
        ("6230000", "other_operating_expenses"),
        ("6710000", "fixed_asset_results"),
        ("6623000", "financial_expenses"),
        ("7680000", "exchange_differences"),
        ("6300000", "income_tax"),
    ] {
        assert_eq!(in_profit_and_loss(code), Some(line), "{code}");
    }
}

#[test]
fn current_accounts_are_on_the_side_of_their_balance() {
    for (code, debit, credit) in [
        ("5510000", "current_financial_investments", "other_current_debts"),
        ("5523000", "current_group_investments", "current_group_debts"),
        ("5525000", "current_financial_investments", "other_current_debts"),
        ("5540000", "current_financial_investments", "other_current_debts"),
    ] {
        assert_eq!(in_balance_sheet(code, 1), Some(debit), "{code}");
        assert_eq!(in_balance_sheet(code, -1), Some(credit), "{code}");
    }
    // The model has what is not sorted yet among debts, whatever its sign.
    assert_eq!(in_balance_sheet("5550000", 1), Some("other_current_debts"));
}

#[test]
fn what_a_company_added_lands_with_its_neighbours_or_in_the_rest_of_its_type() {
    assert_eq!(in_balance_sheet("4300077", 1), Some("trade_receivables"));
    assert_eq!(in_balance_sheet("2990000", 1), Some("other_assets"));
    assert_eq!(in_balance_sheet("5170000", -1), Some("other_liabilities"));
    assert_eq!(in_balance_sheet("1160000", -1), Some("other_equity"));
    assert_eq!(in_balance_sheet("9000000", -1), Some("other_equity"));
    assert_eq!(in_profit_and_loss("6290055"), Some("other_operating_expenses"));
    assert_eq!(in_profit_and_loss("7990001"), Some("financial_instrument_results"));
    assert_eq!(in_profit_and_loss("7200000"), Some("unassigned"));
    assert_eq!(in_profit_and_loss("5720000"), None);
}

#[test]
fn a_line_has_a_label_in_each_language() {
    let layout = Layout::es_pymes_balance_sheet();
    let root = layout.below(None).next().expect("a line");
    assert_eq!((root.label(Language::Es), root.label(Language::En)), ("Total activo", "Total assets"));
}

#[test]
fn a_file_that_is_no_layout_is_refused() {
    let refused = |rows: &str| {
        let file: &'static str =
            Box::leak(format!("# source\nkey;parent;side;es;en;codes\n{rows}").into_boxed_str());
        read::read(file).map_err(|error| error.to_string()).expect_err(rows)
    };
    assert_eq!(refused("a;;debit;A;A"), "line 3 of the layout: expected 6 cells, found 5");
    assert_eq!(refused("a;;;A;A;"), "line 3 of the layout: expected debit or credit");
    assert_eq!(refused("a;b;;A;A;"), "line 3 of the layout: b is no line before it");
    assert_eq!(refused("a;;debit;A;A;\nb;a;debit;B;B;"), "line 4 of the layout: the line above has the side");
    assert_eq!(refused("a;;debit;A;A;\na;;debit;A;A;"), "line 4 of the layout: a is there twice");
    assert_eq!(refused("a;;debit;A;;"), "line 3 of the layout: a line has a key and two labels");
    assert_eq!(refused("a;;debit;A;A;43x"), "line 3 of the layout: 43x names no accounts");
    let twice = "a;;debit;A;A;43\nb;a;;B;B;43+";
    assert_eq!(refused(twice), "line 4 of the layout: 43+ is counted by a already");
}

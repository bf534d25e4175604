use std::collections::BTreeSet;

use super::*;
use crate::books::account::{AccountType, NormalBalance, TaxRole};

fn pymes() -> Vec<ChartAccount> {
    Chart::EsPgcPymes.accounts(CodeLength::default())
}

fn account(code: &str) -> ChartAccount {
    let code = code.parse().expect("a code");
    Chart::EsPgcPymes
        .find(code, CodeLength::default())
        .unwrap_or_else(|| panic!("{code} is not in the chart"))
}

#[test]
fn the_chart_of_small_companies_is_whole() {
    let accounts = pymes();
    let headings = accounts.iter().filter(|account| !account.postable).count();
    assert_eq!((accounts.len(), headings), (770, 161));
    // Groups, subgroups, accounts and subaccounts of four digits.
    let rows = Chart::EsPgcPymes.rows();
    let of_length = |length| rows.iter().filter(|row| row.code.len() == length).count();
    assert_eq!([1, 2, 3, 4].map(of_length), [7, 62, 347, 354]);
    assert!(accounts.iter().all(|account| !account.name.is_empty() && account.name == account.name.trim()));
}

#[test]
fn codes_are_unique_and_in_order() {
    let rows = Chart::EsPgcPymes.rows();
    assert!(rows.is_sorted_by(|left, right| left.code < right.code));
    for digits in 6..=12 {
        let length = CodeLength::new(digits).expect("in range");
        let accounts = Chart::EsPgcPymes.accounts(length);
        let codes: BTreeSet<AccountCode> = accounts.iter().map(|account| account.code).collect();
        assert_eq!(codes.len(), accounts.len());
        assert!(accounts.iter().all(|account| account.postable == account.code.is_postable(length)));
    }
}

#[test]
fn every_account_has_each_heading_above_it() {
    let codes: BTreeSet<&str> = Chart::EsPgcPymes.rows().iter().map(|row| row.code.as_str()).collect();
    for code in &codes {
        for length in 1..code.len() {
            assert!(codes.contains(&code[..length]), "{code} has no heading {}", &code[..length]);
        }
    }
}

#[test]
fn an_account_and_its_heading_agree_on_what_they_count() {
    for account in pymes().iter().filter(|account| account.postable) {
        let group = account.code.group();
        let possible: &[AccountType] = match group {
            1 => &[AccountType::Equity, AccountType::Liability],
            2 | 3 => &[AccountType::Asset],
            4 => &[AccountType::Asset, AccountType::Liability],
            5 => &[AccountType::Asset, AccountType::Liability, AccountType::Equity],
            6 => &[AccountType::Expense],
            7 => &[AccountType::Income],
            other => panic!("{} is in group {other}", account.code),
        };
        assert!(possible.contains(&account.account_type), "{} is {}", account.code, account.account_type);
    }
}

#[test]
fn everyday_accounts_are_there_at_7_digits() {
    for code in [
        "1000000", "1120000", "1130000", "1290000", "1700000", "2060000", "2100000", "2110000", "2130000",
        "2160000", "2170000", "2180000", "2800000", "2820000", "4000000", "4100000", "4300000", "4360000",
        "4380000", "4650000", "4760000", "4700000", "4720000", "4730000", "4750000", "4751000", "4752000",
        "4070000", "4770000", "5200000", "5230000", "5430000", "5550000", "5700000", "5720000", "6000000",
        "6070000", "6210000", "6230000", "6260000", "6280000", "6290000", "6300000", "6400000", "6420000",
        "6620000", "6680000", "6690000", "6710000", "6800000", "6810000", "6820000", "7000000", "7050000",
        "7080000", "7590000", "7680000", "7710000",
    ] {
        assert!(account(code).postable, "{code}");
    }
    // Depreciation of equipment has no common account: it is counted by what is depreciated.
    for code in ["280", "281"] {
        assert!(!account(code).postable, "{code}");
    }
    for code in ["2806000", "2811000", "2813000", "2817000", "2818000"] {
        assert_eq!(account(code).normal_balance, NormalBalance::Credit, "{code}");
    }
}

#[test]
fn names_are_those_of_the_decree() {
    assert_eq!(account("4300000").name, "Clientes (euros)");
    assert_eq!(account("1290000").name, "Resultado del ejercicio");
    assert_eq!(account("5550000").name, "Partidas pendientes de aplicación");
    assert_eq!(account("4").name, "Acreedores y deudores por operaciones comerciales");
}

#[test]
fn accounts_of_taxes_have_their_role() {
    let roles: Vec<(String, TaxRole)> =
        pymes().iter().filter_map(|account| Some((account.code.to_string(), account.tax_role?))).collect();
    let wanted = [
        ("4700000", TaxRole::VatSettlement),
        ("4720000", TaxRole::InputVat),
        ("4730000", TaxRole::WithholdingReceivable),
        ("4750000", TaxRole::VatSettlement),
        ("4751000", TaxRole::WithholdingPayable),
        ("4770000", TaxRole::OutputVat),
    ];
    assert_eq!(roles, wanted.map(|(code, role)| (code.to_owned(), role)));
}

#[test]
fn only_accounts_are_matched_and_count_taxes() {
    for heading in pymes().iter().filter(|account| !account.postable) {
        assert!(!heading.reconcilable && heading.tax_role.is_none(), "{}", heading.code);
    }
    assert!(account("4300000").reconcilable && account("4000000").reconcilable);
    assert!(!account("7000000").reconcilable);
}

#[test]
fn the_type_of_a_derivative_is_that_of_its_own_line() {
    assert_eq!(account("5590000").account_type, AccountType::Asset);
    assert_eq!(account("5595000").account_type, AccountType::Liability);
}

#[test]
fn an_empty_chart_has_no_accounts() {
    assert!(Chart::Empty.accounts(CodeLength::default()).is_empty());
}

#[test]
fn a_line_that_is_not_one_of_a_chart_is_refused() {
    for line in ["430;Clientes", "0;X;;;", "430;X;income;;", "430;X;;no;", "430;X;;;vat"] {
        let file = Box::leak(format!("code;name;type;reconcilable;taxRole\n{line}\n").into_boxed_str());
        assert!(row::read(file).is_err(), "{line}");
    }
}

use svc_core::error::Validator;

use super::*;

fn code(text: &str) -> AccountCode {
    text.parse().expect("a code")
}

fn pymes() -> DefaultAccounts {
    DefaultAccounts::of(Chart::EsPgcPymes, CodeLength::default())
}

#[test]
fn each_purpose_has_an_account_of_the_chart() {
    for digits in 6..=12 {
        let length = CodeLength::new(digits).expect("in range");
        let accounts = DefaultAccounts::of(Chart::EsPgcPymes, length);
        assert_eq!(accounts.iter().count(), Purpose::ALL.len());
        for (purpose, account) in accounts.iter() {
            let found = Chart::EsPgcPymes.find(account, length);
            assert!(found.is_some_and(|account| account.postable), "{purpose} is {account}");
        }
    }
}

#[test]
fn accounts_are_those_that_accountants_expect() {
    for (purpose, account) in [
        (Purpose::Receivable, "4300000"),
        (Purpose::Payable, "4000000"),
        (Purpose::Creditor, "4100000"),
        (Purpose::OutputVat, "4770000"),
        (Purpose::InputVat, "4720000"),
        (Purpose::WithholdingReceivable, "4730000"),
        (Purpose::WithholdingPayable, "4751000"),
        (Purpose::Sales, "7000000"),
        (Purpose::Services, "7050000"),
        (Purpose::Expense, "6290000"),
        (Purpose::Purchases, "6000000"),
        (Purpose::Bank, "5720000"),
        (Purpose::Cash, "5700000"),
        (Purpose::Result, "1290000"),
        (Purpose::FxGain, "7680000"),
        (Purpose::FxLoss, "6680000"),
        (Purpose::TangibleDisposalGain, "7710000"),
        (Purpose::TangibleDisposalLoss, "6710000"),
        (Purpose::Suspense, "5550000"),
    ] {
        assert_eq!(pymes().find(purpose), Some(code(account)), "{purpose}");
    }
}

#[test]
fn books_without_a_chart_have_none_until_they_are_named() {
    let none = DefaultAccounts::of(Chart::Empty, CodeLength::default());
    assert_eq!(none.find(Purpose::Bank), None);
    let named = none.with(Purpose::Bank, Some(code("5720001")));
    assert_eq!(named.find(Purpose::Bank), Some(code("5720001")));
    assert_eq!(named.with(Purpose::Bank, None), DefaultAccounts::default());
}

#[test]
fn on_the_wire_they_are_an_object_in_camel_case() {
    let accounts = DefaultAccounts::default()
        .with(Purpose::OutputVat, Some(code("4770000")))
        .with(Purpose::FxGain, Some(code("7680000")));
    let json = serde_json::to_value(&accounts).expect("JSON");
    assert_eq!(json, serde_json::json!({ "outputVat": "4770000", "fxGain": "7680000" }));
    assert_eq!(serde_json::from_value::<DefaultAccounts>(json).expect("the same"), accounts);
    let unknown = serde_json::from_str::<DefaultAccounts>(r#"{"petty": "5700000"}"#);
    assert!(unknown.is_err());
}

#[test]
fn a_default_that_takes_no_entries_is_refused_by_its_name() {
    let mut validator = Validator::new();
    pymes().judge(&mut validator, "defaultAccounts", |account| account != code("5720000"));
    let found = validator.finish().expect_err("one finding");
    assert_eq!(found.0.len(), 1);
    assert_eq!(found.0[0].field, "defaultAccounts.bank");
    assert_eq!(found.0[0].code, "account_not_postable");
}

use std::collections::BTreeMap;

use proptest::prelude::*;
use svc_core::id::ContactId;
use svc_core::money::{Amount, Currency};

use super::*;
use crate::books::account::AccountCode;

const RESULT: &str = "1290000";

type Ledger = BTreeMap<(AccountCode, Option<ContactId>), i64>;

fn code(text: &str) -> AccountCode {
    text.parse().expect("a code")
}

fn cents(minor: i64) -> Amount {
    Amount::from_minor(minor, Currency::EUR).expect("in range")
}

fn balance(account: &str, minor: i64) -> Balance {
    Balance { account: code(account), contact: None, amount: cents(minor) }
}

fn of(balances: &[Balance]) -> Result<ClosingLines, ClosingError> {
    ClosingLines::of(balances, code(RESULT), Currency::EUR)
}

fn ledger(balances: &[Balance]) -> Ledger {
    let mut ledger = Ledger::new();
    for balance in balances {
        *ledger.entry((balance.account, balance.contact)).or_default() += balance.amount.minor();
    }
    ledger
}

fn post(ledger: &mut Ledger, lines: &[ClosingLine]) {
    for line in lines {
        *ledger.entry((line.account, line.contact)).or_default() += line.movement.signed().minor();
    }
}

fn written(lines: &[ClosingLine]) -> Vec<String> {
    lines.iter().map(|line| format!("{} {}", line.account, line.movement.signed())).collect()
}

#[test]
fn a_year_with_a_profit_of_200() {
    let lines = of(&[
        balance("5720000", 120_000),
        balance("1000000", -100_000),
        balance("6210000", 80_000),
        balance("7050000", -100_000),
    ])
    .expect("balanced");
    assert_eq!(written(&lines.regularisation), ["6210000 -800.00", "7050000 1000.00", "1290000 -200.00"]);
    assert_eq!(written(&lines.closing), ["1000000 1000.00", "1290000 200.00", "5720000 -1200.00"]);
    assert_eq!(written(&lines.opening), ["1000000 -1000.00", "1290000 -200.00", "5720000 1200.00"]);
}

#[test]
fn a_year_without_movements_posts_nothing() {
    assert_eq!(of(&[]), Ok(ClosingLines::default()));
    assert_eq!(of(&[balance("5720000", 0)]), Ok(ClosingLines::default()));
}

#[test]
fn a_year_that_broke_even_has_no_line_on_the_result() {
    let lines = of(&[balance("6210000", 500), balance("7050000", -500)]).expect("balanced");
    assert_eq!(written(&lines.regularisation), ["6210000 -5.00", "7050000 5.00"]);
    assert!(lines.closing.is_empty() && lines.opening.is_empty());
}

#[test]
fn who_owes_what_goes_on_into_the_next_year() {
    let owed = |contact, minor| Balance { contact: Some(id(contact)), ..balance("4300000", minor) };
    let lines = of(&[owed(1, 700), owed(2, -200), balance("7000000", -500)]).expect("balanced");
    let opened: Vec<(Option<ContactId>, i64)> =
        lines.opening.iter().map(|line| (line.contact, line.movement.signed().minor())).collect();
    assert_eq!(opened, [(None, -500), (Some(id(1)), 700), (Some(id(2)), -200)]);
}

#[test]
fn balances_that_do_not_add_up_are_refused() {
    let refused = ClosingError::Unbalanced { difference: cents(1) };
    assert_eq!(of(&[balance("5720000", 501), balance("7000000", -500)]), Err(refused));
}

/// Balances over all groups that add up to zero, some of them of contacts, some twice, some on the result already.
fn balances() -> impl Strategy<Value = Vec<Balance>> {
    let account = prop::sample::select(vec![
        "1000000", "1290000", "1700000", "2170000", "2817000", "4000000", "4300000", "5720000", "6000000",
        "6210000", "6810000", "7000000", "7050000", "7080000",
    ]);
    let one = (account, prop::option::of(1_u128..4), -1_000_000_000_i64..1_000_000_000);
    prop::collection::vec(one, 0..24).prop_map(|held| {
        let mut balances: Vec<Balance> = held
            .into_iter()
            .map(|(account, contact, minor)| Balance { contact: contact.map(id), ..balance(account, minor) })
            .collect();
        let rest: i64 = balances.iter().map(|balance| balance.amount.minor()).sum();
        balances.push(balance("5720000", -rest));
        balances
    })
}

proptest! {
    #[test]
    fn closing_empties_groups_6_and_7_and_opening_brings_the_rest_back(balances in balances()) {
        let lines = of(&balances).expect("balanced");
        let mut ledger = ledger(&balances);
        let won: i64 = ledger.iter().filter(|((account, _), _)| account.group() >= 6).map(|(_, minor)| minor).sum();
        let before = ledger.get(&(code(RESULT), None)).copied().unwrap_or_default();

        post(&mut ledger, &lines.regularisation);
        prop_assert!(ledger.iter().all(|((account, _), minor)| account.group() < 6 || *minor == 0));
        prop_assert_eq!(ledger.get(&(code(RESULT), None)).copied().unwrap_or_default(), before + won);
        let at_the_end: Ledger = ledger.iter().filter(|(_, minor)| **minor != 0).map(|(key, minor)| (*key, *minor)).collect();

        post(&mut ledger, &lines.closing);
        prop_assert!(ledger.values().all(|minor| *minor == 0));

        let mut next = Ledger::new();
        post(&mut next, &lines.opening);
        prop_assert_eq!(next, at_the_end);
    }

    #[test]
    fn each_entry_can_be_posted(balances in balances()) {
        let ClosingLines { regularisation, closing, opening } = of(&balances).expect("balanced");
        for lines in [regularisation, closing, opening] {
            prop_assert_eq!(lines.iter().map(|line| line.movement.signed().minor()).sum::<i64>(), 0);
            prop_assert!(lines.len() != 1);
        }
    }
}

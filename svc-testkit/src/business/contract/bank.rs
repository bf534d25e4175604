//! Bank accounts kept whole, found by every filter, and what two of a company cannot both have.

use svc_business::bank::{
    BankAccount, BankAccountFilter, BankAccountSort, BankAccountStatus, BankAccountType, OpeningBalance,
};
use svc_business::party::{Bic, Iban};
use svc_core::id::{AccountId, BankAccountId};
use svc_core::page::{Direction, Sort};
use svc_core::pii::Pii;
use time::macros::date;

use super::books::{code, with_books};
use super::{Storage, assert_conflict, assert_taken, attempt, ids, insert_accounts, whole};
use crate::business::sample::{at, bare_account, cash, euros, everything, extension, id, scope};

const NUMBERS: [&str; 3] = ["ES9121000418450200051332", "ES7921000813610123456789", "DE89370400440532013000"];

/// An account at a bank, with every member.
fn bank(company: AccountId, number: u128, iban: &str) -> BankAccount {
    BankAccount {
        name: format!("Abeto {number}"),
        kind: BankAccountType::Bank,
        iban: Some(Pii::new(iban.parse::<Iban>().expect("an IBAN"))),
        bic: Some("CAIXESBBXXX".parse::<Bic>().expect("a BIC")),
        bank_name: Some("CaixaBank".to_owned()),
        account: Some(code(&format!("57200{number:02}"))),
        opening: Some(OpeningBalance { balance: euros(-1_250), date: date!(2025 - 01 - 31) }),
        extension: extension(&format!("bank {number}")),
        ..cash(company, number)
    }
}

pub(super) async fn put(storage: &Storage, accounts: &[BankAccount]) {
    let unit = storage.begin().await.expect("begin");
    for account in accounts {
        unit.bank_accounts().insert(&everything(), account).await.expect("insert a bank account");
    }
    unit.commit().await.expect("commit");
}

/// Every member of a bank account comes back; what it shares with another one of its company is taken.
pub async fn a_bank_account_comes_back_whole(storage: Storage) {
    let (company, _, _) = with_books(&storage).await;
    let first = BankAccount { is_default: true, ..bank(company.id, 30, NUMBERS[0]) };
    put(&storage, &[first.clone(), cash(company.id, 31)]).await;
    let find = async |id: BankAccountId| storage.bank_accounts().find(&everything(), id).await.expect("find");
    assert_eq!(find(first.id).await, Some(first.clone()));
    assert_eq!(find(id(31)).await, Some(cash(company.id, 31)));
    assert_eq!(storage.bank_accounts().find(&scope(&[id(2)]), first.id).await.expect("find"), None);
    let all = storage.bank_accounts().of_company(company.id).await.expect("read");
    assert_eq!(ids(&all), [first.id, id(31)]);
    let counted = first.account.expect("an account of the ledger");
    assert!(storage.ledger().counts_money(company.id, counted).await.expect("read"));
    assert!(!storage.ledger().counts_money(id(2), counted).await.expect("read"));

    let other = bank(company.id, 32, NUMBERS[1]);
    let taken = [
        ("iban", BankAccount { iban: first.iban.clone(), ..other.clone() }),
        ("accountCode", BankAccount { account: first.account, ..other.clone() }),
        ("isDefault", BankAccount { is_default: true, ..other.clone() }),
        ("externalId", BankAccount { extension: first.extension.clone(), ..other.clone() }),
    ];
    for (member, account) in taken {
        let outcome = attempt!(storage, |unit| unit.bank_accounts().insert(&everything(), &account));
        assert_taken(&outcome, member);
    }
    // One whose writer was not told of the first one, and one that is archived, stand beside it.
    let shared = BankAccount { iban: first.iban.clone(), shares_iban: true, ..other };
    let archived = BankAccount {
        iban: first.iban.clone(),
        status: BankAccountStatus::Archived,
        ..bank(company.id, 33, NUMBERS[1])
    };
    put(&storage, &[shared.clone(), archived.clone()]).await;

    let next = BankAccount {
        version: archived.version.next(),
        status: BankAccountStatus::Active,
        ..archived.clone()
    };
    let outcome = attempt!(storage, |unit| unit.bank_accounts().replace(&everything(), &archived, &next));
    assert_taken(&outcome, "iban");
    let next = BankAccount { iban: None, kind: BankAccountType::Card, opening: None, ..next };
    attempt!(storage, |unit| unit.bank_accounts().replace(&everything(), &archived, &next)).expect("replace");
    assert_eq!(find(next.id).await, Some(next.clone()));
    assert_conflict(&attempt!(storage, |unit| unit.bank_accounts().replace(&everything(), &archived, &next)));
}

/// Every filter narrows a list, and every order holds.
pub async fn every_filter_and_order_of_bank_accounts_holds(storage: Storage) {
    let (company, _, _) = with_books(&storage).await;
    let first = BankAccount { updated_at: at(5), ..bank(company.id, 30, NUMBERS[0]) };
    let second = BankAccount { updated_at: at(4), ..cash(company.id, 31) };
    let third = BankAccount {
        status: BankAccountStatus::Archived,
        updated_at: at(3),
        ..bank(company.id, 32, NUMBERS[2])
    };
    put(&storage, &[first.clone(), second.clone(), third.clone()]).await;
    let plain = BankAccountFilter { companies: vec![company.id], ..BankAccountFilter::default() };
    let listed = async |filter: &BankAccountFilter, sort: Option<(BankAccountSort, Direction)>| {
        let page = storage.bank_accounts().page(&everything(), filter, &Sort(sort), whole()).await;
        let page = page.expect("a page");
        assert_eq!(page.total, u64::try_from(page.items.len()).expect("few"), "{filter:?}");
        ids(&page.items)
    };
    for (filter, expected) in [
        (plain.clone(), vec![first.id, second.id, third.id]),
        (BankAccountFilter { companies: vec![id(2)], ..plain.clone() }, vec![]),
        (BankAccountFilter { status: Some(BankAccountStatus::Archived), ..plain.clone() }, vec![third.id]),
        (BankAccountFilter { kind: Some(BankAccountType::Cash), ..plain.clone() }, vec![second.id]),
        (BankAccountFilter { iban: third.iban.clone(), ..plain.clone() }, vec![third.id]),
        (
            BankAccountFilter { external_id: first.extension.external_id.clone(), ..plain.clone() },
            vec![first.id],
        ),
        (BankAccountFilter { updated_since: Some(at(4)), ..plain.clone() }, vec![first.id, second.id]),
    ] {
        assert_eq!(listed(&filter, None).await, expected, "{filter:?}");
    }
    let name = Some((BankAccountSort::Name, Direction::Ascending));
    assert_eq!(listed(&plain, name).await, [first.id, third.id, second.id]);
    let changed = Some((BankAccountSort::UpdatedAt, Direction::Ascending));
    assert_eq!(listed(&plain, changed).await, [third.id, second.id, first.id]);
}

/// They move with a company that is absorbed: out of its ledger, and archived where the other company has the number.
pub async fn bank_accounts_follow_their_company(storage: Storage) {
    let (company, _, _) = with_books(&storage).await;
    let absorbed = bare_account(2);
    insert_accounts(&storage, std::slice::from_ref(&absorbed)).await;
    let absorbed = absorbed.id;
    let kept = BankAccount { is_default: true, ..bank(company.id, 30, NUMBERS[0]) };
    let same = BankAccount { is_default: true, ..bank(absorbed, 40, NUMBERS[0]) };
    let other = BankAccount { account: kept.account, ..bank(absorbed, 41, NUMBERS[1]) };
    put(&storage, &[kept.clone(), same.clone(), other.clone()]).await;
    attempt!(storage, |unit| unit.accounts().move_records(absorbed, company.id, at(9))).expect("move");
    let mut moved = storage.bank_accounts().of_company(company.id).await.expect("read");
    moved.retain(|account| account.id != kept.id);
    let arrived = |account: &BankAccount, status| BankAccount {
        company: company.id,
        account: None,
        is_default: false,
        status,
        version: account.version.next(),
        updated_at: at(9),
        ..account.clone()
    };
    let expected = [arrived(&same, BankAccountStatus::Archived), arrived(&other, BankAccountStatus::Active)];
    assert_eq!(moved, expected);
    assert_eq!(storage.bank_accounts().of_company(absorbed).await.expect("read"), []);
}

//! Imports of statements found by every filter, what statements ended with, and files that wait.

use std::collections::HashMap;

use svc_business::bank::import::{
    BankMovementImport, BankMovementImportFilter, BankMovementImportSort, ImportFormat, ImportStatus,
    ImportWarning, ImportWarningCode, LastStatement, StatementBalances,
};
use svc_core::id::AccountId;
use svc_core::page::{Direction as Order, Sort};
use time::macros::date;

use super::movements::{OTHER, TILL, put, with_tills};
use super::{Storage, attempt, ids, whole};
use crate::business::sample::{at, euros, everything, id, import_by_hand, scope};

/// One with every member.
pub(super) fn statement(company: AccountId, account: u128, number: u128) -> BankMovementImport {
    let warning = ImportWarning { code: ImportWarningCode::Gap, message: "movements are missing".to_owned() };
    BankMovementImport {
        format: ImportFormat::N43,
        file_name: Some("enero.n43".to_owned()),
        digest: Some(format!("{number:064x}")),
        from: Some(date!(2025 - 01 - 01)),
        to: Some(date!(2025 - 01 - 31)),
        balances: StatementBalances {
            currency: euros(0).currency(),
            opening: Some(euros(-500)),
            closing: Some(euros(2_500)),
        },
        warnings: vec![warning],
        ..import_by_hand(company, account, number)
    }
}

/// Every filter narrows a list, and every order holds.
pub async fn every_filter_and_order_of_imports_holds(storage: Storage) {
    let company = with_tills(&storage).await;
    let first = BankMovementImport { updated_at: at(5), ..statement(company, TILL, 40) };
    let second = BankMovementImport { status: ImportStatus::Processing, ..import_by_hand(company, TILL, 41) };
    let third = BankMovementImport { updated_at: at(4), ..import_by_hand(company, OTHER, 42) };
    put(&storage, &[first.clone(), second.clone(), third.clone()], &[]).await;
    let all = BankMovementImportFilter { companies: vec![company], ..BankMovementImportFilter::default() };
    let listed = async |filter: &BankMovementImportFilter, sort| {
        let page = storage.bank_imports().page(&everything(), filter, &Sort(sort), whole()).await;
        let page = page.expect("a page");
        assert_eq!(page.total, u64::try_from(page.items.len()).expect("few"), "{filter:?}");
        ids(&page.items)
    };
    for (filter, expected) in [
        (all.clone(), vec![first.id, second.id, third.id]),
        (BankMovementImportFilter { companies: vec![id(2)], ..all.clone() }, vec![]),
        (BankMovementImportFilter { bank_account: Some(id(TILL)), ..all.clone() }, vec![first.id, second.id]),
        (BankMovementImportFilter { status: Some(ImportStatus::Processing), ..all.clone() }, vec![second.id]),
        (BankMovementImportFilter { format: Some(ImportFormat::N43), ..all.clone() }, vec![first.id]),
        (BankMovementImportFilter { updated_since: Some(at(4)), ..all.clone() }, vec![first.id, third.id]),
    ] {
        assert_eq!(listed(&filter, None).await, expected, "{filter:?}");
    }
    let changed = Some((BankMovementImportSort::UpdatedAt, Order::Ascending));
    assert_eq!(listed(&all, changed).await, [second.id, third.id, first.id]);
}

/// What counts is the last day of a statement, and then which came last.
pub async fn what_statements_ended_with_is_found(storage: Storage) {
    let company = with_tills(&storage).await;
    let ended = |number, day, closing| {
        let import = statement(company, TILL, number);
        let balances = StatementBalances { closing: Some(euros(closing)), ..import.balances };
        BankMovementImport { to: Some(day), balances, ..import }
    };
    let february = ended(40, date!(2025 - 02 - 28), 200);
    let january = ended(41, date!(2025 - 01 - 31), 100);
    let again = ended(42, date!(2025 - 01 - 31), 150);
    let open =
        BankMovementImport { status: ImportStatus::Processing, ..ended(43, date!(2025 - 03 - 31), 300) };
    put(&storage, &[february, january, again, open, import_by_hand(company, OTHER, 44)], &[]).await;
    let latest = storage.bank_imports().last_statements(&everything(), &[id(TILL), id(OTHER)], None).await;
    let ended = |minor, date| LastStatement { balance: euros(minor), date };
    let expected = ended(200, date!(2025 - 02 - 28));
    assert_eq!(latest.expect("read"), HashMap::from([(id(TILL), expected)]));
    let beyond = storage.bank_imports().last_statements(&scope(&[id(2)]), &[id(TILL)], None).await;
    assert_eq!(beyond.expect("read"), HashMap::new());
    for (by, expected) in [
        (date!(2025 - 02 - 28), HashMap::from([(id(TILL), expected)])),
        (date!(2025 - 02 - 27), HashMap::from([(id(TILL), ended(150, date!(2025 - 01 - 31)))])),
        (date!(2025 - 01 - 30), HashMap::new()),
    ] {
        let found = storage.bank_imports().last_statements(&everything(), &[id(TILL)], Some(by)).await;
        assert_eq!(found.expect("read"), expected, "{by}");
    }
    for (day, expected) in [
        (date!(2025 - 03 - 01), Some(expected)),
        (date!(2025 - 02 - 28), Some(ended(150, date!(2025 - 01 - 31)))),
        (date!(2025 - 01 - 31), None),
    ] {
        let found = storage.bank_imports().statement_before(company, id(TILL), day).await;
        assert_eq!(found.expect("read"), expected, "{day}");
    }
}

/// A file waits for its job, and goes.
pub async fn a_file_is_kept_until_it_is_dropped(storage: Storage) {
    let company = with_tills(&storage).await;
    let import = BankMovementImport { status: ImportStatus::Processing, ..import_by_hand(company, TILL, 40) };
    let unit = storage.begin().await.expect("begin");
    unit.bank_imports().insert(&everything(), &import).await.expect("insert");
    unit.bank_imports().keep_file(&import, b"\0file\xff", "how").await.expect("keep");
    unit.commit().await.expect("commit");
    let kept = async || storage.bank_imports().file(import.id).await.expect("read");
    assert_eq!(kept().await, Some((b"\0file\xff".to_vec(), "how".to_owned())));
    attempt!(storage, |unit| unit.bank_imports().drop_file(&import)).expect("drop");
    assert_eq!(kept().await, None);
}

//! Movements kept whole, found by every filter, and the places that two of them cannot both have.

use std::collections::HashMap;

use svc_business::bank::import::{BankMovementImport, ImportStatus};
use svc_business::bank::movement::{
    Allocation, BankMovement, BankMovementFilter, BankMovementSort, BankMovementStatus, Direction,
    Fingerprint, Moved, MovementState, PaidDocument, Place, Reconciliation, Target,
};
use svc_business::books::fiscal_year::Span;
use svc_business::magnitude::Magnitude;
use svc_business::party::Iban;
use svc_core::id::{AccountId, BankAccountId};
use svc_core::page::{Direction as Order, Sort};
use svc_core::pii::Pii;
use time::macros::date;
use uuid::Uuid;

use super::bank::put as put_accounts;
use super::books::{code, with_books};
use super::statements::statement;
use super::{Storage, assert_conflict, assert_taken, attempt, ids, insert_accounts, whole};
use crate::business::sample::{
    at, bare_account, cash, euros, everything, id, import_by_hand, movement, scope,
};

/// The accounts of the case's company.
pub(super) const TILL: u128 = 30;
pub(super) const OTHER: u128 = 31;

fn full(import: &BankMovementImport, number: u128, minor: i64) -> BankMovement {
    let iban = "DE89370400440532013000".parse::<Iban>().expect("an IBAN");
    BankMovement {
        moved: Moved { amount: euros(minor), balance_after: Some(euros(7)) },
        description: "Recibo de la luz".to_owned(),
        counterparty_name: Some("Eléctrica Abeto".to_owned()),
        counterparty_iban: Some(Pii::new(iban)),
        references: vec!["F-2025/7".to_owned(), "R 8".to_owned()],
        bank_code: Some("03-038".to_owned()),
        notes: Some("Twice".to_owned()),
        ..movement(import, number, minor)
    }
}

pub(super) async fn with_tills(storage: &Storage) -> AccountId {
    let (company, _, _) = with_books(storage).await;
    put_accounts(storage, &[cash(company.id, TILL), cash(company.id, OTHER)]).await;
    company.id
}

pub(super) async fn put(storage: &Storage, imports: &[BankMovementImport], movements: &[BankMovement]) {
    let unit = storage.begin().await.expect("begin");
    for import in imports {
        unit.bank_imports().insert(&everything(), import).await.expect("insert an import");
    }
    unit.bank_movements().insert_all(&everything(), movements).await.expect("insert movements");
    unit.commit().await.expect("commit");
}

/// Every member comes back, and a change is kept.
pub async fn an_import_and_its_movements_come_back_whole(storage: Storage) {
    let company = with_tills(&storage).await;
    let (first, second) = (statement(company, TILL, 40), import_by_hand(company, TILL, 41));
    let movements = [full(&first, 50, -8_420), movement(&second, 51, 100)];
    put(&storage, &[first.clone(), second.clone()], &movements).await;
    for import in [&first, &second] {
        let found = storage.bank_imports().find(&everything(), import.id).await.expect("find");
        assert_eq!(found.as_ref(), Some(import));
    }
    for movement in &movements {
        let found = storage.bank_movements().find(&everything(), movement.id).await.expect("find");
        assert_eq!(found.as_ref(), Some(movement));
    }
    let beyond = scope(&[id(2)]);
    assert_eq!(storage.bank_imports().find(&beyond, first.id).await.expect("find"), None);
    assert_eq!(storage.bank_movements().find(&beyond, id(50)).await.expect("find"), None);
    let digest = first.digest.clone().expect("a digest");
    for (account, expected) in [(TILL, Some(&first)), (OTHER, None)] {
        let found = storage.bank_imports().with_digest(company, id(account), &digest).await.expect("find");
        assert_eq!(found.as_ref(), expected);
    }

    let before = &movements[0];
    let after = BankMovement {
        state: MovementState::Ignored,
        notes: None,
        version: before.version.next(),
        ..before.clone()
    };
    let replaced = attempt!(storage, |unit| unit.bank_movements().replace(&everything(), before, &after));
    replaced.expect("replace");
    let found = storage.bank_movements().find(&everything(), after.id).await.expect("find");
    assert_eq!(found, Some(after.clone()));
    assert_conflict(&attempt!(storage, |unit| unit.bank_movements().replace(&everything(), before, &after)));
}

/// What a movement stands for comes back, of every kind; a line of the journal is that of one movement.
pub async fn what_a_movement_stands_for_comes_back(storage: Storage) {
    let company = with_tills(&storage).await;
    let import = import_by_hand(company, TILL, 40);
    let pending = movement(&import, 50, 800);
    put(&storage, std::slice::from_ref(&import), &[pending.clone(), movement(&import, 51, 100)]).await;
    let targets = [
        Target::Invoice { document: id(60), payment: id(61) },
        Target::SupplierDocument { document: id(62), payment: id(63) },
        Target::Payment { payment: id(64), document: PaidDocument::Sales(id(65)), named_account: true },
        Target::Payment { payment: id(66), document: PaidDocument::Purchase(id(67)), named_account: false },
        Target::JournalLine { line: id(68) },
        Target::Account { account: code("6260000"), description: Some("Comisión".to_owned()) },
        Target::Transfer { account: id(OTHER) },
        Target::TaxReturn { declared: id(69) },
    ];
    let known = Reconciliation {
        at: at(3),
        by: Some(id(70)),
        is_automatic: true,
        allocations: targets.map(|target| Allocation { amount: euros(100), target }).to_vec(),
        entry: Some(id(71)),
    };
    let change = |before: &BankMovement, state| BankMovement {
        state,
        version: before.version.next(),
        ..before.clone()
    };
    let reconciled = change(&pending, MovementState::Reconciled(Box::new(known.clone())));
    attempt!(storage, |unit| unit.bank_movements().replace(&everything(), &pending, &reconciled))
        .expect("replace");
    let find = async |movement: &BankMovement| {
        storage.bank_movements().find(&everything(), movement.id).await.expect("find")
    };
    assert_eq!(find(&reconciled).await, Some(reconciled.clone()));
    let matched = async |line| storage.journal().is_matched(company, &[id(67), line]).await.expect("read");
    assert_eq!((matched(id(68)).await, matched(id(99)).await), (true, false));
    // Another movement cannot stand against the line.
    let other = movement(&import, 51, 100);
    let line = Allocation { amount: euros(100), target: Target::JournalLine { line: id(68) } };
    let same =
        Reconciliation { by: None, is_automatic: false, allocations: vec![line], entry: None, ..known };
    let same = change(&other, MovementState::Reconciled(Box::new(same)));
    assert_taken(
        &attempt!(storage, |unit| unit.bank_movements().replace(&everything(), &other, &same)),
        "line",
    );
    let undone = change(&reconciled, MovementState::Pending);
    attempt!(storage, |unit| unit.bank_movements().replace(&everything(), &reconciled, &undone))
        .expect("replace");
    assert_eq!((find(&undone).await, matched(id(68)).await), (Some(undone), false));
    attempt!(storage, |unit| unit.bank_movements().replace(&everything(), &other, &same)).expect("replace");
    assert_eq!(find(&same).await, Some(same));
}

/// An account has one movement at each place, and counts those of a fingerprint; another account has its own.
pub async fn a_place_is_taken_once(storage: Storage) {
    let company = with_tills(&storage).await;
    let (import, other) = (import_by_hand(company, TILL, 40), import_by_hand(company, OTHER, 41));
    let one = movement(&import, 50, -180);
    let fingerprint = one.place.fingerprint;
    let second = BankMovement { place: Place { fingerprint, occurrence: 1 }, ..movement(&import, 51, -180) };
    let elsewhere = BankMovement { place: one.place, ..movement(&other, 52, -180) };
    put(&storage, &[import.clone(), other.clone()], &[one.clone(), second, elsewhere]).await;
    let same = BankMovement { place: one.place, ..movement(&import, 53, -180) };
    let outcome = attempt!(storage, |unit| unit.bank_movements().insert_all(&everything(), &[same]));
    assert_taken(&outcome, "place");
    let unknown = Fingerprint::from_uuid(Uuid::from_u128(99));
    for (account, expected) in [(TILL, 2), (OTHER, 1)] {
        let asked = [fingerprint, unknown];
        let found = storage.bank_movements().occurrences(company, id(account), &asked).await.expect("count");
        assert_eq!(found, HashMap::from([(fingerprint, expected)]));
    }
    let digest = import_by_hand(company, TILL, 42);
    let (first, again) = (statement(company, TILL, 43), statement(company, TILL, 44));
    let again = BankMovementImport { digest: first.digest.clone(), ..again };
    put(&storage, &[digest, first], &[]).await;
    let outcome = attempt!(storage, |unit| unit.bank_imports().insert(&everything(), &again));
    assert_taken(&outcome, "file");
}

/// Every filter narrows a list, every order holds, and pending movements are counted.
pub async fn every_filter_and_order_of_movements_holds(storage: Storage) {
    let company = with_tills(&storage).await;
    let (import, other) = (import_by_hand(company, TILL, 40), import_by_hand(company, OTHER, 41));
    let first = BankMovement { updated_at: at(5), ..full(&import, 50, -8_420) };
    let second = BankMovement {
        state: MovementState::Ignored,
        booking_date: date!(2025 - 01 - 10),
        ..movement(&import, 51, 150_000)
    };
    let third =
        BankMovement { booking_date: date!(2025 - 02 - 01), updated_at: at(4), ..movement(&other, 52, 0) };
    put(&storage, &[import.clone(), other], &[first.clone(), second.clone(), third.clone()]).await;
    let all = BankMovementFilter { companies: vec![company], ..BankMovementFilter::default() };
    let listed = async |filter: &BankMovementFilter, sort: Option<(BankMovementSort, Order)>| {
        let page = storage.bank_movements().page(&everything(), filter, &Sort(sort), whole()).await;
        let page = page.expect("a page");
        assert_eq!(page.total, u64::try_from(page.items.len()).expect("few"), "{filter:?}");
        ids(&page.items)
    };
    let size = |text: &str| Some(text.parse::<Magnitude>().expect("an amount"));
    let text = |text: &str| Some(text.to_owned());
    for (filter, expected) in [
        (all.clone(), vec![first.id, second.id, third.id]),
        (BankMovementFilter { companies: vec![id(2)], ..all.clone() }, vec![]),
        (BankMovementFilter { bank_account: Some(id(OTHER)), ..all.clone() }, vec![third.id]),
        (BankMovementFilter { import: Some(import.id), ..all.clone() }, vec![first.id, second.id]),
        (BankMovementFilter { status: Some(BankMovementStatus::Ignored), ..all.clone() }, vec![second.id]),
        (BankMovementFilter { direction: Some(Direction::Out), ..all.clone() }, vec![first.id]),
        (BankMovementFilter { direction: Some(Direction::In), ..all.clone() }, vec![second.id, third.id]),
        (BankMovementFilter { min_amount: size("84.20"), ..all.clone() }, vec![first.id, second.id]),
        (BankMovementFilter { max_amount: size("84.20"), ..all.clone() }, vec![first.id, third.id]),
        (BankMovementFilter { from: Some(date!(2025 - 01 - 15)), ..all.clone() }, vec![first.id, third.id]),
        (BankMovementFilter { to: Some(date!(2025 - 01 - 15)), ..all.clone() }, vec![first.id, second.id]),
        (BankMovementFilter { updated_since: Some(at(5)), ..all.clone() }, vec![first.id]),
        (BankMovementFilter { text: text("electrica"), ..all.clone() }, vec![first.id]),
        (BankMovementFilter { text: text("2025/7"), ..all.clone() }, vec![first.id]),
        (BankMovementFilter { text: text("movement"), ..all.clone() }, vec![second.id, third.id]),
        (BankMovementFilter { text: text("3704"), ..all.clone() }, vec![]),
    ] {
        assert_eq!(listed(&filter, None).await, expected, "{filter:?}");
    }
    for (key, expected) in [
        (BankMovementSort::BookingDate, [second.id, first.id, third.id]),
        (BankMovementSort::Amount, [first.id, third.id, second.id]),
        (BankMovementSort::UpdatedAt, [second.id, third.id, first.id]),
    ] {
        assert_eq!(listed(&all, Some((key, Order::Ascending))).await, expected, "{key:?}");
    }
    for (from, to, expected) in [
        (date!(2025 - 01 - 01), date!(2025 - 01 - 31), 1),
        (date!(2025 - 01 - 15), date!(2025 - 02 - 01), 2),
        (date!(2025 - 02 - 02), date!(2025 - 12 - 31), 0),
    ] {
        let span = Span::new(from, to).expect("in order");
        let pending = storage.bank_movements().pending_in(company, span).await.expect("count");
        assert_eq!(pending, expected, "{from} to {to}");
    }
    let accounts: [BankAccountId; 3] = [TILL, OTHER, 32].map(id);
    let pending = storage.bank_movements().pending(&everything(), &accounts).await.expect("count");
    assert_eq!(pending, HashMap::from([(id(TILL), 1), (id(OTHER), 1)]));
    let beyond = storage.bank_movements().pending(&scope(&[id(2)]), &accounts).await.expect("count");
    assert_eq!(beyond, HashMap::new());
}

/// They move with the accounts of a company that is absorbed.
pub async fn movements_follow_their_company(storage: Storage) {
    let (company, _, _) = with_books(&storage).await;
    let absorbed = bare_account(2);
    insert_accounts(&storage, std::slice::from_ref(&absorbed)).await;
    put_accounts(&storage, &[cash(absorbed.id, TILL)]).await;
    let import = BankMovementImport { status: ImportStatus::Processing, ..statement(absorbed.id, TILL, 40) };
    let movement = full(&import, 50, -8_420);
    put(&storage, std::slice::from_ref(&import), std::slice::from_ref(&movement)).await;
    attempt!(storage, |unit| unit.bank_imports().keep_file(&import, b"file", "how")).expect("keep");
    attempt!(storage, |unit| unit.accounts().move_records(absorbed.id, company.id, at(9))).expect("move");
    let found = storage.bank_movements().find(&scope(&[company.id]), movement.id).await.expect("find");
    let moved =
        BankMovement { company: company.id, version: movement.version.next(), updated_at: at(9), ..movement };
    assert_eq!(found, Some(moved));
    let found = storage.bank_imports().find(&scope(&[company.id]), import.id).await.expect("find");
    assert_eq!(
        found.map(|found| (found.company, found.bank_account)),
        Some((company.id, import.bank_account))
    );
    assert!(storage.bank_imports().file(import.id).await.expect("read").is_some());
    let pending = storage.bank_movements().pending(&scope(&[company.id]), &[id(TILL)]).await.expect("count");
    assert_eq!(pending, HashMap::from([(id(TILL), 1)]));
}

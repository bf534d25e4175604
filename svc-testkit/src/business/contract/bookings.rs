//! What is learned from movements that were reconciled, and which of an import still wait.

use svc_business::bank::movement::{
    Allocation, BankMovement, MovementState, Reconciliation, Target, TextKey,
};

use super::books::code;
use super::movements::{TILL, put, with_tills};
use super::{Storage, attempt};
use crate::business::sample::{at, euros, everything, id, import_by_hand, movement};

/// The account on which most of the last movements with a text were booked is told, without those that were undone.
pub async fn what_texts_are_booked_on_is_learned(storage: Storage) {
    let company = with_tills(&storage).await;
    let import = import_by_hand(company, TILL, 40);
    let told = |number: u128, text: &str| BankMovement {
        description: text.to_owned(),
        ..movement(&import, number, -100 - i64::try_from(number).expect("small"))
    };
    let [one, two, three] = [50, 51, 52].map(|number| told(number, "Comisión 2025/01"));
    let (four, five) = (told(53, "COMISION"), told(54, "Otra cosa"));
    let movements = [&one, &two, &three, &four, &five].map(Clone::clone);
    put(&storage, std::slice::from_ref(&import), &movements).await;
    let booked_on = async |text: &BankMovement| {
        let key = TextKey::of(text).expect("words");
        storage.bank_movements().booked_on(company, &key).await.expect("read")
    };
    let change = async |before: &BankMovement, accounts: &[&str]| {
        let part = |account: &&str| Allocation {
            amount: euros(-100),
            target: Target::Account { account: code(account), description: None },
        };
        let allocations: Vec<_> = accounts.iter().map(part).collect();
        let known = Reconciliation { at: at(3), by: None, is_automatic: false, allocations, entry: None };
        let state = if accounts.is_empty() {
            MovementState::Pending
        } else {
            MovementState::Reconciled(Box::new(known))
        };
        let after = BankMovement { state, version: before.version.next(), ..before.clone() };
        attempt!(storage, |unit| unit.bank_movements().replace(&everything(), before, &after))
            .expect("replace");
        after
    };
    assert_eq!(booked_on(&one).await, None);
    change(&one, &["6260000"]).await;
    let two = change(&two, &["6690000"]).await;
    let three = change(&three, &["6690000"]).await;
    change(&four, &["6260000", "6690000"]).await;
    change(&five, &["6260000"]).await;
    assert_eq!(booked_on(&four).await, Some((code("6690000"), 2)));
    assert_eq!(booked_on(&five).await, Some((code("6260000"), 1)));
    change(&two, &[]).await;
    change(&three, &[]).await;
    assert_eq!(booked_on(&one).await, Some((code("6260000"), 1)));
}

/// The pending movements of an import come in the order of their ids, part by part.
pub async fn pending_movements_of_an_import_come_in_parts(storage: Storage) {
    let company = with_tills(&storage).await;
    let (import, other) = (import_by_hand(company, TILL, 40), import_by_hand(company, TILL, 41));
    let ignored = BankMovement { state: MovementState::Ignored, ..movement(&import, 51, 51) };
    let movements = [
        movement(&import, 50, 50),
        ignored,
        movement(&import, 52, 52),
        movement(&import, 53, 53),
        movement(&other, 60, 7),
    ];
    put(&storage, &[import.clone(), other], &movements).await;
    let pending = async |after, limit| {
        let found = storage.bank_movements().pending_of(company, import.id, after, limit).await;
        found.expect("read").into_iter().map(|movement| movement.id).collect::<Vec<_>>()
    };
    assert_eq!(pending(None, 2).await, [id(50), id(52)]);
    assert_eq!(pending(Some(id(52)), 2).await, [id(53)]);
    assert_eq!(pending(Some(id(53)), 2).await, []);
    let found = storage.bank_movements().pending_of(company, import.id, None, 1).await.expect("read");
    let whole = storage.bank_movements().find(&everything(), id(50)).await.expect("find");
    assert_eq!(found.first(), whole.as_ref());
}

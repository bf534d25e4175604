//! What is proposed for a movement, and in which order.

use svc_core::clock::Timestamp;
use svc_core::id::TypedId;
use svc_core::money::{Amount, Currency};
use svc_core::resource::Version;
use time::macros::date;
use uuid::Uuid;

use super::*;
use crate::bank::movement::{BankMovement, Fingerprint, Moved, MovementState, PaidDocument, Place};
use crate::invoicing::{DueDocument, UnmatchedPayment};
use crate::tax::returns::Model;

fn id<I: TypedId>(number: u128) -> I {
    I::from_uuid(Uuid::from_u128(number))
}

fn euros(minor: i64) -> Amount {
    Amount::from_minor(minor, Currency::EUR).expect("in range")
}

/// A movement of 20 February 2025.
fn moved(minor: i64, description: &str, other_side: Option<&str>) -> BankMovement {
    BankMovement {
        id: id(1),
        company: id(1),
        bank_account: id(1),
        import: id(1),
        booking_date: date!(2025 - 02 - 20),
        value_date: date!(2025 - 02 - 20),
        moved: Moved { amount: euros(minor), balance_after: None },
        description: description.to_owned(),
        counterparty_name: other_side.map(str::to_owned),
        counterparty_iban: None,
        references: Vec::new(),
        bank_code: None,
        place: Place { fingerprint: Fingerprint::from_uuid(Uuid::nil()), occurrence: 0 },
        state: MovementState::Pending,
        notes: None,
        version: Version::FIRST,
        created_at: Timestamp::from_unix_micros(0),
        updated_at: Timestamp::from_unix_micros(0),
    }
}

/// A sales document of Abeto that is due in a month in which nothing moves.
fn owed(number: u128, due: i64) -> DueDocument<PaidDocument> {
    DueDocument {
        document: PaidDocument::Sales(id(number)),
        number: Some(format!("F2025-{number:05}")),
        contact: Some(id(7)),
        name: Some("Ferretería Abeto, S.L.".to_owned()),
        due: euros(due),
        due_date: Some(date!(2025 - 06 - 01)),
        issued: date!(2025 - 01 - 01)
            .saturating_add(time::Duration::days(i64::try_from(number).expect("few"))),
    }
}

fn told(movement: &BankMovement, facts: &Facts) -> Vec<(u8, Vec<Reason>, Vec<i64>)> {
    let proposals = propose(movement, facts);
    let amounts = |proposal: &Proposal| proposal.parts.iter().map(|part| part.amount.minor()).collect();
    proposals.iter().map(|one| (one.score, one.reasons.clone(), amounts(one))).collect()
}

#[test]
fn the_amount_that_is_due_counts_and_every_clue_adds_to_it() {
    let facts = Facts { due: vec![owed(42, 12_100)], ..Facts::default() };
    let scored =
        |movement: &BankMovement| told(movement, &facts).into_iter().map(|(score, ..)| score).collect();
    let of = |description: &str, other_side| -> Vec<u8> { scored(&moved(12_100, description, other_side)) };
    assert_eq!(of("Transferencia", None), [50]);
    assert_eq!(of("Pago factura F2025/00042", None), [80]);
    assert_eq!(of("Pago", Some("FERRETERIA ABETO")), [60]);
    assert_eq!(of("Transferencia de ferreteria abeto", None), [60]);
    assert_eq!(of("Pago F2025-00042", Some("FERRETERIA ABETO SL")), [90]);
    // Another number, of which this one is a part, is none.
    assert_eq!(of("Pago F2025-000421", Some("Otra Empresa SL")), [50]);
    let near = DueDocument { due_date: Some(date!(2025 - 03 - 02)), ..owed(42, 12_100) };
    let facts =
        Facts { due: vec![near], with_iban: vec![id(7)], with_tax_id: vec![id(7)], ..Facts::default() };
    let all = told(&moved(12_100, "F2025-00042", Some("Abeto")), &facts);
    let reasons = vec![Reason::AmountDue, Reason::NumberInText, Reason::Iban, Reason::DueDateNear];
    assert_eq!(all, [(100, reasons, vec![12_100])]);
}

#[test]
fn documents_of_one_contact_are_added_up() {
    let other = DueDocument { contact: Some(id(8)), ..owed(4, 3_000) };
    let facts =
        Facts { due: vec![owed(1, 1_000), owed(2, 2_000), owed(3, 3_000), other], ..Facts::default() };
    let sums = told(&moved(6_000, "Pago", None), &facts);
    assert_eq!(sums, [(40, vec![Reason::AmountsDue], vec![1_000, 2_000, 3_000])]);
    let pair = told(&moved(3_000, "F2025-00001", None), &facts);
    // A pair of which one number is told, then the two of that amount, the older one first.
    assert_eq!(
        pair,
        [
            (70, vec![Reason::AmountsDue, Reason::NumberInText], vec![1_000, 2_000]),
            (50, vec![Reason::AmountDue], vec![3_000]),
            (50, vec![Reason::AmountDue], vec![3_000]),
        ]
    );
}

#[test]
fn a_part_is_proposed_for_what_the_text_or_the_other_side_names() {
    let facts = Facts { due: vec![owed(42, 12_100), owed(43, 500)], ..Facts::default() };
    let parts = told(&moved(5_000, "A cuenta F2025-00042", None), &facts);
    assert_eq!(parts, [(30, vec![Reason::NumberInText], vec![5_000])]);
    assert_eq!(told(&moved(5_000, "A cuenta", None), &facts), []);
    let more = told(&moved(20_000, "F2025-00042", None), &facts);
    assert_eq!(more, [], "more than is due is not proposed");
}

#[test]
fn payments_and_known_texts_are_proposed_and_ties_go_to_the_older_one() {
    let recorded = |number, date| UnmatchedPayment { payment: id(number), date };
    let facts = Facts {
        due: vec![owed(1, -4_500)],
        unmatched: vec![recorded(2, date!(2025 - 02 - 19)), recorded(1, date!(2025 - 02 - 21))],
        booked_on: Some("6260000".parse().expect("a code")),
        ..Facts::default()
    };
    let proposals = propose(&moved(-4_500, "Comisión", None), &facts);
    let targets: Vec<_> = proposals.iter().map(|one| (one.score, one.parts[0].target)).collect();
    assert_eq!(
        targets,
        [
            (80, ProposedTarget::Payment(id(2))),
            (80, ProposedTarget::Payment(id(1))),
            (60, ProposedTarget::Account("6260000".parse().expect("a code"))),
            (50, ProposedTarget::Invoice(id(1))),
        ]
    );
    let again = propose(&moved(-4_500, "Comisión", None), &facts);
    assert_eq!(again, proposals);
    let mut ids: Vec<_> = proposals.iter().map(|one| one.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), proposals.len());
}

#[test]
fn the_best_ten_of_many_are_proposed() {
    let facts = Facts { due: (1..=30).map(|number| owed(number, 1_000)).collect(), ..Facts::default() };
    let proposals = propose(&moved(1_000, "F2025-00030", None), &facts);
    assert_eq!(proposals.len(), MOST);
    assert_eq!((proposals[0].score, proposals[0].parts[0].target), (80, ProposedTarget::Invoice(id(30))));
    assert_eq!(proposals[1].parts[0].target, ProposedTarget::Invoice(id(1)));
}

#[test]
fn texts_that_tell_of_taxes_speak_for_a_return() {
    let owed = DueReturn {
        declared: id(1),
        model: Model::M303,
        name: "Modelo 303 4T 2024".to_owned(),
        receipt: None,
        ends: date!(2024 - 12 - 31),
        due_date: date!(2025 - 01 - 30),
    };
    let facts = Facts { returns: vec![owed], ..Facts::default() };
    for (text, score) in [
        ("Adeudo 303", 50),
        ("Modelado 303", 50),
        ("Mod 111", 50),
        ("Imp. impuestos", 80),
        ("Pago a e a t", 80),
        ("MODELO303", 80),
        ("mod. 303", 80),
        ("Transferencia de la Agencia Tributaria", 80),
    ] {
        let scores: Vec<_> = told(&moved(-100, text, None), &facts).into_iter().map(|one| one.0).collect();
        assert_eq!(scores, [score], "{text}");
    }
    assert_eq!(told(&moved(-100, "Adeudo", Some("AEAT")), &facts)[0].0, 80);
}

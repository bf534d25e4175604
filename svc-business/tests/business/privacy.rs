//! Personal data: erasure, and what masked views show (specification, invariant I-22).

use proptest::prelude::*;
use svc_business::contact::{Contact, ContactInput, Identity, MergeRequest};
use svc_business::party::{Address, BirthDate, Country, Iban, Phone, TaxId};
use svc_core::patch::Patch;
use svc_core::pii::{Mask, Pii, PiiAccess};

use super::test_app::{TestApp, organization, person, run, text};
use svc_testkit::business::verbs;

#[tokio::test]
async fn anonymizing_leaves_no_personal_data_and_is_told_once() {
    let (app, company) = TestApp::with_company().await;
    let parent = app.contact(company.id, organization("Madre SL")).await;
    let mut input = ContactInput {
        tax_id: text("12345678Z"),
        email: text("ana@correo.example"),
        phone: text("+34910000001"),
        mobile: text("+34600000001"),
        date_of_birth: text("1990-05-06"),
        address: Patch::Value(svc_business::party::AddressInput {
            line1: text("Calle Secreta 9"),
            ..Default::default()
        }),
        iban: text("ES9121000418450200051332"),
        bic: text("CAIXESBB"),
        notes: text("alérgica"),
        trade_name: text("Ana Sastre"),
        parent: Patch::Value(parent.id),
        tags: Patch::Value(vec!["vip".to_owned()]),
        ..person("Ana", "Secreta")
    };
    input.external_id = text("erp-ana");
    input.metadata = Patch::Value([("dni".to_owned(), Some("12345678Z".to_owned()))].into());
    let before = app.contact(company.id, input).await;
    app.events().await;
    let after = run!(app, verbs::anonymize_contact, before.id, Some(before.version)).expect("anonymous");
    let blank = app.contact(company.id, person("x", "y")).await;
    app.events().await;
    let expected = Contact {
        id: before.id,
        identity: Identity::Person {
            given_name: String::new(),
            family_name: String::new(),
            date_of_birth: None,
        },
        parent: before.parent,
        tags: before.tags.clone(),
        version: before.version.next(),
        ..blank
    };
    assert_eq!(after, expected);
    assert_eq!(run!(app, verbs::anonymize_contact, before.id, None).expect("a no-op"), after);
    assert_eq!(app.events().await, Vec::<String>::new());
    // The blank names do not stand in the way of other changes.
    let archive = ContactInput { notes: text("borrado a petición"), ..ContactInput::default() };
    assert!(app.update(before.id, None, archive).await.is_ok());
}

#[tokio::test]
async fn anonymizing_reaches_what_the_contact_absorbed() {
    let (app, company) = TestApp::with_company().await;
    let with_tax = |name: &str| ContactInput {
        tax_id: text("12345678Z"),
        allow_duplicate: true,
        ..person(name, "Núñez")
    };
    let kept = app.contact(company.id, with_tax("Ana")).await;
    let other = app.contact(company.id, with_tax("Anita")).await;
    let aside = app.contact(company.id, with_tax("Eva")).await;
    let aside_too = app.contact(company.id, with_tax("Evita")).await;
    let merge = MergeRequest::default;
    run!(app, verbs::merge_contact, kept.id, None, other.id, merge()).expect("merged");
    run!(app, verbs::merge_contact, aside.id, None, aside_too.id, merge()).expect("merged");
    app.events().await;
    run!(app, verbs::anonymize_contact, kept.id, None).expect("anonymous");
    let tombstone = app.find(other.id).await.expect("a tombstone");
    assert_eq!((tombstone.name().as_str(), tombstone.tax_id), ("", None));
    assert_eq!(app.events().await, [format!("contact.update {}", kept.id)]);
    assert_eq!(app.find(aside_too.id).await.expect("a tombstone").name(), "Evita Núñez");
}

#[test]
fn personal_data_does_not_print() {
    let contact = svc_testkit::business::sample::person(svc_testkit::business::sample::id(1), 2);
    let printed = format!("{contact:?}");
    for secret in ["12345678Z", "34910000001", "34600000001", "0418450", "Mayor", "1904"] {
        assert!(!printed.contains(secret), "{secret}");
    }
}

/// Whether `shown` has four characters in a row of `value` that the mask was to hide.
fn leaks(shown: &str, value: &str, head: usize, tail: usize) -> bool {
    let letters: Vec<char> = value.chars().collect();
    letters.windows(4).enumerate().any(|(at, window)| {
        let kept = at + 4 <= head || at >= letters.len() - tail;
        !kept && shown.contains(&window.iter().collect::<String>())
    })
}

fn shown<T: Mask<View: serde::Serialize>>(value: T, access: PiiAccess) -> String {
    serde_json::to_string(&Pii::new(value).show(access)).expect("a view serialises")
}

proptest! {
    /// Invariant I-22, on the values themselves: what is masked shows no more than its mask keeps.
    #[test]
    fn masked_values_leak_nothing(
        tax in "[A-Z0-9]{9,20}",
        iban in "ES[0-9A-Z]{22}",
        phone in "\\+[1-9][0-9]{7,14}",
        street in "[A-Za-z]{12,30}",
        ordinal in 1_u16..366,
    ) {
        // What the mask of an IBAN keeps must not stand in its hidden part by chance.
        let hidden = iban.get(1..23).unwrap_or_default();
        prop_assume!(!hidden.contains(&iban[..4]) && !hidden.contains(&iban[20..]));
        let text = shown(TaxId::from_stored(tax.clone()), PiiAccess::Masked);
        prop_assert_eq!(text.chars().count(), tax.chars().count() + 2);
        prop_assert!(!leaks(&text, &tax, 1, 2));
        prop_assert!(!leaks(&shown(Iban::from_stored(iban.clone()), PiiAccess::Masked), &iban, 4, 4));
        prop_assert!(!leaks(&shown(Phone::from_stored(phone.clone()), PiiAccess::Masked), &phone, 0, 3));
        let address = Address { line1: Some(street.clone()), line2: None, postal_code: None, city: None, province: None, country: Country::SPAIN };
        prop_assert_eq!(shown(address.clone(), PiiAccess::Masked), "null");
        let born = BirthDate(time::Date::from_ordinal_date(1_990, ordinal.min(365)).expect("a date"));
        prop_assert_eq!(shown(born, PiiAccess::Masked), "null");
        // The full view shows them, so the checks above look for the right thing.
        prop_assert!(shown(address, super::test_app::full()).contains(&street));
        prop_assert!(leaks(&shown(TaxId::from_stored(tax.clone()), super::test_app::full()), &tax, 1, 2));
    }
}

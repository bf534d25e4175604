use std::collections::{BTreeMap, BTreeSet};

use svc_business::contact::{
    Consent, Contact, ContactFilter, ContactRole, ContactStatus, Identity, PaymentMethod,
};
use svc_business::party::{Address, Bic, BirthDate, Country, Extension, Iban, Phone, TaxIdKind};
use svc_business::ports::{ContactReader, ContactStore};
use svc_core::error::StoreError;
use svc_core::id::ContactId;
use svc_core::page::Sort;
use svc_core::pii::Pii;
use svc_core::resource::{ResourceReader, ResourceStore, Version};
use time::macros::date;

use super::fixture::{
    at, companies, contact, email, everything, extension, fixture, id, is_conflict, page, taken, tax_id,
};

/// A contact with every member that a person can have.
fn complete() -> Contact {
    let address = Address {
        line1: Some("Calle Mayor 1".to_owned()),
        line2: None,
        postal_code: Some("28013".to_owned()),
        city: Some("Madrid".to_owned()),
        province: None,
        country: Country::SPAIN,
    };
    Contact {
        identity: Identity::Person {
            given_name: "Ana".to_owned(),
            family_name: "Núñez".to_owned(),
            date_of_birth: Some(Pii::new(BirthDate(date!(1984 - 02 - 29)))),
        },
        trade_name: Some("Ana's".to_owned()),
        roles: ContactRole::ALL.iter().copied().collect(),
        tax_id_kind: TaxIdKind::Nif,
        tax_id: Some(tax_id("12345678Z")),
        email: Some(email("Ana@Example.com")),
        phone: Some(Pii::new(Phone::from_stored("+34910000000".to_owned()))),
        mobile: Some(Pii::new(Phone::from_stored("+34600123456".to_owned()))),
        shipping_address: Some(Pii::new(Address { line2: Some("2º B".to_owned()), ..address.clone() })),
        address: Some(Pii::new(address)),
        iban: Some(Pii::new(Iban::from_stored("ES9121000418450200051332".to_owned()))),
        bic: Some(Bic::from_stored("CAIXESBBXXX".to_owned())),
        parent: Some(id(9)),
        payment_term_days: 365,
        payment_method: PaymentMethod::DirectDebit,
        default_tax_code: Some("es_vat_21".to_owned()),
        withholding_rate: Some("15".to_owned()),
        equivalence_surcharge: true,
        receivable_account_code: Some("4300001".to_owned()),
        payable_account_code: Some("4000001".to_owned()),
        tags: vec!["b".to_owned(), "a".to_owned(), "b".to_owned()],
        notes: Some("\"quoted\"\nsecond line".to_owned()),
        consent: Some(Consent { marketing: true, at: at(5), source: Some("form".to_owned()) }),
        extension: Extension {
            external_id: Some("ext-1".to_owned()),
            metadata: BTreeMap::from([("key".to_owned(), "value".to_owned())]),
        },
        ..contact(1, 10)
    }
}

#[tokio::test]
async fn every_member_comes_back_as_it_was_stored() {
    let db = fixture().await;
    db.add(&contact(1, 9)).await;
    let person = complete();
    db.add(&person).await;
    assert_eq!(db.find(person.id).await, Some(person.clone()));

    let merged = Contact {
        status: ContactStatus::Merged { into: id(9) },
        roles: BTreeSet::new(),
        consent: None,
        tags: Vec::new(),
        version: person.version.next(),
        ..person.clone()
    };
    db.store.replace(&everything(), person.version, &merged).await.expect("the stored version");
    assert_eq!(db.find(merged.id).await, Some(merged));
}

#[tokio::test]
async fn a_record_out_of_scope_is_absent_and_cannot_be_written() {
    let db = fixture().await;
    let ours = contact(1, 10);
    db.add(&ours).await;
    let stranger = companies([2]);
    let found: Option<Contact> = db.store.find(&stranger, ours.id).await.expect("an answer");
    assert_eq!(found, None);

    assert!(is_conflict(&db.store.insert(&stranger, &contact(1, 11)).await));
    let changed = Contact { notes: Some("changed".to_owned()), ..ours.clone() };
    assert!(is_conflict(&db.store.replace(&stranger, ours.version, &changed).await));
    // The record moved into the scope by its own word: the row of the other company stays as it is.
    let stolen = Contact { company: id(2), ..changed };
    assert!(is_conflict(&db.store.replace(&stranger, ours.version, &stolen).await));
    assert!(is_conflict(&db.store.delete(&stranger, &ours).await));
    assert!(is_conflict(&db.store.delete(&stranger, &stolen).await));
    assert_eq!(db.find(ours.id).await, Some(ours));
    assert_eq!(db.find::<Contact>(id(11)).await, None);
}

#[tokio::test]
async fn only_the_version_that_was_read_is_replaced_or_erased() {
    let db = fixture().await;
    let first = contact(1, 10);
    db.add(&first).await;
    let second = Contact { version: Version::FIRST.next(), ..first.clone() };
    db.store.replace(&everything(), Version::FIRST, &second).await.expect("the stored version");
    assert!(is_conflict(&db.store.replace(&everything(), Version::FIRST, &second).await));
    assert!(is_conflict(&db.store.delete(&everything(), &first).await));
    db.store.delete(&everything(), &second).await.expect("the stored version");
    assert_eq!(db.find::<Contact>(first.id).await, None);
}

#[tokio::test]
async fn an_external_id_is_taken_once_per_company() {
    let db = fixture().await;
    let with_id = |company, number| Contact { extension: extension("same"), ..contact(company, number) };
    db.add(&with_id(1, 10)).await;
    assert_eq!(taken(&db.store.insert(&everything(), &with_id(1, 11)).await), Some("externalId"));
    db.add(&with_id(2, 12)).await;
}

#[tokio::test]
async fn a_link_to_a_contact_of_another_company_cannot_be_stored() {
    let db = fixture().await;
    db.add(&contact(1, 10)).await;
    let child = Contact { parent: Some(id(10)), ..contact(2, 11) };
    assert!(db.store.insert(&everything(), &child).await.is_err());
    assert_eq!(db.find::<Contact>(child.id).await, None);
    db.add(&Contact { parent: Some(id(10)), ..contact(1, 12) }).await;
}

#[tokio::test]
async fn only_another_active_contact_of_the_company_clashes_by_tax_id() {
    let db = fixture().await;
    let number = tax_id("B12345674");
    let mut mine = Contact { tax_id: Some(number.clone()), ..contact(1, 10) };
    db.add(&mine).await;
    let ask = |company, except| db.store.active_with_tax_id(id(company), &number, except);
    assert_eq!(ask(1, None).await.expect("an answer"), Some(mine.id));
    assert_eq!(ask(1, Some(mine.id)).await.expect("an answer"), None);
    assert_eq!(ask(2, None).await.expect("an answer"), None);
    mine.status = ContactStatus::Archived;
    db.store.replace(&everything(), mine.version, &mine).await.expect("the stored version");
    assert_eq!(ask(1, None).await.expect("an answer"), None);
}

#[tokio::test]
async fn contacts_are_alike_by_tax_id_email_phone_or_name() {
    let db = fixture().await;
    let phone = |text: &str| Some(Pii::new(Phone::from_stored(text.to_owned())));
    let named = |name: &str, contact| Contact {
        identity: Identity::Organization { legal_name: name.to_owned() },
        ..contact
    };
    let subject = Contact {
        tax_id: Some(tax_id("B12345674")),
        email: Some(email("info@sol.example")),
        phone: phone("+34910000001"),
        ..named("Ferretería  SOL", contact(1, 10))
    };
    db.add(&subject).await;
    db.add(&Contact { tax_id: subject.tax_id.clone(), ..contact(1, 11) }).await;
    db.add(&Contact { email: Some(email("INFO@sol.example")), ..contact(1, 12) }).await;
    db.add(&Contact { mobile: phone("+34910000001"), status: ContactStatus::Archived, ..contact(1, 13) })
        .await;
    db.add(&named("ferretería sol", contact(1, 14))).await;
    db.add(&contact(1, 15)).await;
    db.add(&named("Ferretería Sol", contact(2, 16))).await;
    let tombstone = Contact { status: ContactStatus::Merged { into: id(10) }, ..contact(1, 17) };
    db.add(&named("Ferretería Sol", tombstone)).await;

    let found = db.store.possible_duplicates(&subject, 50).await.expect("an answer");
    let ids: Vec<ContactId> = found.iter().map(|contact| contact.id).collect();
    assert_eq!(ids, [11, 12, 13, 14].map(id));
    assert_eq!(db.store.possible_duplicates(&subject, 2).await.expect("an answer").len(), 2);
}

#[tokio::test]
async fn references_move_to_the_survivor() {
    let db = fixture().await;
    for number in [10, 11] {
        db.add(&contact(1, number)).await;
    }
    db.add(&Contact { parent: Some(id(10)), ..contact(1, 12) }).await;
    db.add(&Contact { status: ContactStatus::Merged { into: id(10) }, ..contact(1, 13) }).await;
    assert!(db.store.in_use(&contact(1, 10)).await.expect("an answer"));

    assert_eq!(db.store.repoint(id(2), id(10), id(11), at(99)).await.expect("an answer"), 0);
    assert_eq!(db.store.repoint(id(1), id(10), id(11), at(99)).await.expect("an answer"), 2);
    assert!(!db.store.in_use(&contact(1, 10)).await.expect("an answer"));
    let child = db.find::<Contact>(id(12)).await.expect("a child");
    assert_eq!(
        (child.parent, child.version, child.updated_at),
        (Some(id(11)), Version::FIRST.next(), at(99))
    );
    let tombstone = db.find::<Contact>(id(13)).await.expect("a tombstone");
    assert_eq!(tombstone.status, ContactStatus::Merged { into: id(11) });
}

#[tokio::test]
async fn all_contacts_move_with_their_links_and_labels() {
    let db = fixture().await;
    db.add(&contact(1, 10)).await;
    db.add(&Contact { parent: Some(id(10)), tags: vec!["vip".to_owned()], ..contact(1, 11) }).await;
    assert_eq!(db.store.move_all(id(1), id(2)).await.expect("no clash"), 2);

    let vip = ContactFilter { tag: Some("vip".to_owned()), ..ContactFilter::default() };
    let moved = db.list::<Contact>(&companies([2]), &vip, &Sort::default(), page(1, 10)).await;
    assert_eq!(
        moved.items.iter().map(|contact| (contact.id, contact.parent)).collect::<Vec<_>>(),
        [(id(11), Some(id(10)))]
    );
    let left =
        db.list::<Contact>(&companies([1]), &ContactFilter::default(), &Sort::default(), page(1, 10)).await;
    assert_eq!(left.total, 0);
}

#[tokio::test]
async fn a_move_that_clashes_moves_nothing() {
    let db = fixture().await;
    let same = Some(tax_id("B12345674"));
    db.add(&Contact { tax_id: same.clone(), ..contact(1, 10) }).await;
    db.add(&contact(1, 11)).await;
    let mut other = Contact { tax_id: same, extension: extension("same"), ..contact(2, 12) };
    db.add(&other).await;
    assert_eq!(taken(&db.store.move_all(id(1), id(2)).await), Some("taxId"));

    other.status = ContactStatus::Archived;
    db.store.replace(&everything(), other.version, &other).await.expect("the stored version");
    db.add(&Contact { extension: extension("same"), ..contact(1, 13) }).await;
    assert_eq!(taken(&db.store.move_all(id(1), id(2)).await), Some("externalId"));
    assert_eq!(db.find::<Contact>(id(10)).await.map(|contact| contact.company), Some(id(1)));
}

#[tokio::test]
async fn a_stored_value_that_is_not_known_is_an_error_that_names_its_column() {
    let db = fixture().await;
    db.add(&contact(1, 10)).await;
    for (column, value) in
        [("kind", "'robot'"), ("roles", "32"), ("payment_method", "'barter'"), ("tags", "'{'")]
    {
        db.sql(&format!("UPDATE contacts SET {column} = {value}")).await;
        let outcome: Result<Option<Contact>, _> = db.store.find(&everything(), id(10)).await;
        let Err(StoreError::Backend(cause)) = outcome else { panic!("{column} was read") };
        assert_eq!(cause.to_string(), format!("contacts.{column} holds a value that cannot be read"));
        db.sql(
            "UPDATE contacts SET kind = 'organization', roles = 1, payment_method = 'transfer', tags = '[]'",
        )
        .await;
    }
    assert!(db.find::<Contact>(id(10)).await.is_some());
}

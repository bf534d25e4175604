//! One contact: kept whole, within its scope, at its version.

use svc_business::account::{Account, AccountStatus};
use svc_business::contact::{Contact, ContactStatus, Identity};
use svc_business::party::{Extension, Iban};
use svc_core::id::AccountId;
use svc_core::pii::Pii;
use svc_core::resource::Version;

use super::{Storage, assert_conflict, assert_taken, attempt, put_accounts, put_contacts};
use crate::business::sample::{at, contact_id, everything, id, organization, person, scope, tax};

/// Every member of a full, a bare and an absorbed contact comes back as it was put in.
pub async fn a_contact_comes_back_whole(storage: Storage) {
    let [company] = put_accounts(&storage).await;
    let organization = organization(company, 10, "Ferretería Sol SL");
    let full = Contact { parent: Some(organization.id), ..person(company, 11) };
    let tombstone = Contact {
        status: ContactStatus::Merged { into: full.id },
        extension: Extension::default(),
        ..person(company, 12)
    };
    let anonymous = Contact {
        identity: Identity::Person {
            given_name: String::new(),
            family_name: String::new(),
            date_of_birth: None,
        },
        status: ContactStatus::Archived,
        extension: Extension::default(),
        ..person(company, 13)
    };
    let all = [organization, full, tombstone, anonymous];
    put_contacts(&storage, &all).await;
    for contact in all {
        let found = storage.contacts().find(&scope(&[company]), contact.id).await.expect("find");
        assert_eq!(found, Some(contact));
    }
}

/// Those that are asked for and within the scope come back whole, each once; no id finds nothing.
pub async fn contacts_are_found_together(storage: Storage) {
    let [company, foreign] = put_accounts(&storage).await;
    let own = [10, 11, 12].map(|number| organization(company, number, "Juntos SL"));
    let other = organization(foreign, 13, "Otra SL");
    put_contacts(&storage, &own).await;
    put_contacts(&storage, std::slice::from_ref(&other)).await;
    let asked = [own[2].id, other.id, own[0].id, own[2].id, contact_id(404)];
    let mut found = storage.contacts().find_all(&scope(&[company]), &asked).await.expect("find");
    found.sort_by_key(|contact| contact.id);
    assert_eq!(found, [own[0].clone(), own[2].clone()]);
    let none = storage.contacts().find_all(&everything(), &[]).await.expect("find");
    assert_eq!(none, []);
}

/// Replacing changes every member that may change.
pub async fn a_replaced_contact_comes_back_whole(storage: Storage) {
    let [company] = put_accounts(&storage).await;
    let before = organization(company, 10, "Antes SL");
    put_contacts(&storage, std::slice::from_ref(&before)).await;
    let after =
        Contact { version: before.version.next(), created_at: before.created_at, ..person(company, 10) };
    let unit = storage.begin().await.expect("begin");
    unit.contacts().replace(&scope(&[company]), &before, &after).await.expect("replace");
    assert_eq!(
        unit.contacts().find(&scope(&[company]), after.id).await.expect("find"),
        Some(after.clone()),
        "a unit reads its own changes"
    );
    unit.commit().await.expect("commit");
    let found = storage.contacts().find(&everything(), after.id).await.expect("find");
    assert_eq!(found, Some(after));
}

/// Nothing of a company out of scope can be seen or changed.
pub async fn a_contact_out_of_scope_is_absent(storage: Storage) {
    let [ours, theirs] = put_accounts(&storage).await;
    let contact = organization(theirs, 10, "Ajena SL");
    put_contacts(&storage, std::slice::from_ref(&contact)).await;
    let scope = scope(&[ours]);
    assert_eq!(storage.contacts().find(&scope, contact.id).await.expect("find"), None);

    let changed = Contact { notes: Some("x".to_owned()), version: contact.version.next(), ..contact.clone() };
    assert_conflict(&attempt!(storage, |unit| unit.contacts().replace(&scope, &contact, &changed)));
    assert_conflict(&attempt!(storage, |unit| unit.contacts().erase(&scope, &contact)));
    let foreign = organization(theirs, 11, "Intrusa SL");
    assert_conflict(&attempt!(storage, |unit| unit.contacts().insert(&scope, &foreign)));
    // Nor can a record be carried over the border by naming a company within reach.
    let carried = Contact { company: ours, ..changed };
    assert_conflict(&attempt!(storage, |unit| unit.contacts().replace(&scope, &contact, &carried)));

    let found = storage.contacts().find(&everything(), contact.id).await.expect("find");
    assert_eq!(found, Some(contact));
    assert_eq!(storage.contacts().find(&everything(), foreign.id).await.expect("find"), None);
}

/// A stale version replaces and deletes nothing.
pub async fn a_contact_changes_only_at_its_version(storage: Storage) {
    let [company] = put_accounts(&storage).await;
    let contact = organization(company, 10, "Versión SL");
    put_contacts(&storage, std::slice::from_ref(&contact)).await;
    let scope = scope(&[company]);
    let other = Contact { version: Version::from_i64(9), ..contact.clone() };
    let after = Contact { version: other.version.next(), ..contact.clone() };
    assert_conflict(&attempt!(storage, |unit| unit.contacts().replace(&scope, &other, &after)));
    assert_conflict(&attempt!(storage, |unit| unit.contacts().erase(&scope, &other)));
    let unknown = organization(company, 99, "Nadie SL");
    assert_conflict(&attempt!(storage, |unit| unit.contacts().replace(&scope, &unknown, &unknown)));
    assert_eq!(storage.contacts().find(&scope, contact.id).await.expect("find"), Some(contact.clone()));

    attempt!(storage, |unit| unit.contacts().erase(&scope, &contact)).expect("delete");
    assert_eq!(storage.contacts().find(&scope, contact.id).await.expect("find"), None);
}

/// `externalId` is unique within a company and free across companies.
pub async fn an_external_id_is_taken_once_per_company(storage: Storage) {
    let [first, second] = put_accounts(&storage).await;
    let scope = scope(&[first, second]);
    let with = |company: AccountId, number: u128, external: Option<&str>| {
        let mut contact = organization(company, number, "Externa SL");
        contact.extension.external_id = external.map(str::to_owned);
        contact
    };
    let all = [
        with(first, 10, Some("A")),
        with(second, 11, Some("A")),
        with(first, 12, None),
        with(first, 13, None),
    ];
    put_contacts(&storage, &all).await;

    let clash = with(first, 14, Some("A"));
    assert_taken(&attempt!(storage, |unit| unit.contacts().insert(&scope, &clash)), "externalId");
    let [_, _, before, _] = all;
    let mut after = Contact { version: before.version.next(), ..before.clone() };
    after.extension.external_id = Some("A".to_owned());
    assert_taken(&attempt!(storage, |unit| unit.contacts().replace(&scope, &before, &after)), "externalId");
    // Case matters to an integrator's ids.
    let other = with(first, 15, Some("a"));
    attempt!(storage, |unit| unit.contacts().insert(&scope, &other)).expect("another externalId");
}

/// The owner of a tax id is looked for among the active contacts of one company.
pub async fn a_tax_id_is_found_among_active_contacts_of_its_company(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let contact = Contact { extension: Extension::default(), ..person(company, 10) };
    let archived = Contact {
        status: ContactStatus::Archived,
        tax_id: Some(Pii::new(tax("X1234567L"))),
        ..contact.clone()
    };
    let archived = Contact { id: contact_id(11), ..archived };
    let elsewhere = Contact { company: other, id: contact_id(12), ..archived.clone() };
    let elsewhere = Contact { status: ContactStatus::Active, ..elsewhere };
    put_contacts(&storage, &[contact.clone(), archived, elsewhere.clone()]).await;
    let find = async |company, text: &str, except| {
        storage.contacts().active_with_tax_id(company, &Pii::new(tax(text)), except).await.expect("query")
    };
    assert_eq!(find(company, "12345678Z", None).await, Some(contact.id));
    assert_eq!(find(company, "12345678Z", Some(contact.id)).await, None);
    assert_eq!(find(company, "X1234567L", None).await, None);
    assert_eq!(find(other, "X1234567L", None).await, Some(elsewhere.id));
    assert_eq!(find(other, "12345678Z", None).await, None);
}

/// Active contacts are found by their bank account, the oldest first.
pub async fn contacts_are_found_by_their_bank_account(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let iban = || Pii::new("ES9121000418450200051332".parse::<Iban>().expect("an IBAN"));
    let with = |company, number, created| Contact {
        iban: Some(iban()),
        created_at: at(created),
        tax_id: None,
        extension: Extension::default(),
        ..person(company, number)
    };
    let (young, old) = (with(company, 10, 5), with(company, 11, 3));
    let archived = Contact { status: ContactStatus::Archived, ..with(company, 12, 1) };
    let none = Contact { iban: None, ..with(company, 13, 1) };
    put_contacts(&storage, &[young.clone(), old.clone(), archived, none, with(other, 14, 1)]).await;
    let find =
        async |limit| storage.contacts().active_with_iban(company, &iban(), limit).await.expect("query");
    assert_eq!(find(9).await, [old.id, young.id]);
    assert_eq!(find(1).await, [old.id]);
}

/// Candidates share the tax id, the e-mail, a phone or the name; tombstones and other companies do not count.
pub async fn contacts_that_are_alike_are_found(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let subject = Contact { extension: Extension::default(), ..person(company, 10) };
    let plain = |number, name: &str| Contact {
        created_at: at(i64::try_from(number).unwrap_or(0)),
        ..organization(company, number, name)
    };
    let by_tax = Contact { tax_id: subject.tax_id.clone(), shares_tax_id: true, ..plain(30, "Uno SL") };
    let by_email = Contact {
        email: Some(crate::business::sample::email("INIGO@correo.example")),
        status: ContactStatus::Archived,
        ..plain(20, "Dos SL")
    };
    let by_phone = Contact { phone: subject.mobile.clone(), ..plain(40, "Tres SL") };
    let by_name = plain(25, "íÑIGO   núñez 10");
    let stranger = plain(21, "Íñigo Núñez 11");
    let elsewhere = Contact { company: other, id: contact_id(50), ..by_tax.clone() };
    let tombstone =
        Contact { status: ContactStatus::Merged { into: by_tax.id }, id: contact_id(51), ..by_tax.clone() };
    let expected = [&by_email, &by_name, &by_tax, &by_phone].map(|contact| contact.id);
    put_contacts(
        &storage,
        &[subject.clone(), by_tax, by_email, by_phone, by_name, stranger, elsewhere, tombstone],
    )
    .await;
    let found = storage.contacts().possible_duplicates(&subject, 50).await.expect("query");
    assert_eq!(found.iter().map(|contact| contact.id).collect::<Vec<_>>(), expected, "oldest first");
    assert_eq!(storage.contacts().possible_duplicates(&subject, 2).await.expect("query").len(), 2);
    // The blank name of an anonymous contact is like no other one.
    let blank = organization(company, 60, "");
    let twin = organization(company, 61, "");
    put_contacts(&storage, &[blank.clone(), twin]).await;
    assert_eq!(storage.contacts().possible_duplicates(&blank, 50).await.expect("query"), []);
}

/// Children and tombstones refer to a contact, and follow it when it is absorbed.
pub async fn references_follow_a_merge(storage: Storage) {
    let [company] = put_accounts(&storage).await;
    let [from, to] =
        [(10, "Absorbida SL"), (11, "Superviviente SL")].map(|(n, s)| organization(company, n, s));
    let child = Contact { parent: Some(from.id), ..person(company, 12) };
    let tombstone = Contact {
        status: ContactStatus::Merged { into: from.id },
        ..organization(company, 13, "Antigua SL")
    };
    let aside = Contact {
        parent: Some(to.id),
        shares_tax_id: true,
        extension: Extension::default(),
        ..person(company, 14)
    };
    put_contacts(&storage, &[from.clone(), to.clone(), child.clone(), tombstone.clone(), aside.clone()])
        .await;
    let is_referenced = async |contact: &Contact| {
        let unit = storage.begin().await.expect("begin");
        unit.contacts().is_referenced(contact).await.expect("query")
    };
    for (contact, expected) in [(&from, true), (&to, true), (&child, false)] {
        assert_eq!(is_referenced(contact).await, expected);
    }
    attempt!(storage, |unit| unit.contacts().repoint(&from, &to, at(60))).expect("repoint");
    assert!(!is_referenced(&from).await);
    let find = async |id| storage.contacts().find(&everything(), id).await.expect("find");
    let next = |contact: Contact| Contact { version: contact.version.next(), updated_at: at(60), ..contact };
    assert_eq!(find(child.id).await, Some(Contact { parent: Some(to.id), ..next(child) }));
    let status = ContactStatus::Merged { into: to.id };
    assert_eq!(find(tombstone.id).await, Some(Contact { status, ..next(tombstone) }));
    assert_eq!(find(aside.id).await, Some(aside));
}

/// All records of a company move with their ids and children, or none when one clashes.
pub async fn records_move_together_or_not_at_all(storage: Storage) {
    let [from, to] = put_accounts(&storage).await;
    let parent = organization(from, 10, "Madre SL");
    let child = Contact { parent: Some(parent.id), ..person(from, 11) };
    put_contacts(&storage, &[parent.clone(), child.clone()]).await;
    let attempt_move = async || attempt!(storage, |unit| unit.accounts().move_records(from, to, at(60)));

    let mut same_external = organization(to, 20, "Externa SL");
    same_external.extension.external_id.clone_from(&child.extension.external_id);
    put_contacts(&storage, std::slice::from_ref(&same_external)).await;
    assert_taken(&attempt_move().await, "externalId");
    attempt!(storage, |unit| unit.contacts().erase(&everything(), &same_external)).expect("erase");

    let same_tax = Contact { tax_id: child.tax_id.clone(), ..organization(to, 21, "Fiscal SL") };
    put_contacts(&storage, std::slice::from_ref(&same_tax)).await;
    assert_taken(&attempt_move().await, "taxId");
    let found = storage.contacts().find(&scope(&[from]), child.id).await.expect("find");
    assert_eq!(found, Some(child.clone()), "a clash moves nothing");
    let archived =
        Contact { status: ContactStatus::Archived, version: same_tax.version.next(), ..same_tax.clone() };
    attempt!(storage, |unit| unit.contacts().replace(&everything(), &same_tax, &archived)).expect("archive");

    attempt_move().await.expect("moved");
    for contact in [parent, child] {
        let id = contact.id;
        assert_eq!(storage.contacts().find(&scope(&[from]), id).await.expect("find"), None);
        let found = storage.contacts().find(&scope(&[to]), id).await.expect("find");
        let version = contact.version.next();
        assert_eq!(found, Some(Contact { company: to, version, updated_at: at(60), ..contact }));
    }
    attempt!(storage, |unit| unit.accounts().move_records(id(77), to, at(60))).expect("nothing to move");
}

/// Another contact that shares a tax id may stand beside the one that has it alone; a second one may not.
pub async fn a_tax_id_is_had_alone_once(storage: Storage) {
    let [company] = put_accounts(&storage).await;
    let with = |number: u128, shares_tax_id: bool| Contact {
        tax_id: Some(Pii::new(tax("B12345674"))),
        shares_tax_id,
        ..organization(company, number, "Única SL")
    };
    put_contacts(&storage, &[with(10, false), with(11, true)]).await;
    let insert =
        async |contact: Contact| attempt!(storage, |unit| unit.contacts().insert(&everything(), &contact));
    assert_taken(&insert(with(12, false)).await, "taxId");
    insert(with(13, true)).await.expect("one more that shares it");
    let archived = Contact { status: ContactStatus::Archived, ..with(14, false) };
    insert(archived).await.expect("an archived one holds nothing");
}

/// Nothing is added to a company that is deactivated or merged.
pub async fn nothing_is_added_to_a_closed_company(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    for status in [AccountStatus::Deactivated { at: at(1) }, AccountStatus::Merged { into: other, at: at(1) }]
    {
        let before = storage.accounts().find(&everything(), company).await.expect("find").expect("there");
        let closed = Account { status, version: before.version.next(), ..before.clone() };
        attempt!(storage, |unit| unit.accounts().replace(&everything(), &before, &closed)).expect("closed");
        let late = organization(company, 10, "Tarde SL");
        assert_conflict(&attempt!(storage, |unit| unit.contacts().insert(&everything(), &late)));
        assert_eq!(storage.contacts().find(&everything(), late.id).await.expect("find"), None);
    }
}

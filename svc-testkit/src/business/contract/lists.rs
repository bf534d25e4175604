//! Lists of contacts: filters, order, pages, search.

use std::collections::BTreeSet;

use svc_business::contact::{
    Contact, ContactFilter, ContactRole, ContactSort, ContactStatus, Identity, Kind, StatusFilter,
};
use svc_core::id::{AccountId, ContactId};
use svc_core::page::{Direction, PageRules, Sort};
use svc_core::pii::Pii;
use svc_core::tenant::Scope;

use super::{Storage, ids, put_accounts, put_contacts, whole};
use crate::business::sample::{at, email, everything, id, organization, person, scope, tax};

/// Each filter narrows the list to what it names.
pub async fn every_filter_narrows_a_list_of_contacts(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let parent = organization(company, 10, "Madre SL");
    let child = Contact { parent: Some(parent.id), ..person(company, 11) };
    let archived = Contact { status: ContactStatus::Archived, ..organization(company, 12, "Archivada SL") };
    let merged =
        Contact { status: ContactStatus::Merged { into: parent.id }, ..organization(company, 13, "Lápida") };
    let elsewhere = Contact {
        roles: BTreeSet::from([ContactRole::Lead]),
        updated_at: at(500),
        created_at: at(86_400),
        ..organization(other, 14, "Otra SL")
    };
    put_contacts(
        &storage,
        &[parent.clone(), child.clone(), archived.clone(), merged.clone(), elsewhere.clone()],
    )
    .await;
    let all = ContactFilter { status: StatusFilter::All, ..ContactFilter::default() };
    let day = at(0).date();
    let cases: Vec<(&str, ContactFilter, Vec<&Contact>)> = vec![
        ("active is usual", ContactFilter::default(), vec![&parent, &child, &elsewhere]),
        ("all", all.clone(), vec![&parent, &child, &archived, &merged, &elsewhere]),
        ("archived", ContactFilter { status: StatusFilter::Archived, ..all.clone() }, vec![&archived]),
        ("merged", ContactFilter { status: StatusFilter::Merged, ..all.clone() }, vec![&merged]),
        ("company", ContactFilter { companies: vec![other], ..all.clone() }, vec![&elsewhere]),
        ("role", ContactFilter { role: Some(ContactRole::Worker), ..all.clone() }, vec![&child]),
        ("role of another", ContactFilter { role: Some(ContactRole::Lead), ..all.clone() }, vec![&elsewhere]),
        ("kind", ContactFilter { kind: Some(Kind::Person), ..all.clone() }, vec![&child]),
        ("tag", ContactFilter { tag: Some("a%_".to_owned()), ..all.clone() }, vec![&child]),
        ("quoted tag", ContactFilter { tag: Some("Añejo, \"x\"".to_owned()), ..all.clone() }, vec![&child]),
        ("part of a tag", ContactFilter { tag: Some("vi".to_owned()), ..all.clone() }, vec![]),
        ("tax id", ContactFilter { tax_id: Some(Pii::new(tax("12345678Z"))), ..all.clone() }, vec![&child]),
        ("parent", ContactFilter { parent: Some(parent.id), ..all.clone() }, vec![&child]),
        (
            "external id",
            ContactFilter { external_id: Some("ext-person".to_owned()), ..all.clone() },
            vec![&child],
        ),
        ("updated since", ContactFilter { updated_since: Some(at(500)), ..all.clone() }, vec![&elsewhere]),
        ("from", ContactFilter { from: day.next_day(), ..all.clone() }, vec![&elsewhere]),
        ("to", ContactFilter { to: Some(day), ..all.clone() }, vec![&parent, &child, &archived, &merged]),
    ];
    for (name, filter, expected) in cases {
        let found = list(&storage, &everything(), &filter, &Sort::default()).await;
        assert_eq!(found, ids(expected), "{name}");
    }
    let companies = vec![company, other];
    let foreign = ContactFilter { companies, ..all };
    assert_eq!(
        list(&storage, &scope(&[other]), &foreign, &Sort::default()).await,
        vec![elsewhere.id],
        "a filter does not widen a scope"
    );
    assert_eq!(list(&storage, &scope(&[]), &foreign, &Sort::default()).await, Vec::<ContactId>::new());
}

/// Each key sorts both ways, further keys break ties, and the id breaks the last ones.
pub async fn contacts_are_listed_in_the_order_asked_for(storage: Storage) {
    let [company] = put_accounts(&storage).await;
    let with = |number: u128, name: &str, created, updated| Contact {
        created_at: at(created),
        updated_at: at(updated),
        ..organization(company, number, name)
    };
    let contacts = [
        with(10, "beta", 3, 9),
        with(11, "Alfa", 1, 9),
        with(12, "ñu", 2, 7),
        with(13, "zeta", 2, 8),
        with(14, "ALFA", 4, 6),
        with(15, "a-b", 5, 5),
        with(16, "a b", 5, 4),
    ];
    put_contacts(&storage, &contacts).await;
    let (up, down) = (Direction::Ascending, Direction::Descending);
    let cases: [(Option<_>, [u128; 7]); 6] = [
        (None, [11, 12, 13, 10, 14, 15, 16]),
        (Some((ContactSort::CreatedAt, down)), [16, 15, 14, 10, 13, 12, 11]),
        // By code points of the search key: a space, then the hyphen, letters, ñ as n.
        (Some((ContactSort::Name, up)), [16, 15, 11, 14, 10, 12, 13]),
        (Some((ContactSort::Name, down)), [13, 12, 10, 14, 11, 15, 16]),
        (Some((ContactSort::UpdatedAt, up)), [16, 15, 14, 12, 13, 10, 11]),
        (Some((ContactSort::UpdatedAt, down)), [11, 10, 13, 12, 14, 15, 16]),
    ];
    for (sort, expected) in cases {
        let found = list(&storage, &scope(&[company]), &ContactFilter::default(), &Sort(sort)).await;
        assert_eq!(found, expected.map(crate::business::sample::contact_id), "{sort:?}");
    }
}

/// Invariant I-25 of the specification: pages of any size join to the whole list, each record once.
pub async fn joined_pages_are_the_whole_list(storage: Storage) {
    let [company] = put_accounts(&storage).await;
    // Instants repeat, so only the id keeps the order.
    let contacts: Vec<Contact> = (0..23)
        .map(|number| Contact {
            created_at: at(i64::try_from(number % 4).unwrap_or(0)),
            ..organization(company, 100 + number, if number % 2 == 0 { "Dos" } else { "Uno" })
        })
        .collect();
    put_contacts(&storage, &contacts).await;
    for sort in [Sort::default(), Sort(Some((ContactSort::Name, Direction::Descending)))] {
        let unpaged = list(&storage, &scope(&[company]), &ContactFilter::default(), &sort).await;
        assert_eq!(unpaged.len(), 23);
        for limit in [1, 5, 22, 23, 24] {
            let mut joined = Vec::new();
            for number in 1..=24 {
                let request = PageRules::USUAL.page(Some(number), Some(limit)).expect("a page");
                let page = storage
                    .contacts()
                    .page(&scope(&[company]), &ContactFilter::default(), &sort, request)
                    .await
                    .expect("page");
                assert_eq!((page.total, page.request), (23, request));
                joined.extend(ids(&page.items));
            }
            assert_eq!(joined, unpaged, "limit {limit}");
        }
    }
}

/// What means something in a LIKE pattern stands for itself in `q`.
pub async fn wildcards_in_a_search_are_literal(storage: Storage) {
    let names = ["100% lana", "1000 lanas", "a_b", "axb", "c\\d", "cd", "o'neil"];
    let cases: &[(&str, &[usize])] =
        &[("0%", &[0]), ("%", &[0]), ("_", &[2]), ("a_b", &[2]), ("\\", &[4]), ("c\\d", &[4]), ("'", &[6])];
    assert_search(storage, &names, cases).await;
}

/// Case and accents do not matter in any alphabet; white space counts as one space.
pub async fn a_search_ignores_case_and_accents_in_every_alphabet(storage: Storage) {
    let names = ["Muñoz y Él", "MUÑOZ Y ÉL 2", "munoz y el", "Ωmega ЖУК", "Straße"];
    let cases: &[(&str, &[usize])] = &[
        ("MUÑOZ", &[0, 1, 2]),
        ("muñoz   y  él", &[0, 1, 2]),
        ("munoz y el 2", &[1]),
        ("ωMEGA жук", &[3]),
        ("STRAßE", &[4]),
        ("  ", &[0, 1, 2, 3, 4]),
        ("nadie", &[]),
    ];
    assert_search(storage, &names, cases).await;
}

/// `q` reads names and e-mail, and nothing that is masked.
pub async fn a_search_reads_names_and_mail_addresses_only(storage: Storage) {
    let [company] = put_accounts(&storage).await;
    let full = person(company, 10);
    let mail = Contact {
        email: Some(email("Ventas@Éxito.example")),
        trade_name: Some("Bodegón del Puerto".to_owned()),
        ..organization(company, 11, "Once")
    };
    put_contacts(&storage, &[full, mail.clone()]).await;
    let search = async |text: &str| {
        let filter = ContactFilter { text: Some(text.to_owned()), ..ContactFilter::default() };
        list(&storage, &scope(&[company]), &filter, &Sort::default()).await
    };
    for shown in ["ventas@éxito", "bodegon", "once"] {
        assert_eq!(search(shown).await, vec![mail.id], "{shown}");
    }
    for hidden in ["12345678", "600000001", "910000001", "ES91", "0418450", "mayor", "1904", "line"] {
        assert_eq!(search(hidden).await, Vec::<ContactId>::new(), "{hidden}");
    }
}

/// A part of a word is found as well as a word, from two letters on, at the end of a text too.
pub async fn a_search_finds_parts_of_words(storage: Storage) {
    let names = ["Ferretería López", "Peluquería", "山田 太郎", "López' \"Sons\" & Co", "Za"];
    let cases: &[(&str, &[usize])] = &[
        ("tería", &[0]),
        ("ería", &[0, 1]),
        ("ia", &[0, 1]),
        ("ez", &[0, 3]),
        ("ia lo", &[0]),
        ("太郎", &[2]),
        ("z' \"", &[3]),
        ("co", &[3]),
        ("za", &[4]),
        ("z", &[0, 3, 4]),
        ("xq", &[]),
        ("\"\"", &[]),
        ("''", &[]),
        ("ferreteria lopez y compania", &[]),
    ];
    assert_search(storage, &names, cases).await;
}

/// What a record is searched by is what it is at the time.
pub async fn a_search_follows_changes(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let before = organization(company, 10, "Antes Primero");
    let gone = organization(company, 11, "Antes Segundo");
    put_contacts(&storage, &[before.clone(), gone.clone()]).await;
    let after = Contact {
        identity: Identity::Organization { legal_name: "Después".to_owned() },
        version: before.version.next(),
        ..before.clone()
    };
    let unit = storage.begin().await.expect("begin");
    unit.contacts().replace(&everything(), &before, &after).await.expect("replaced");
    unit.contacts().erase(&everything(), &gone).await.expect("erased");
    unit.commit().await.expect("committed");
    for reached in [vec![company], vec![company, other]] {
        let search = async |text: &str| {
            let filter = ContactFilter { text: Some(text.to_owned()), ..ContactFilter::default() };
            list(&storage, &scope(&reached), &filter, &Sort::default()).await
        };
        assert_eq!(search("antes").await, Vec::<ContactId>::new());
        assert_eq!(search("segundo").await, Vec::<ContactId>::new());
        assert_eq!(search("despues").await, vec![after.id]);
    }
}

/// The total of a list is the number of its items, whatever has happened to them.
pub async fn totals_follow_changes(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let contacts: Vec<Contact> =
        (10..20).map(|number| organization(company, number, &format!("Empresa {number}"))).collect();
    put_contacts(&storage, &contacts).await;
    put_contacts(&storage, &[person(company, 20), organization(other, 21, "Otra")]).await;
    let assert_totals = async |expected: [usize; 5]| {
        let all = || ContactFilter { status: StatusFilter::All, ..ContactFilter::default() };
        let filters = [
            all(),
            ContactFilter::default(),
            ContactFilter { status: StatusFilter::Archived, ..all() },
            ContactFilter { kind: Some(Kind::Person), ..all() },
            ContactFilter { role: Some(ContactRole::Worker), ..all() },
        ];
        for (filter, expected) in filters.into_iter().zip(expected) {
            let found = list(&storage, &scope(&[company]), &filter, &Sort::default()).await;
            assert_eq!(found.len(), expected, "{filter:?}");
        }
    };
    assert_totals([11, 11, 0, 1, 1]).await;
    for before in contacts.iter().take(4) {
        let after = Contact {
            status: ContactStatus::Archived,
            roles: BTreeSet::from([ContactRole::Worker]),
            version: before.version.next(),
            ..before.clone()
        };
        let unit = storage.begin().await.expect("begin");
        unit.contacts().replace(&everything(), before, &after).await.expect("replaced");
        unit.commit().await.expect("committed");
    }
    assert_totals([11, 7, 4, 1, 5]).await;
    let unit = storage.begin().await.expect("begin");
    unit.contacts().erase(&everything(), contacts.last().expect("ten")).await.expect("erased");
    unit.accounts().move_records(other, company, at(9)).await.expect("moved");
    unit.commit().await.expect("committed");
    assert_totals([11, 7, 4, 1, 5]).await;
    let nothing = list(&storage, &scope(&[other]), &ContactFilter::default(), &Sort::default()).await;
    assert_eq!(nothing, Vec::new());
    let unit = storage.begin().await.expect("begin");
    unit.contacts().erase(&everything(), contacts.get(5).expect("ten")).await.expect("erased");
    drop(unit);
    assert_totals([11, 7, 4, 1, 5]).await;
}

/// A list by tag follows what becomes of its contacts, with its total and in every order.
pub async fn lists_by_tag_follow_changes(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let tagged = |number: u128, of: AccountId, tags: &[&str]| Contact {
        created_at: at(i64::try_from(number % 3).unwrap_or(0)),
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        ..organization(of, number, &format!("Empresa {number}"))
    };
    let contacts: Vec<Contact> = (10..16).map(|number| tagged(number, company, &["a", "b"])).collect();
    put_contacts(&storage, &contacts).await;
    put_contacts(&storage, &[tagged(20, other, &["b"])]).await;
    let of = async |reached: &[AccountId], tag: &str, status, sort| {
        let filter = ContactFilter { tag: Some(tag.to_owned()), status, ..ContactFilter::default() };
        list(&storage, &scope(reached), &filter, &Sort(sort)).await
    };
    let numbers = |numbers: &[u128]| numbers.iter().map(|number| id(*number)).collect::<Vec<ContactId>>();
    let (active, down) = (StatusFilter::Active, Direction::Descending);
    assert_eq!(of(&[company], "a", active, None).await, numbers(&[12, 15, 10, 13, 11, 14]));
    let latest_first = Some((ContactSort::CreatedAt, down));
    assert_eq!(of(&[company], "a", active, latest_first).await, numbers(&[14, 11, 13, 10, 15, 12]));
    let by_name = Some((ContactSort::Name, down));
    assert_eq!(of(&[company], "a", active, by_name).await, numbers(&[15, 14, 13, 12, 11, 10]));
    assert_eq!(of(&[company, other], "b", active, None).await, numbers(&[12, 15, 10, 13, 11, 14, 20]));

    let [archived, untagged, erased, ..] = contacts.as_slice() else { panic!("six") };
    let next = |before: &Contact| Contact { version: before.version.next(), ..before.clone() };
    let unit = storage.begin().await.expect("begin");
    let after = Contact { status: ContactStatus::Archived, ..next(archived) };
    unit.contacts().replace(&everything(), archived, &after).await.expect("replaced");
    let after = Contact { tags: vec!["b".to_owned()], ..next(untagged) };
    unit.contacts().replace(&everything(), untagged, &after).await.expect("replaced");
    unit.contacts().erase(&everything(), erased).await.expect("erased");
    unit.commit().await.expect("committed");
    assert_eq!(of(&[company], "a", active, None).await, numbers(&[15, 13, 14]));
    assert_eq!(of(&[company], "a", StatusFilter::Archived, None).await, numbers(&[10]));
    assert_eq!(of(&[company], "a", StatusFilter::All, None).await, numbers(&[15, 10, 13, 14]));
    assert_eq!(of(&[company], "b", active, None).await, numbers(&[15, 13, 11, 14]));
    assert_eq!(of(&[company], "none", active, None).await, numbers(&[]));

    let unit = storage.begin().await.expect("begin");
    unit.accounts().move_records(other, company, at(9)).await.expect("moved");
    unit.commit().await.expect("committed");
    assert_eq!(of(&[company], "b", active, None).await, numbers(&[15, 13, 11, 14, 20]));
    assert_eq!(of(&[other], "b", active, None).await, numbers(&[]));
}

/// What changed since then is counted from either end of the changes, and one by one between them.
pub async fn changes_are_counted_from_either_end(storage: Storage) {
    let [company] = put_accounts(&storage).await;
    let contacts: Vec<Contact> = (0..4_600)
        .map(|number| Contact {
            updated_at: at(i64::try_from(number).unwrap_or(0)),
            ..organization(company, 100 + number, "Luna")
        })
        .collect();
    for some in contacts.chunks(500) {
        put_contacts(&storage, some).await;
    }
    for (since, total) in [(0, 4_600), (1, 4_599), (2_100, 2_500), (2_300, 2_300), (2_601, 1_999), (4_600, 0)]
    {
        let filter = ContactFilter { updated_since: Some(at(since)), ..ContactFilter::default() };
        let first = PageRules::USUAL.page(Some(1), Some(5)).expect("a page");
        let page = storage.contacts().page(&scope(&[company]), &filter, &Sort::default(), first).await;
        let page = page.expect("a page");
        assert_eq!(page.total, total, "since {since}");
        let first: Vec<ContactId> =
            (0..5_u64.min(total)).map(|at| id(u128::from(4_700 - total + at))).collect();
        assert_eq!(ids(&page.items), first, "since {since}");
    }
}

/// Looked for in one company, where a walk finds them, and in two, where an index does.
async fn assert_search(storage: Storage, names: &[&str], cases: &[(&str, &[usize])]) {
    let [company, other] = put_accounts(&storage).await;
    let contacts: Vec<Contact> =
        (10..).zip(names).map(|(number, name)| organization(company, number, name)).collect();
    put_contacts(&storage, &contacts).await;
    for (text, expected) in cases {
        let filter = ContactFilter { text: Some((*text).to_owned()), ..ContactFilter::default() };
        let expected: Vec<&Contact> = expected.iter().filter_map(|at| contacts.get(*at)).collect();
        let expected = ids(expected);
        for reached in [vec![company], vec![company, other]] {
            let found = list(&storage, &scope(&reached), &filter, &Sort::default()).await;
            assert_eq!(found, expected, "{text:?} in {} companies", reached.len());
        }
    }
}

async fn list(
    storage: &Storage,
    scope: &Scope,
    filter: &ContactFilter,
    sort: &Sort<ContactSort>,
) -> Vec<ContactId> {
    let page = storage.contacts().page(scope, filter, sort, whole()).await.expect("page");
    assert_eq!(page.total, u64::try_from(page.items.len()).expect("a short list"));
    ids(&page.items)
}
